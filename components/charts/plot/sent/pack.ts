import {
  columnsKey,
  deltaSign,
  isRecord,
  numbersSign,
  plainSign,
  textsSign,
  type Packed,
  type TableColumns,
} from './unpack'

/** Twelve digits hold any number that a tool prints, without floating-point error from conversions. */
const short = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(12)))

/** Shorter arrays stay as they are. */
const minLength = 3

/** Unchanged, or the steps between them if that is shorter. */
function packNumbers(values: readonly (number | null)[]): string {
  const plain = packParts(values)
  if (!values.every((value) => value !== null && Number.isSafeInteger(2 * value))) return numbersSign + plain
  const steps = packParts(values.map((value, at) => (value ?? 0) - (values[at - 1] ?? 0)))
  return numbersSign + (steps.length < plain.length ? deltaSign + steps : plain)
}

/** Equal steps of one: `4-170`; of others: `0+500*60`; a gap is nothing between two spaces; and equal ones. */
function packParts(values: readonly (number | null)[]): string {
  const parts: string[] = []
  for (let at = 0; at < values.length;) {
    const first = values[at] ?? null
    const step = stepAt(values, at)
    let end = at + 1
    while (step !== null && end < values.length && values[end] === (first ?? 0) + step * (end - at)) end += 1
    const count = end - at
    if (first === null || step === null || count < 4) {
      parts.push(first === null ? '' : String(short(first)))
      at += 1
    } else {
      parts.push(step === 1 ? `${first}:${first + count - 1}` : `${first}+${step}*${count}`)
      at = end
    }
  }
  return parts.join(' ')
}

/** The whole step from one number to the next; null: there is none. */
function stepAt(values: readonly (number | null)[], at: number): number | null {
  const [first, second] = [values[at] ?? null, values[at + 1] ?? null]
  if (first === null || second === null || !Number.isInteger(first) || !Number.isInteger(second)) return null
  return second >= first ? second - first : null
}

/** One per line; their common beginning is written once. */
function packTexts(texts: readonly string[]): string {
  const [first = ''] = texts
  let shared = first.length
  for (const one of texts) while (!one.startsWith(first.slice(0, shared))) shared -= 1
  return `${textsSign}${first.slice(0, shared)}\n${texts.map((one) => one.slice(shared)).join('\n')}`
}

const isNumbers = (values: readonly unknown[]): values is readonly (number | null)[] =>
  values.every((value) => value === null || (typeof value === 'number' && Number.isFinite(value))) &&
  values.some((value) => value !== null)
const isTexts = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string' && !value.includes('\n'))

/**
 * Records of the same fields, each with only numbers or only texts, as columns; null: they are different, or too few.
 */
function columnsOf(records: readonly unknown[]): Readonly<Record<string, string>> | null {
  if (records.length < minLength || !records.every(isRecord)) return null
  const fields = Object.keys(records[0] ?? {})
  if (fields.length === 0 || fields.some((field) => field.startsWith(columnsKey))) return null
  const columns = new Map<string, string>()
  for (const field of fields) {
    const column = records.map((one) => one[field])
    if (isNumbers(column)) columns.set(field, packNumbers(column))
    else if (isTexts(column)) columns.set(field, packTexts(column))
    else return null
  }
  return records.every((one) => Object.keys(one).join() === fields.join()) ? Object.fromEntries(columns) : null
}

/**
 * Packs numbers, texts, arrays and records of them for a browser. Numbers keep twelve digits; undefined is left out.
 */
export const pack = <One>(value: One): Packed<One> => ({ packed: packValue(value) })

function packValue(value: unknown): unknown {
  if (typeof value === 'number') return short(value)
  if (typeof value === 'string') return /^[#$~]/.test(value) ? plainSign + value : value
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    const own = Object.entries(value).filter(([, one]) => one !== undefined)
    return Object.fromEntries(
      own.map(([key, one]) => [key.startsWith(columnsKey) ? columnsKey + key : key, packValue(one)]),
    )
  }
  const columns = columnsOf(value)
  if (columns !== null) return { [columnsKey]: columns }
  if (value.length >= minLength && isNumbers(value)) return packNumbers(value)
  return value.length >= minLength && isTexts(value) ? packTexts(value) : value.map(packValue)
}

/**
 * A packer for values that one page sends: equal records and arrays become the same object, which React sends once.
 * Twenty small plots of the same runs have the same marks of deploys.
 */
export function sharingPacker(): typeof pack {
  const known = new Map<string, object>()
  const numbers = new Map<object, number>()
  const share = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const own = Array.isArray(value)
      ? value.map(share)
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, share(one)]))
    // Inner values are compared by number, so that each text is compared once.
    const inner = Object.entries(own).map(([key, one]) => [
      key,
      one !== null && typeof one === 'object' ? [numbers.get(one)] : one,
    ])
    const key = JSON.stringify([Array.isArray(own), inner])
    const same = known.get(key) ?? own
    known.set(key, same)
    if (!numbers.has(same)) numbers.set(same, numbers.size)
    return same
  }
  return (value) => ({ packed: share(packValue(value)) })
}

/** Texts in rows below a head. */
interface WordTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A table as it goes to the browser, which draws it again: a tenth of the size of its markup. */
export const packTable = ({ head, rows }: WordTable): Packed<TableColumns> =>
  pack({ head, columns: head.map((_, at) => rows.map((row) => row[at] ?? '')) })
