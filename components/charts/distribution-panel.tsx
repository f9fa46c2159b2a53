import { leadingLatency } from '../../lib/run/figures'
import { barsOf, type Bar } from '../../lib/stats/histogram'
import { ChartFrame } from './chart-frame'
import { prepareEcdf } from './ecdf-plot'
import { histogramAxis, type HistogramAxis, type ScaleChoice } from './histogram-axis'
import type { PlottedRun } from './hdr-plot'
import { prepareLatencyHistogram } from './latency-histogram'
import { packEcdfPlot, packHistogramPlot } from './packed-plots'
import { NothingToPlot } from './panel-parts'
import { ViewLinks } from './view-links'
import styles from './chart-frame.module.css'

export type DistributionShape = 'histogram' | 'ecdf'

interface Props {
  readonly runs: readonly PlottedRun[]
  /** Null: the histogram where there is one. */
  readonly shape: DistributionShape | null
  readonly axis: ScaleChoice
  /** The address of another choice. */
  href(choice: { readonly shape?: DistributionShape; readonly axis?: 'linear' | 'log' }): string
}

const names = { histogram: 'Histogram', ecdf: 'Cumulative' } as const

/** Latencies of several runs on one scale: outlines of their histograms, or the share at or below each latency. */
export function DistributionPanel({ runs, shape: wanted, axis: wantedAxis, href }: Props) {
  const axis = sharedAxis(runs, wantedAxis)
  const histogram = axis && prepareLatencyHistogram(runs, { scale: wantedAxis, axis })
  // Whatever has a histogram adds up, too: the curves are made only where they are shown.
  const isCumulative = wanted === 'ecdf' || !histogram
  const plot = (isCumulative ? axis && prepareEcdf(runs, axis) : null) ?? histogram
  if (!plot)
    return <NothingToPlot title="Requests by latency" reason="No histogram, and at most one percentile printed." />
  const lacking = plot.kind === 'histogram' ? runs.filter(({ id }) => plot.series.every((one) => one.id !== id)) : []
  const notes = [
    ...(plot.note === null ? [] : [plot.note]),
    ...(lacking.length > 0 ? [`No histogram: ${lacking.map((run) => run.name).join(', ')}.`] : []),
  ]
  return (
    <div>
      <ChartFrame
        plots={plot.kind === 'ecdf' ? packEcdfPlot(plot) : packHistogramPlot(plot)}
        initial="linear"
        tools={
          <>
            {histogram && (
              <ViewLinks
                label="Shape"
                choices={(['histogram', 'ecdf'] as const).map((shape) => {
                  return { name: names[shape], href: href({ shape }), isChosen: plot.kind === shape }
                })}
              />
            )}
            <ViewLinks
              label="Latency axis"
              choices={(['linear', 'log'] as const).map((one) => {
                return {
                  name: one === 'log' ? 'Log' : 'Linear',
                  href: href({ axis: one }),
                  isChosen: plot.scale === one,
                }
              })}
            />
          </>
        }
      />
      {notes.length > 0 && <p className={styles.note}>{notes.join(' ')}</p>}
    </div>
  )
}

/** One axis for both shapes: it reaches over every histogram, and over what was printed of runs that have none. */
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
