import type { Timeline } from '../../lib/run/run'

/** Numbers between spaces; nothing between two is a gap. */
const column = (values: readonly (number | null)[]): string => values.map((value) => value ?? '').join(' ')
const gapped = (text: string): readonly (number | null)[] =>
  text.split(' ').map((value) => (value === '' ? null : Number(value)))
const whole = (text: string): readonly number[] => text.split(' ').map(Number)

/** Most bands are empty most of the time: a zero is nothing between two spaces. */
const sparse = (counts: readonly number[]): string => column(counts.map((count) => (count === 0 ? null : count)))

/** What the timelines of a comparison show of each. */
export type SideTimeline = Pick<Timeline, 'binMs' | 'requests' | 'p99Ms'>
/** A timeline of a comparison as it is sent: its columns as text. */
export type PackedSide = readonly [binMs: number, requests: string, p99Ms: string]

/** Packs a timeline of a comparison. */
export const packSide = ({ binMs, requests, p99Ms }: SideTimeline): PackedSide => [
  binMs,
  column(requests),
  column(p99Ms),
]

/** The timeline as it was. */
export const unpackSide = ([binMs, requests, p99Ms]: PackedSide): SideTimeline => {
  return { binMs, requests: whole(requests), p99Ms: gapped(p99Ms) }
}

const percentiles = ['p50Ms', 'p90Ms', 'p95Ms', 'p99Ms', 'maxMs'] as const

/** The timeline of a run as it is sent: an eighth of what its drawings, readings and table are together. */
export interface PackedTimeline {
  readonly startedAt: Timeline['startedAt']
  readonly binMs: number
  readonly requests: string
  readonly errors: string
  /** p50, p90, p95, p99, slowest. */
  readonly percentiles: readonly string[]
  readonly heat: { readonly binMs: number; readonly lowerMs: string; readonly counts: readonly string[] }
}

/** Packs the timeline of a run; it has a bin at least. */
export function packTimeline(timeline: Timeline): PackedTimeline {
  const { startedAt, binMs, requests, errors, heat } = timeline
  return {
    startedAt,
    binMs,
    requests: column(requests),
    errors: sparse(errors),
    percentiles: percentiles.map((key) => column(timeline[key])),
    heat: { binMs: heat.binMs, lowerMs: column(heat.lowerMs), counts: heat.counts.map(sparse) },
  }
}

/** The timeline as it was. */
export function unpackTimeline({ startedAt, binMs, requests, errors, percentiles, heat }: PackedTimeline): Timeline {
  const [p50Ms = [], p90Ms = [], p95Ms = [], p99Ms = [], maxMs = []] = percentiles.map(gapped)
  return {
    startedAt,
    binMs,
    requests: whole(requests),
    errors: whole(errors),
    ...{ p50Ms, p90Ms, p95Ms, p99Ms, maxMs },
    heat: {
      binMs: heat.binMs,
      lowerMs: heat.lowerMs === '' ? [] : whole(heat.lowerMs),
      counts: heat.counts.map((row) => (row === '' ? [] : whole(row))),
    },
  }
}
