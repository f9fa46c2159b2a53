import type { Annotation } from '@/lib/project/annotations'
import {
  columnUnit,
  formatChange,
  formatDate,
  formatInColumn,
  formatMetric,
  formatPercent,
  formatTick,
  formatTime,
  missing,
} from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import type { UtcIso } from '@/lib/run/run'
import type { TrendPoint } from '@/lib/detect/trend'
import { lineName } from '@/lib/run/series'
import type { JudgedTrend } from '@/lib/detect/judged-trend'
import { labelChanges, prepareLabelMarks, type LabelChange, type LabelMark } from './label-marks'
import { linearTicks, logTicks, place, seriesStyle, type ScaleKind, type SeriesStyle } from './scale'

/** Whether runs stand at their time or one after the other. */
export type TrendOrder = 'time' | 'runs'

/** Places are shares of the plot's box: x from the left, y from the top. */
export interface TrendDot {
  readonly x: number
  readonly y: number
  /** Least and greatest of the point's runs, where it has several. */
  readonly spread: readonly [number, number] | null
  readonly value: string
  readonly when: string
  /** Its time; null where x is something else. */
  readonly at: UtcIso | null
  readonly note: string
  /** Its run; null: not to be reached from here. */
  readonly href: string | null
}

export interface TrendMark {
  readonly x: number
  readonly label: string
  readonly verdict: 'better' | 'worse' | 'changed'
  readonly title: string
  /** What shows it; null: not to be reached from here. */
  readonly href: string | null
}

export interface TrendLine {
  readonly key: string
  readonly name: string
  readonly style: SeriesStyle
  readonly dots: readonly TrendDot[]
  /** Runs of dots without a gap between them: positions in `dots`. */
  readonly stretches: readonly (readonly number[])[]
  readonly band: { readonly x: number; readonly top: number; readonly bottom: number; readonly middle: number } | null
  readonly marks: readonly TrendMark[]
}

export interface TrendPlot {
  readonly title: string
  readonly lines: readonly TrendLine[]
  readonly yTicks: readonly { readonly y: number; readonly label: string }[]
  readonly xTicks: readonly { readonly x: number; readonly label: string }[]
  /** What happened outside of the runs, within the time that is shown; absent: nothing is known. */
  readonly annotations?: readonly { readonly x: number; readonly label: string; readonly title: string }[]
  /** Where labels such as the version of runs changed; absent: nothing is known. */
  readonly labelMarks?: readonly LabelMark[]
}

/** The part of a history that is drawn, both ends included; null: from the beginning, to the end. All of it is judged. */
export interface TrendSpan {
  readonly from: UtcIso | null
  readonly to: UtcIso | null
}

export interface TrendOptions extends Partial<TrendSpan> {
  readonly order: TrendOrder
  readonly scale: ScaleKind
  readonly projectSlug: string
  /** Oldest first; absent: none. */
  readonly annotations?: readonly Annotation[]
  /** Where labels changed, of all trends; absent: they are looked for. */
  readonly labelChanges?: readonly LabelChange[]
  /** Drawn small, where no dot is read: their texts are empty and they lead nowhere. */
  readonly isSmall?: boolean
}

/** What of a trend is drawn. */
export type DrawnTrend = Pick<JudgedTrend, 'line' | 'metric' | 'points' | 'changes' | 'level'> &
  Partial<Pick<JudgedTrend, 'drift'>>

type IsDrawn = (orderedAt: UtcIso) => boolean

/** Tells the points that a span leaves. */
export const isWithin =
  ({ from = null, to = null }: Partial<TrendSpan>): IsDrawn =>
  (at) =>
    (from === null || at >= from) && (to === null || at <= to)

