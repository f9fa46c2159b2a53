import type { TrendOrder } from '@/components/charts/trend'

/** The first and the last of the runs that are shown, by position, both included. */
export type Span = readonly [from: number, to: number]

/** Moved by so many runs, as far as the history reaches. */
export function spanMoved([from, to]: Span, by: number, last: number): Span {
  const within = Math.min(last - to, Math.max(-from, by))
  return [from + within, to + within]
}

/** One end moved to a run; two runs are always shown. */
export function spanEndedAt([from, to]: Span, end: 'from' | 'to', at: number, last: number): Span {
  return end === 'from' ? [Math.max(0, Math.min(at, to - 1)), to] : [from, Math.min(last, Math.max(at, from + 1))]
}

/** Of the same size, with this run in its middle. */
export const spanAround = (span: Span, at: number, last: number): Span =>
  spanMoved(span, at - Math.round((span[0] + span[1]) / 2), last)

/** The runs within two times, ms since 1970; null: the history's end. At least two. */
export function spanWithin(times: readonly number[], from: number | null, to: number | null): Span {
  const last = times.length - 1
  const first = from === null ? 0 : times.findIndex((ms) => ms >= from)
  const end = to === null ? last : times.findLastIndex((ms) => ms <= to)
  const start = Math.max(0, Math.min(first < 0 ? last : first, last - 1))
  return [start, Math.max(start + 1, end)]
}

/** Where each run is, from the left, share of the width: as the chart of the whole history places it. */
export function sharesOf(times: readonly number[], order: TrendOrder): readonly number[] {
  const [first = 0, last = times.length - 1] = [times[0], times.at(-1)]
  if (order === 'time' && last > first) return times.map((ms) => (ms - first) / (last - first))
  return times.map((_, at) => at / Math.max(1, times.length - 1))
}

/** The position of the share that is nearest. */
export const nearestShare = (shares: readonly number[], wanted: number): number =>
  shares.reduce((best, share, at) => (Math.abs(share - wanted) < Math.abs((shares[best] ?? 0) - wanted) ? at : best), 0)

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
}

/** What is moved: the whole part, or one of its ends. */
export type Grip = 'part' | 'from' | 'to'

/** The part after a key; null: the key does not move it. */
export function spanAfterKey(span: Span, grip: Grip, key: string, last: number): Span | null {
  const step = steps[key]
  if (step === undefined) return null
  if (grip === 'part') return spanMoved(span, step, last)
  return spanEndedAt(span, grip, span[grip === 'from' ? 0 : 1] + step, last)
}
