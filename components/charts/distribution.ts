import { leadingLatency } from '../../lib/run/figures'
import { barsOf, type Bar } from '../../lib/stats/histogram'
import { prepareEcdf } from './ecdf'
import { prepareHistogram } from './histogram'
import { histogramAxis, type HistogramAxis, type ScaleChoice } from './axes/histogram-axis'
import type { Prepared } from './plot/model'
import type { PlottedRun } from './plotted-run'

/** Shown when neither is known. */
export const noDistribution = {
  title: 'Requests by latency',
  reason: 'No histogram, and at most one percentile printed.',
} as const

export type DistributionShape = 'histogram' | 'ecdf'

/** Latencies of several runs in the requested shape, if it is known. */
export interface PreparedDistribution extends Prepared {
  readonly shape: DistributionShape
  /** Whether there is a histogram to choose. */
  readonly hasHistogram: boolean
}

/**
 * Latencies of several runs on one scale: outlines of their histograms, or the share at or below each latency. `wanted`
 * null: the histogram if there is one. Null: no run has either.
 */
export function prepareDistribution(
  runs: readonly PlottedRun[],
  wanted: DistributionShape | null,
  wantedAxis: ScaleChoice,
): PreparedDistribution | null {
  const axis = sharedAxis(runs, wantedAxis)
  const histogram = axis && prepareHistogram(runs, { scale: wantedAxis, axis })
  const hasHistogram = histogram !== null
  // Every run with a histogram has a cumulative curve, too: curves are made only when they are shown.
  const ecdf = axis && (wanted === 'ecdf' || !hasHistogram) ? prepareEcdf(runs, axis) : null
  if (ecdf) return { ...ecdf, shape: 'ecdf', hasHistogram }
  if (!histogram) return null
  const { plot } = histogram
  const lacking = runs.filter(({ id }) => plot.series.every((one) => one.id !== id)).map(({ name }) => name)
  const notes = [plot.note, lacking.length > 0 ? `No histogram: ${lacking.join(', ')}.` : null]
  const note = notes.filter((one) => one !== null).join(' ')
  return { ...histogram, plot: { ...plot, note: note === '' ? null : note }, shape: 'histogram', hasHistogram }
}

/** One axis for both shapes: it covers every histogram, and the printed values of runs without one. */
function sharedAxis(runs: readonly PlottedRun[], wanted: ScaleChoice): HistogramAxis | null {
  const bars = runs.flatMap((run): readonly Bar[] => {
    const latency = leadingLatency(run.imported)
    if (!latency) return []
    const total = latency.count ?? 1_000
    if (latency.histogram) return barsOf(latency.histogram, 'log', 120)
    const ends = [
      ...(latency.minMs === null ? [] : [{ q: 0, ms: latency.minMs }]),
      ...latency.quantiles.filter(({ q }) => q > 0 && q < 1),
      ...(latency.maxMs === null ? [] : [{ q: 1, ms: latency.maxMs }]),
    ]
    return ends.slice(1).map(({ q, ms }, at) => {
      const before = ends[at] ?? { q, ms }
      return { lowerMs: before.ms, upperMs: ms, count: (q - before.q) * total }
    })
  })
  return histogramAxis(bars, wanted)
}
