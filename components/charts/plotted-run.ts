import type { JudgedState } from '../../lib/run/judged-states'
import { samplesOf } from '../../lib/stats/sampled-run'
import type { RunFigures } from '../../lib/run/metrics'
import type { ImportedRun, Latency } from '../../lib/run/run'
import type { Tool } from '../../lib/run/tools'
import { fanRunOf } from './fan'
import { seriesStyle, type SeriesStyle } from './plot/scale'
import type { Series } from './plot/model'
import { stateStyle } from './plot/state-style'

/** A run in the form that plots take. */
export interface PlottedRun {
  readonly id: string
  readonly name: string
  /** Position of its side, if repeats of one side share a style; absent: its own position. */
  readonly styleIndex?: number | undefined
  /** The side that it repeats a run of, and how many runs that has; absent: it repeats none. */
  readonly side?: { readonly name: string; readonly size: number } | undefined
  /** Absent: that of its place. */
  readonly style?: SeriesStyle | undefined
  readonly imported: Pick<ImportedRun, 'latencies' | 'tool' | 'requests'>
}

/** A run as the series at this place. */
export const seriesOf = (
  { id, name, side, style, styleIndex }: Omit<PlottedRun, 'imported'>,
  index: number,
): Series => ({
  id,
  name,
  side,
  style: style ?? seriesStyle(styleIndex ?? index),
})

/** The run that a plot is about in the colour of its state, and others beside it in grey, each with its marker. */
export function ledBy(state: JudgedState | null, [lead, ...others]: readonly PlottedRun[]): readonly PlottedRun[] {
  if (lead === undefined || others.length === 0) return lead === undefined ? [] : [lead]
  const { color, marker } = stateStyle(state)
  const grey = others.map((one, at) => ({ ...one, style: { ...seriesStyle(at + 1), color: 'var(--median)' } }))
  return [{ ...lead, style: { color, marker, dash: '' } }, ...grey]
}

/** A run with figures only, in the form that plots take: percentiles as printed. */
export function plottedFigures(
  run: { readonly id: string; readonly tool: Tool },
  figures: RunFigures,
  name: string,
): PlottedRun {
  const { id, tool, quantiles } = fanRunOf({ ...run, figures })
  const { requests, minMs, meanMs, stdDevMs, maxMs } = figures
  const known = { minMs, meanMs, stdDevMs, maxMs, quantiles }
  const latency: Latency = {
    ...known,
    of: 'all',
    count: samplesOf({ figures }),
    withinOneStdDevRatio: null,
    histogram: null,
    origin: 'summary',
    method: 'as-reported',
  }
  return { id, name, imported: { latencies: [latency], tool, requests } }
}
