import { ChartFrame } from './chart-frame'
import { prepareHdrPlots, readableScale, type PlottedRun } from './hdr-plot'
import { packHdrPlots } from './packed-plots'
import { NothingToPlot } from './panel-parts'
import type { ScaleKind } from './scale'

interface Props {
  readonly runs: readonly PlottedRun[]
  readonly scale?: ScaleKind | undefined
  /** A limit that latencies should keep; null: none. */
  readonly limitMs?: number | null
  /** Why there is nothing to plot, where the caller knows better. */
  readonly reason?: string | undefined
}

const noPercentile = 'No percentiles printed, and no samples to compute them from.'

/** Percentile plot of 1–10 runs: static at first paint, interactive afterwards, or a sentence when nothing is known. */
export function HdrPlotPanel({ runs, scale, limitMs = null, reason = noPercentile }: Props) {
  const plots = prepareHdrPlots(runs, limitMs)
  if (!plots) return <NothingToPlot title="Latency by percentile" reason={reason} />
  const { linear, log } = plots
  const chosen = log ? (scale ?? readableScale(linear)) : 'linear'
  return (
    <div>
      <ChartFrame plots={packHdrPlots(linear, log)} initial={chosen} />
    </div>
  )
}
