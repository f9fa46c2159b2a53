import type { Metric } from '@/lib/run/metrics'
import type { Plot } from './plot/model'
import { prepareTrend, type DrawnTrend, type TrendOrder } from './trend'

/** The whole history of some lines, low and without words, to choose a part of it. */
export interface TrendMap {
  readonly plot: Plot
  /** Of its runs, ms since 1970, each time once, rising. */
  readonly times: readonly number[]
}

/** A shorter history is read without a map. */
const minTimes = 10

/** Prepares the map of a trend: its lines and the changes of its levels; null: it is too short for one. */
export function prepareTrendMap(
  metric: Metric,
  trends: readonly DrawnTrend[],
  { order, projectSlug }: { readonly order: TrendOrder; readonly projectSlug: string },
): TrendMap | null {
  const times = [...new Set(trends.flatMap(({ points }) => points.map(({ orderedAt }) => orderedAt)))].sort()
  const options = { order, projectSlug, scale: 'linear', labelChanges: [], id: 'trend-map', isSmall: true } as const
  const plot = times.length < minTimes ? undefined : prepareTrend(metric, trends, options)?.plot
  if (plot === undefined) return null
  const panels = plot.panels.map((panel) => ({
    ...panel,
    y: { ...panel.y, ticks: [], isBroken: false },
    rules: (panel.rules ?? []).map((rule) => ({ ...rule, label: '', href: null })),
    marks: panel.marks.flatMap((mark) => (mark.kind === 'line' ? [{ ...mark, width: 1 }] : [])),
    frame: 'map' as const,
  }))
  return { plot: { ...plot, x: { ...plot.x, ticks: [] }, panels }, times: times.map((at) => Date.parse(at)) }
}
