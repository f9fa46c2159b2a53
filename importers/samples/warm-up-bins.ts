import { findWarmUp, minWarmUpBins } from '../../lib/judge/warm-up'
import { median } from '../../lib/stats/robust'
import type { Milliseconds } from '../../lib/run/run'
import type { ResultSample } from './result-sample'

const maxBins = 100
/** Limit if not all results were kept. */
const maxThinnedBins = 50
const resultsPerBin = 25
/** Fewer locate the end too roughly. */
const minTimelineBins = 25
const minResults = 100

/** End of a run's warm-up, ns from its first request: 0 no warm-up, Infinity beyond the run's end. */
export interface WarmUpEnd {
  readonly endNs: number
}

interface Run {
  readonly sample: ResultSample
  /** All results, and the successful ones. */
  readonly count: number
  readonly successes: number
  /** When the first and the last request began. */
  readonly firstNs: number
  readonly lastNs: number
  /**
   * Medians by stretches of `widthNs` (the timeline's), the first of which began `aheadNs` before the first request.
   */
  readonly timeline: {
    readonly p50Ms: readonly (Milliseconds | null)[]
    readonly widthNs: number
    readonly aheadNs: number
  }
}

/**
 * The end of a run's warm-up by medians in 20 to 100 equal stretches of its time (lib/judge/warm-up.ts): of its results
 * if all were kept, of its timeline if that is fine enough, else of the kept results. Null: too few results.
 */
export function warmUpEnd({ sample, count, successes, firstNs, lastNs, timeline }: Run): WarmUpEnd | null {
  if (successes < minResults || lastNs <= firstNs) return null
  if (!sample.isWhole && timeline.p50Ms.length >= minTimelineBins) {
    const joined = timeline.p50Ms.length > maxBins ? joinPairs(timeline.p50Ms) : timeline.p50Ms
    const widthNs = timeline.widthNs * (joined === timeline.p50Ms ? 1 : 2)
    const end = endOf(joined, widthNs)
    return end === null || end.endNs === 0 ? end : { endNs: Math.max(0, end.endNs - timeline.aheadNs) }
  }
  const most = sample.isWhole ? maxBins : maxThinnedBins
  const bins = Math.min(most, Math.max(minWarmUpBins, Math.floor(count / resultsPerBin)))
  const widthNs = (lastNs - firstNs) / bins
  return endOf(
    mediansMs(sample, bins, (startNs) => Math.floor((startNs - firstNs) / widthNs)),
    widthNs,
  )
}

function endOf(levels: readonly (Milliseconds | null)[], widthNs: number): WarmUpEnd | null {
  const found = findWarmUp(levels)
  if (found === null) return null
  return { endNs: found.kind === 'none' ? 0 : found.kind === 'never' ? Infinity : found.endBins * widthNs }
}

/** The middle of two medians: no more is known. */
function joinPairs(levels: readonly (Milliseconds | null)[]): (Milliseconds | null)[] {
  return Array.from({ length: Math.ceil(levels.length / 2) }, (_, at) => {
    const pair = levels.slice(2 * at, 2 * at + 2).filter((level) => level !== null)
    return pair.length === 0 ? null : Math.sqrt((pair[0] ?? 0) * (pair.at(-1) ?? 0))
  })
}

/** Median latency of each bin; null: it is empty. */
function mediansMs(sample: ResultSample, bins: number, binOf: (startNs: number) => number): (number | null)[] {
  const latencies = Array.from({ length: bins }, (): number[] => [])
  sample.forEach(({ startNs, latencyNs }) => {
    latencies[Math.min(bins - 1, Math.max(0, binOf(startNs)))]?.push(latencyNs)
  })
  return latencies.map((values) => (values.length === 0 ? null : median(values) / 1e6))
}
