/** What a number counts: numbers of one dimension can share an axis. */
export type Dimension = 'time' | 'size' | 'rate' | 'count'

/** A number with its unit as written in a label or a name. */
export interface Quantity {
  readonly value: number
  /** As written, without the number: `kb`, `MB`, `rps`; empty: none. */
  readonly unit: string
  readonly dimension: Dimension
  /** In ms, bytes, per second or as counted. Decimal prefixes are powers of 1 000, `Ki` and `Mi` powers of 1 024. */
  readonly base: number
}

type UnitRow = readonly [names: readonly string[], dimension: Dimension, factor: number]

const unitTable: readonly UnitRow[] = [
  [['ns'], 'time', 1e-6],
  [['us', 'µs', 'μs'], 'time', 1e-3],
  [['ms', 'msec', 'millisecond', 'milliseconds'], 'time', 1],
  [['s', 'sec', 'secs', 'second', 'seconds'], 'time', 1e3],
  [['m', 'min', 'mins', 'minute', 'minutes'], 'time', 60e3],
  [['h', 'hour', 'hours'], 'time', 3_600e3],
  [['b', 'byte', 'bytes'], 'size', 1],
  [['kb', 'kbyte', 'kbytes'], 'size', 1e3],
  [['mb', 'mbyte', 'mbytes'], 'size', 1e6],
  [['gb', 'gbyte', 'gbytes'], 'size', 1e9],
  [['kib'], 'size', 1_024],
  [['mib'], 'size', 1_024 ** 2],
  [['gib'], 'size', 1_024 ** 3],
  [['rps', 'qps', 'tps', '/s', 'req/s', 'reqs/s', 'requests/s', 'r/s', 'per second'], 'rate', 1],
  [['k', 'thousand'], 'count', 1e3],
  [['', 'vus', 'vu', 'users', 'connections', 'conns', 'threads', 'cores', 'vcpu', 'vcpus', 'cpus'], 'count', 1],
  [['instances', 'containers', 'nodes', 'pods', 'clients', 'workers', 'requests', 'items'], 'count', 1],
]
const units = new Map(
  unitTable.flatMap(([names, dimension, factor]) => names.map((name) => [name, { dimension, factor }] as const)),
)

/**
 * Digits, perhaps with a fraction; adjacent to a word, a dot, a slash or another number they are a version, date or id.
 */
const numberPattern = /(?<![\p{L}\d._/:#]|\d-)\d{1,12}(?:\.\d{1,6})?(?![\d.-]?\d)/gu
const unitPattern = /^ ?([\p{L}/]{1,12})?(?![\p{L}\d/])/u

/** Position of a quantity in a text, 0-based, the end exclusive. */
export interface PlacedQuantity extends Quantity {
  readonly from: number
  readonly to: number
}

/**
 * The quantities in a name, in order: `60s 400rps` has two. A word after the number that is not a unit is not included.
 */
export function quantitiesIn(text: string): readonly PlacedQuantity[] {
  return [...text.matchAll(numberPattern)].flatMap((match): PlacedQuantity[] => {
    const from = match.index
    const end = from + match[0].length
    const word = unitPattern.exec(text.slice(end, end + 14))
    const written = word?.[1] ?? ''
    const known = units.get(written.toLowerCase())
    // `8xlarge` is not a quantity; in `3 apples` only the number is.
    if (known === undefined && !text.startsWith(' ', end)) return []
    const unit = known === undefined ? '' : written
    const { dimension, factor } = known ?? { dimension: 'count', factor: 1 }
    const value = Number(match[0])
    const to = unit === '' ? end : end + (word?.[0].length ?? 0)
    return [{ value, unit, dimension, base: value * factor, from, to }]
  })
}

/** The quantity that makes up the whole text: `250kb`, `512 MB`, `20`; null for anything else (`1 CPU / 2 GB`). */
export function readQuantity(text: string): Quantity | null {
  const trimmed = text.trim()
  const [first, ...more] = quantitiesIn(trimmed)
  if (first === undefined || more.length > 0 || first.from !== 0 || first.to !== trimmed.length) return null
  const { value, unit, dimension, base } = first
  return { value, unit, dimension, base }
}

/** The name with `…` for each of these quantities: `250kb payload` and `300kb payload` become one name. */
export function withoutQuantities(name: string, quantities: readonly Quantity[]): string {
  const isOne = (placed: Quantity) =>
    quantities.some(({ dimension, base }) => dimension === placed.dimension && base === placed.base)
  return quantitiesIn(name)
    .filter(isOne)
    .toReversed()
    .reduce((text, { from, to }) => `${text.slice(0, from)}…${text.slice(to)}`, name)
}