/** Prepares the chart of one metric of one or more lines; null when none has a figure. */
export function prepareTrendPlot(
  metric: Metric,
  trends: readonly DrawnTrend[],
  options: TrendOptions,
): TrendPlot | null {
  const isDrawn = isWithin(options)
  const drawn = trends.flatMap((trend) => trend.points.filter((point) => isDrawn(point.orderedAt)))
  const values = rangesOf(drawn)
  const positive = values.filter((value) => value > 0)
  if (values.length === 0) return null
  const scale = options.scale === 'log' && positive.length > 0 ? 'log' : 'linear'
  const ticks = scale === 'log' ? logTicks(Math.min(...positive), Math.max(...positive)) : ticksOf(metric, values)
  const domain = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const
  const y = (value: number) => 1 - place(value, domain, scale)
  const times = [...new Set(drawn.map((point) => point.orderedAt))].sort()
  const x = placesOf(times, options.order)
  const allChanges = options.labelChanges ?? labelChanges(trends.map((trend) => trend.points))
  const changes = allChanges.filter((one) => isDrawn(one.at))
  const unit = columnUnit(metric.unit, values)
  const names = trendNames(trends)
  const show = (value: number | null) => formatInColumn(value, metric.unit, unit)
  return {
    title: `${metric.label}${unit.label ? `, ${unit.label}` : ''}`,
    lines: trends.map((trend, at) => ({
      key: trend.line.key,
      name: names[at] ?? '',
      style: seriesStyle(at),
      ...dotsOf(trend, isDrawn, x, y, options.isSmall === true ? null : readingOf(show, options.projectSlug)),
      band: bandOf(trend, times, x, y),
      marks: marksOf(trend, isDrawn, x, options.projectSlug, trends.length > 1 ? `${names[at] ?? ''} ` : ''),
    })),
    yTicks: ticks.map((value) => ({
      y: y(value),
      label: tickLabel(metric, value * unit.factor, value === ticks.at(-1) ? unit.label : ''),
    })),
    xTicks: timeTicks(times, x, options.order),
    annotations: annotationMarks(options.annotations ?? [], times, x, options.order),
    labelMarks: prepareLabelMarks(changes, x),
  }
}

/** The topmost tick carries the unit. */
function tickLabel(metric: Metric, value: number, unit: string): string {
  if (metric.unit === 'ratio') return formatPercent(value)
  return unit === '' ? formatTick(value) : `${formatTick(value)}${unit === '/s' ? '' : '\u00a0'}${unit}`
}

/** Ticks of a linear axis. Shares are near 1 or 0 and are read as differences; everything else starts at 0. */
export function ticksOf(metric: Metric, values: readonly number[]): readonly number[] {
  const largest = Math.max(...values)
  if (metric.unit !== 'ratio') return linearTicks(largest)
  if (metric.direction !== 'higher-is-better') return linearTicks(Math.max(0.01, largest))
  const lost = linearTicks(Math.max(0.01, 1 - Math.min(...values)))
  return lost.map((share) => Number((1 - share).toPrecision(9))).reverse()
}

/** The least and the greatest value of each point that has any. */
export const rangesOf = (points: readonly TrendPoint[]): readonly number[] =>
  points.flatMap(({ low, high }) => (low === null ? [] : [low, high ?? low]))

/** The names of trends in a chart: with tool and load where a series has several lines. */
export function trendNames(trends: readonly DrawnTrend[]): readonly string[] {
  const withProfile = new Set(trends.map((trend) => trend.line.series.id)).size < trends.length
  return trends.map((trend) => lineName(trend.line, withProfile))
}

type Place = (orderedAt: string) => number
type Show = (value: number | null) => string

function placesOf(times: readonly string[], order: TrendOrder): Place {
  const first = Date.parse(times[0] ?? '')
  const span = Date.parse(times.at(-1) ?? '') - first
  if (order === 'time' && span > 0) return (at) => (Date.parse(at) - first) / span
  const rank = new Map(times.map((time, at) => [time, times.length > 1 ? at / (times.length - 1) : 0.5]))
  return (at) => rank.get(at) ?? 0.5
}

/** What is read of a dot, beside its place. */
type Reading = (point: TrendPoint) => Pick<TrendDot, 'value' | 'when' | 'note' | 'href'>

const readingOf =
  (show: Show, slug: string): Reading =>
  ({ runIds, orderedAt, labels, value, low, high }) => ({
    value: runIds.length > 1 ? `${show(value)} (${show(low)}–${show(high)}, ${runIds.length} runs)` : show(value),
    when: formatTime(orderedAt),
    note: ['commit', 'version', 'build', 'branch'].flatMap((key) => labels[key] ?? []).join(' · '),
    href: `/p/${slug}/runs/${runIds.at(-1) ?? ''}`,
  })
