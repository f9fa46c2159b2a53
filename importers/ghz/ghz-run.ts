import type { ErrorCount, Latency, LatencyHistogram, Measure, Milliseconds, Quantile, Warning } from '../../lib/run/run'
import { latencyOf } from '../latency-of'

/**
 * The figures that ghz prints for a run, whatever the form. Its mean is of all calls, the others of those that were OK.
 */
export interface GhzFigures {
  readonly count: number | null
  readonly meanMs: Milliseconds | null
  readonly minMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  readonly quantiles: readonly Quantile[]
  /** Bounds as printed, rising, each with the number of calls up to it (and above the previous one). */
  readonly marks: readonly { readonly ms: Milliseconds; readonly count: number }[]
  /** gRPC's names of statuses → calls. */
  readonly statuses: Readonly<Record<string, number>>
}

export const okStatus = 'OK'

/** Calls with the status OK; null: no statuses are printed. */
export function okCount(statuses: Readonly<Record<string, number>>): number | null {
  return Object.keys(statuses).length === 0 ? null : (statuses[okStatus] ?? 0)
}

/** If some calls failed, the mean is of other calls than the rest, so they are separate. */
export function printedLatencies(figures: GhzFigures): Latency[] {
  const { count, meanMs, statuses, marks } = figures
  // With --count-errors all figures are of all calls, so the histogram contains them all.
  const counted = marks.reduce((sum, mark) => sum + mark.count, 0)
  const ok = counted === count ? count : okCount(statuses)
  const mean = (at: number | null): Latency =>
    latencyOf({
      count: at,
      meanMs,
      method: 'nearest-rank',
    })
  const rest = {
    minMs: figures.minMs,
    maxMs: figures.maxMs,
    quantiles: figures.quantiles,
    histogram: histogramOf(marks),
  }
  if (ok === null || ok === count) return meanMs === null ? [] : [{ ...mean(count), ...rest }]
  const whole = meanMs === null ? [] : [mean(count)]
  // Without an OK call the others are 0: absence, not speed.
  return ok === 0 ? whole : [...whole, { ...mean(ok), of: 'success', meanMs: null, ...rest }]
}

/** Null: no buckets, or bounds that do not rise. If all calls took the same time, they are in one bucket. */
function histogramOf(all: GhzFigures['marks']): LatencyHistogram | null {
  const marks = all.filter(({ ms, count }, at) => at === 0 || count > 0 || ms > (all[at - 1]?.ms ?? 0))
  if (marks.length === 0 || marks.some(({ ms }, at) => at > 0 && ms <= (marks[at - 1]?.ms ?? 0))) return null
  return {
    kind: 'buckets',
    inclusive: 'upper',
    // The first bound is the min.
    buckets: marks.map(({ ms, count }, at) => ({ lowerMs: marks[at - 1]?.ms ?? ms, upperMs: ms, count })),
  }
}

/** gRPC's statuses are not HTTP codes, so they are separate figures. */
export const listStatuses = (statuses: Readonly<Record<string, number>>, line: number | null): Measure[] =>
  Object.entries(statuses).map(([name, value]) => ({ name: `status-${name}`, value, unit: null, line }))

/** Messages and their counts, most frequent first. */
export const listErrors = (errors: Readonly<Record<string, number>>): ErrorCount[] =>
  Object.entries(errors)
    .map(([message, count]) => ({ message, count }))
    .sort((a, b) => b.count - a.count)

/** The warning about printed figures when some calls failed. */
export function warnOfMeans(figures: GhzFigures, line: number | null): Warning[] {
  if (printedLatencies(figures).length < 2) return []
  return [
    {
      code: 'mean-of-all',
      message: 'ghz averages over all calls; min, max, percentiles and histogram are of the OK ones.',
      line,
    },
  ]
}
