/** Series in this order, each with its own dash: colours are CSS variables, so they suit both themes. */
const seriesStyles = [
  { color: 'var(--series-1)', dash: '' },
  { color: 'var(--series-2)', dash: '6 3' },
  { color: 'var(--series-3)', dash: '2 2' },
  { color: 'var(--series-4)', dash: '8 3 2 3' },
  { color: 'var(--series-5)', dash: '1 3' },
  { color: 'var(--series-6)', dash: '10 4' },
  { color: 'var(--series-7)', dash: '4 4' },
] as const

/** `down` and `cross` mark judgements only. */
export type Marker = 'circle' | 'square' | 'diamond' | 'triangle' | 'down' | 'cross'
const markers: readonly Marker[] = ['circle', 'square', 'diamond', 'triangle']

export interface SeriesStyle {
  readonly color: string
  readonly dash: string
  readonly marker: Marker
}

/** The style of the series at this place; after the seventh, the palette repeats with another marker. */
export function seriesStyle(index: number): SeriesStyle {
  const style = seriesStyles[index % seriesStyles.length] ?? seriesStyles[0]
  return { ...style, marker: markers[index % markers.length] ?? 'circle' }
}

/** Round steps from 0 that reach `largest`: 4–6 ticks at 1, 2 or 5 times a power of ten. */
export function linearTicks(largest: number): readonly number[] {
  if (!(largest > 0)) return [0, 1]
  const rough = largest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999_999) ?? 10)
  const count = Math.ceil((largest / step) * 0.999_999)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/** As `linearTicks`, for counts: whole numbers only. */
export function integerTicks(largest: number): readonly number[] {
  const ticks = linearTicks(largest)
  if (ticks.every(Number.isInteger)) return ticks
  return Array.from({ length: Math.max(1, Math.ceil(largest)) + 1 }, (_, value) => value)
}

/** Powers of ten around the values, both > 0. */
export function logTicks(smallest: number, largest: number): readonly number[] {
  const from = Math.floor(Math.log10(smallest) + 1e-9)
  const to = Math.max(from + 1, Math.ceil(Math.log10(largest) - 1e-9))
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
}

export type ScaleKind = 'linear' | 'log'

/** Every number once, rising, and the rank of a number among these. */
export function rankOf(all: readonly number[]): { readonly places: readonly number[]; placeOf(one: number): number } {
  const places = [...new Set(all)].sort((a, b) => a - b)
  const byValue = new Map(places.map((one, at) => [one, at]))
  return { places, placeOf: (one) => byValue.get(one) ?? 0 }
}

/** Nine digits: fewer are drawn and read. */
export const short = (value: number): number => Number(value.toPrecision(9))

/** 0…1 along an axis; clamps values outside. */
export function place(value: number, domain: readonly [number, number], kind: ScaleKind): number {
  const [from, to] = domain
  const share =
    kind === 'log' ? Math.log(Math.max(value, from) / from) / Math.log(to / from) : (value - from) / (to - from)
  return Math.min(1, Math.max(0, share))
}

/** The value at a share of an axis. */
export function valueAt(share: number, [from, to]: readonly [number, number], kind: ScaleKind): number {
  return kind === 'log' ? from * (to / from) ** share : from + (to - from) * share
}