const notRead: ReturnType<Reading> = { value: '', when: '', note: '', href: null }

function dotsOf(trend: DrawnTrend, isDrawn: IsDrawn, x: Place, y: (value: number) => number, read: Reading | null) {
  const dots: TrendDot[] = []
  const stretches: number[][] = [[]]
  for (const point of trend.points.filter((one) => isDrawn(one.orderedAt))) {
    const { value, low, high } = point
    if (value === null || low === null || high === null) {
      if ((stretches.at(-1)?.length ?? 0) > 0) stretches.push([])
      continue
    }
    stretches.at(-1)?.push(dots.length)
    dots.push({
      x: x(point.orderedAt),
      y: y(value),
      spread: point.runIds.length > 1 ? [y(high), y(low)] : null,
      at: point.orderedAt,
      ...(read?.(point) ?? notRead),
    })
  }
  return { dots, stretches: stretches.filter((stretch) => stretch.length > 0) }
}

function bandOf(
  trend: DrawnTrend,
  times: readonly string[],
  x: Place,
  y: (value: number) => number,
): TrendLine['band'] {
  const { level } = trend
  const first = level === null ? undefined : trend.points[level.from]?.orderedAt
  const begin = times.find((time) => first !== undefined && time >= first)
  if (level === null || begin === undefined || level.high === level.low) return null
  return { x: x(begin), top: y(level.high), bottom: y(level.low), middle: y(level.value) }
}

function marksOf(trend: DrawnTrend, isDrawn: IsDrawn, x: Place, slug: string, whose: string): readonly TrendMark[] {
  // Where a line crept, words say so: marks of single steps there would say otherwise.
  const lastStep = trend.drift?.from ?? Infinity
  return trend.changes.flatMap((one) => {
    if (one.at > lastStep) return []
    const point = trend.points[one.at]
    if (point === undefined || !isDrawn(point.orderedAt)) return []
    const levels = `${formatMetric(one.before, trend.metric.unit)} to ${formatMetric(one.after, trend.metric.unit)}`
    const size = one.before > 0 ? formatChange(one.after / one.before - 1) : levels
    const title = `${size} (${one.verdict}), from ${levels}, since ${formatDate(point.orderedAt)}`
    const href = `/p/${slug}/compare/${one.beforeRunId}...${one.afterRunId}`
    return [{ x: x(point.orderedAt), label: `${whose}${size}`, verdict: one.verdict, title, href }]
  })
}

/** At most five dates, the first and last among them; none where every run has the same. */
function timeTicks(times: readonly string[], x: Place, order: TrendOrder): TrendPlot['xTicks'] {
  if (times.length === 0) return []
  const most = Math.min(5, times.length)
  const first = Date.parse(times[0] ?? '')
  const span = Date.parse(times.at(-1) ?? '') - first
  const sameDay = span < 86_400_000
  const label = (at: string) => (span < 600_000 ? at.slice(11, 19) : sameDay ? at.slice(11, 16) : formatDate(at))
  const chosen =
    order === 'time' && span > 0
      ? Array.from({ length: most }, (_, at) => new Date(first + (span * at) / (most - 1)).toISOString())
      : Array.from(
          { length: most },
          (_, at) => times[Math.round((at * (times.length - 1)) / Math.max(1, most - 1))] ?? missing,
        )
  const ticks = chosen.map((at) => ({ x: x(at), label: label(at) }))
  return ticks.filter((tick, at) => tick.label !== ticks[at - 1]?.label)
}

/** Those within the time of the points. */
export function annotationsWithin(annotations: readonly Annotation[], times: readonly string[]): readonly Annotation[] {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return []
  return annotations.filter((one) => one.at >= first && one.at <= last)
}

const longestLabel = 24

/** Run by run, an annotation stands before the first run after it. */
function annotationMarks(
  annotations: readonly Annotation[],
  times: readonly string[],
  x: Place,
  order: TrendOrder,
): NonNullable<TrendPlot['annotations']> {
  return annotationsWithin(annotations, times).map(({ at, kind, text }) => {
    const next = order === 'runs' ? (times.find((time) => time >= at) ?? at) : at
    const label = text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text
    return { x: x(next), label, title: `${kind}: ${text}, ${formatTime(at)}` }
  })
}
