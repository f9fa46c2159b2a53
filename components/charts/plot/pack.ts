/** A value with its columns of numbers and texts as text: a quarter of what they are as JSON. */
export interface Packed<One> {
  readonly packed: unknown
  /** Never there: keeps apart what was packed of different kinds. */
  readonly of?: One
}

/** Twelve digits hold whatever a tool prints, without the dust of conversions. */
const short = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(12)))

const numbersSign = '#'
const textsSign = '$'
const plainSign = '~'
/** Shorter arrays stay as they are. */
const minLength = 3

const deltaSign = '^'

/** As they are, or the steps between them where that is shorter. */
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

function unpackNumbers(text: string): readonly (number | null)[] {
  if (!text.startsWith(deltaSign)) return unpackParts(text)
  let sum = 0
  return unpackParts(text.slice(1)).map((step) => (sum += step ?? 0))
}

const unpackParts = (text: string): readonly (number | null)[] =>
  text.split(' ').flatMap((part): readonly (number | null)[] => {
    if (part === '') return [null]
    const [from = 0, to] = part.split(':').map(Number)
    if (to !== undefined) return Array.from({ length: to - from + 1 }, (_, at) => from + at)
    const run = /^(-?\d+)\+(\d+)\*(\d+)$/.exec(part)
    if (run === null) return [Number(part)]
    const [first, step, count] = run.slice(1).map(Number)
    return Array.from({ length: count ?? 0 }, (_, at) => (first ?? 0) + at * (step ?? 0))
  })

/** A line each; how all begin is written once. */
function packTexts(texts: readonly string[]): string {
  const [first = ''] = texts
  let shared = first.length
  for (const one of texts) while (!one.startsWith(first.slice(0, shared))) shared -= 1
  return `${textsSign}${first.slice(0, shared)}\n${texts.map((one) => one.slice(shared)).join('\n')}`
}

function unpackTexts(text: string): readonly string[] {
  const [shared = '', ...ends] = text.split('\n')
  return ends.map((end) => shared + end)
}

const isNumbers = (values: readonly unknown[]): values is readonly (number | null)[] =>
  values.every((value) => value === null || (typeof value === 'number' && Number.isFinite(value))) &&
  values.some((value) => value !== null)
const isTexts = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string' && !value.includes('\n'))

/** Packs numbers, texts, arrays and records of them for a browser. Numbers keep twelve digits; undefined is left out. */
export const pack = <One>(value: One): Packed<One> => ({ packed: packValue(value) })

function packValue(value: unknown): unknown {
  if (typeof value === 'number') return short(value)
  if (typeof value === 'string') return /^[#$~]/.test(value) ? plainSign + value : value
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    const own = Object.entries(value).filter(([, one]) => one !== undefined)
    return Object.fromEntries(own.map(([key, one]) => [key, packValue(one)]))
  }
  if (value.length >= minLength && isNumbers(value)) return packNumbers(value)
  return value.length >= minLength && isTexts(value) ? packTexts(value) : value.map(packValue)
}

/** The value as it was. */
export function unpack<One>({ packed }: Packed<One>): One {
  return JSON.parse(JSON.stringify(packed), (_, one: unknown) => {
    if (typeof one !== 'string') return one
    const rest = one.slice(1)
    if (one.startsWith(numbersSign)) return unpackNumbers(rest)
    if (one.startsWith(textsSign)) return unpackTexts(rest)
    return one.startsWith(plainSign) ? rest : one
  })
}
