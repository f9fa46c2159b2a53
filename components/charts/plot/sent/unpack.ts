/** A value whose columns of numbers and texts are packed as text: a quarter of their size as JSON. */
export interface Packed<One> {
  readonly packed: unknown
  /** Never set: keeps packed values of different kinds apart. */
  readonly of?: One
}

/** What begins a packed text: numbers, steps between them, texts, or a text that begins like one of these. */
export const numbersSign = '#'
export const textsSign = '$'
export const plainSign = '~'
export const deltaSign = '^'

/** The only key of records that are sent as columns; a key of data that begins with it doubles it. */
export const columnsKey = '|'

function unpackNumbers(text: string): readonly (number | null)[] {
  if (!text.startsWith(deltaSign)) return unpackParts(text)
  let sum = 0
  return unpackParts(text.slice(1)).map((step) => (sum += step ?? 0))
}

function unpackParts(text: string): readonly (number | null)[] {
  const values: (number | null)[] = []
  for (const part of text.split(' ')) {
    const value = part === '' ? null : Number(part)
    // Most are one number.
    if (value === null || !Number.isNaN(value)) values.push(value)
    else for (const one of unpackRun(part)) values.push(one)
  }
  return values
}

function unpackRun(part: string): readonly number[] {
  const [from = 0, to] = part.split(':').map(Number)
  if (to !== undefined) return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const [first = NaN, step = 0, count = 1] = part.split(/[+*]/).map(Number)
  return Array.from({ length: count }, (_, at) => first + at * step)
}

function unpackTexts(text: string): readonly string[] {
  const [shared = '', ...ends] = text.split('\n')
  return ends.map((end) => shared + end)
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withOwnKeys = (one: Readonly<Record<string, unknown>>) =>
  Object.keys(one).some((key) => key.startsWith(columnsKey))
    ? Object.fromEntries(
        Object.entries(one).map(([key, own]) => [key.startsWith(columnsKey) ? key.slice(1) : key, own]),
      )
    : one

/** The records that were packed as columns. */
function recordsOf(columns: Readonly<Record<string, readonly unknown[]>>): readonly unknown[] {
  const [first = []] = Object.values(columns)
  const all = Object.entries(columns)
  return first.map((_, at) => Object.fromEntries(all.map(([field, column]) => [field, column[at]])))
}

/** The unpacked value. */
export function unpack<One>({ packed }: Packed<One>): One {
  return JSON.parse(JSON.stringify(packed), (_, one: unknown) => {
    if (isRecord(one)) return columnsKey in one ? recordsOf(Object(one[columnsKey])) : withOwnKeys(one)
    if (typeof one !== 'string') return one
    const rest = one.slice(1)
    if (one.startsWith(numbersSign)) return unpackNumbers(rest)
    if (one.startsWith(textsSign)) return unpackTexts(rest)
    return one.startsWith(plainSign) ? rest : one
  })
}

/** A table by its columns, each of texts of one kind. */
export interface TableColumns {
  readonly head: readonly string[]
  readonly columns: readonly (readonly string[])[]
}
