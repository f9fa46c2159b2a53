import { compareUrl } from '@/lib/judge/compare-url'
import { changeSides } from './change-sides'
import {
  columnUnit,
  formatAxisDay,
  formatChange,
  formatDay,
  formatInColumn,
  formatMetric,
  formatPercent,
  formatTick,
  formatTime,
  missing,
  type ColumnUnit,
} from '@/lib/format'
import { changeWord } from '@/lib/levels/change'
import type { TrendPoint } from '@/lib/levels/points'
import type { Trend } from '@/lib/levels/trend'
import { changeWords, labelChanges, type LabelChange } from '@/lib/levels/label-changes'
import type { Annotation } from '@/lib/project/annotations'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import { shiftLine } from '@/lib/rules/rule-words'
import { limitsOfMetric, namedLimits, type MetricLimit, type NamedLimit } from '@/lib/run/limits'
import { isLatency, type Metric } from '@/lib/run/metrics'
import type { UtcIso } from '@/lib/run/run'
import { profileTitle, toolOfProfile } from '@/lib/history/series'
import { clipText } from '@/lib/text'
import { prepareLabelRules } from './axes/label-rules'
import { withoutOutliers } from './axes/outliers'
import { isNear, sideOf } from './limits'
import { ofLayers, type Layer, type LayerMark } from './layers'
import type { DotsMark, LineMark, Plot, PlotTable, Prepared, Rule, Series, Tick } from './plot/model'
import { linearTicks, logTicks, place, rankOf, seriesStyle, type ScaleKind } from './plot/scale'

/** Whether runs are placed by time or one after the other. */
export type TrendOrder = 'time' | 'runs'

/**
 * The part of a history that is drawn, both ends included; null: from the beginning, to the end. All of it is judged.
 */
export interface TrendSpan {
  readonly from: UtcIso | null
  readonly to: UtcIso | null
}

/** Something marked in a trend, such as an annotation. */
export type TrendEvent = Pick<Annotation, 'at' | 'text'> & { readonly kind: string }

export interface TrendOptions extends Partial<TrendSpan> {
  readonly order: TrendOrder
  readonly scale: ScaleKind
  readonly projectSlug: string
  /** Oldest first; absent: none. */
  readonly annotations?: readonly TrendEvent[]
  /** When environments moved; absent: not known. */
  readonly shifts?: readonly EnvironmentEvent[]
  /** Where labels changed, of all trends; absent: found here. */
  readonly labelChanges?: readonly LabelChange[]
  /** Of the rules that cover what is drawn; absent: none. */
  readonly limits?: readonly MetricLimit[]
  /** Id of its plot: a page may have more than one trend. Absent: `trend`. */
  readonly id?: string
  /** Drawn small, without a cursor. */
  readonly isSmall?: boolean
}

/** The parts of a trend that are drawn. */
export type DrawnTrend = Pick<Trend, 'profile' | 'metric' | 'points' | 'changes' | 'level'> &
  Partial<Pick<Trend, 'drift'>> & {
    /** Positions of points at which finer settings see a shift; absent: not looked for. */
    readonly faint?: readonly number[]
  }

type IsDrawn = (orderedAt: UtcIso) => boolean

/** Returns a test for points within a span. */
const isWithin =
  ({ from = null, to = null }: Partial<TrendSpan>): IsDrawn =>
  (at) =>
    (from === null || at >= from) && (to === null || at <= to)

/** A value of a line, ready to draw. */
export interface TrendValue {
  /** Share of the axis from the left, and of the other from below; `y` null: a gap. */
  readonly x: number
  readonly y: number | null
  /** Min and max of several runs. */
  readonly span: readonly [low: number, high: number] | null
  readonly text: string
  readonly note: string
  /** Empty: no link. */
  readonly href: string
  /** Its value is beyond the axis, and it is at the edge. Absent or null: it is on the axis. */
  readonly beyond?: 'above' | 'below' | null
}

/** Of all plots of the same runs on a page: they share their cursor. */
export const trendLink = 'trend'

/** Prepares the chart of one metric of one or more lines; null when none has a figure. */
export function prepareTrend(metric: Metric, trends: readonly DrawnTrend[], options: TrendOptions): Prepared | null {
  const isDrawn = isWithin(options)
  const drawn = trends.flatMap((trend) => trend.points.filter((point) => isDrawn(point.orderedAt)))
  const values = rangesOf(drawn)
  const positive = values.filter((value) => value > 0)
  if (values.length === 0) return null
  const isSmall = options.isSmall === true
  const scale = options.scale === 'log' && positive.length > 0 ? 'log' : 'linear'
  const limits = limitsOfMetric(namedLimits(options.limits ?? [], latenciesOf(metric, trends, isDrawn)), metric)
  const fitted =
    metric.unit === 'ratio' ? values : withoutOutliers(values, newestOf(trends), (largest) => smallSpan * largest)
  const ranges = trends.flatMap(({ level }) => level ?? [])
  const ticks = ticksBeside(metric, scale === 'log' ? positive : fitted, { limits, ranges }, scale)
  const domain = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const
  const y = (value: number) => place(value, domain, scale)
  const times = [...new Set(drawn.map((point) => point.orderedAt))].sort()
  const x = placesOf(times, options.order)
  const changes = (options.labelChanges ?? labelChanges(trends.map(({ points }) => points))).filter(({ at }) =>
    isDrawn(at),
  )
  const unit = columnUnit(metric.unit, values)
  const names = trendNames(trends)
  const show = (value: number) => (isSmall ? '' : formatInColumn(value, metric.unit, unit))
  const lines = trends.map((trend, at): TrendLine => ({
    series: { id: trend.profile.key, name: names[at] ?? '', style: seriesStyle(at) },
    values: trend.points
      .filter(({ orderedAt }) => isDrawn(orderedAt))
      .map((point) => ({
        x: x(point.orderedAt),
        ...atEdge(drawnFigure(point, y, show), point.value === null ? null : sideOf(point.value, domain)),
        ...(isSmall ? unread : linkOf(point, options.projectSlug)),
      })),
    level: levelOf(trend, times, x, y),
  }))
  const rules = [
    ...movedRules(trends, options, times, x),
    ...prepareLabelRules(changes, x),
    ...eventRules(options, times, x),
    ...faintRules(trends, names, { isDrawn, x }),
    ...changeRules(trends, names, { isDrawn, x, slug: options.projectSlug, isSmall }),
    ...limits.map((limit) => limitRule(limit, domain, y)),
  ]
  const plot = plotOf(lines, rules, {
    id: options.id ?? 'trend',
    title: `${metric.label}${unit.label ? `, ${unit.label}` : ''}`,
    yTicks: ticks.map((value) => ({
      at: y(value),
      label: tickLabel(metric, value, unit, value === ticks.at(-1)),
    })),
    xTicks: timeTicks(times, x, options.order),
    heading: { kind: 'times', times: byPlace(times.map((at) => [x(at), Date.parse(at)])) },
    isSmall,
    isBroken: scale === 'linear' && metric.unit !== 'ratio' && domain[0] > 0,
  })
  const notes = [
    ...annotationsWithin(options.annotations ?? [], times).map(({ at, kind, text }) => ({
      at,
      text: `${kind}: ${text}`,
    })),
    ...changes.map((one) => ({ at: one.at, text: changeWords(one) })),
  ]
  return { plot: { ...plot, note: noteOf(plot) }, table: () => tableOf(metric, trends, { times, notes, unit }) }
}

/** What the marks of a large trend mean, as far as it has them; null: nothing to explain. */
function noteOf({ panels }: Plot): string | null {
  const [panel] = panels
  if (panel?.frame !== 'trend') return null
  const notes = [
    ...(panel.marks.some((mark) => mark.kind === 'dots' && mark.isHollow)
      ? ['Hollow diamond: outside its range.']
      : []),
    ...(panel.rules?.some(({ kind }) => kind === 'faint')
      ? ['Dotted line: seen by finer settings only, not a change.']
      : []),
    ...(panel.rules ?? []).flatMap(({ kind, title }) => (kind === 'moved' ? [`Bar above: ${title}.`] : [])),
    ...(panel.y.isBroken === true ? ['The axis does not start at 0.'] : []),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

/** The newest value of each line is never beyond the axis. */
const newestOf = (trends: readonly DrawnTrend[]): readonly number[] =>
  trends.flatMap(({ points }) => rangesOf(points.slice(-1)))

/** A figure beyond the axis is at its edge. */
function atEdge(
  drawn: Pick<TrendValue, 'y' | 'span' | 'text'>,
  beyond: 'above' | 'below' | null,
): Pick<TrendValue, 'y' | 'span' | 'text' | 'beyond'> {
  const within = (share: number) => Math.min(1, Math.max(0, share))
  const { y, span } = drawn
  if (y === null) return drawn
  return { ...drawn, y: within(y), span: span && [within(span[0]), within(span[1])], beyond }
}

/** What the drawn values are, for timeouts that cut them. */
function* latenciesOf(metric: Metric, trends: readonly DrawnTrend[], isDrawn: IsDrawn) {
  if (!isLatency(metric)) return
  for (const { profile, points } of trends) {
    const tool = toolOfProfile(profile.name)
    if (tool === null) continue
    for (const { orderedAt, value } of points) if (isDrawn(orderedAt)) yield { tool, ms: value }
  }
}

/** Times the span of values from which their expected range is drawn whole. */
const wideFrom = 50

/** What is drawn beside values. */
interface Beside {
  readonly limits: readonly NamedLimit[]
  /** Expected ranges. */
  readonly ranges: readonly { readonly low: number; readonly high: number }[]
}

/** Ticks that reach the values, limits that would not press them flat, and ranges that would cover the whole plot. */
function ticksBeside(
  metric: Metric,
  values: readonly number[],
  { limits, ranges }: Beside,
  scale: ScaleKind,
): readonly number[] {
  if (scale === 'log') {
    const all = [...values, ...limits.flatMap(({ value }) => (value > 0 ? [value] : []))]
    return logTicks(Math.min(...all), Math.max(...all))
  }
  const own = fittedTicksOf(metric, values)
  const [from, to] = [own[0] ?? 0, own.at(-1) ?? 1]
  const near = limits.filter((one) => isNear(one, [from, to])).map(({ value }) => value)
  const span = Math.max(...values) - Math.min(...values)
  // Of values that hardly vary: others are read better without.
  const wide = ranges
    .filter(({ low, high }) => low <= from && high >= to && high - low > wideFrom * span)
    .flatMap(({ low, high }) => [low, high])
  return near.length + wide.length === 0 ? own : fittedTicksOf(metric, [...values, ...near, ...wide])
}

/** A limit as a rule across, at the edge of the axis if it is beyond. */
export function limitRule(
  { name, value }: NamedLimit,
  domain: readonly [number, number],
  y: (value: number) => number,
): Rule {
  const beyond = sideOf(value, domain)
  const at = beyond === null ? y(value) : beyond === 'above' ? 1 : 0
  const label = beyond === null ? name : `${name}, ${beyond} this scale`
  return { kind: 'limit', at, label, title: label, anchor: 'start' }
}

/** A line with the level that is drawn around it. */
export interface TrendLine {
  readonly series: Series
  /** Rising in x. */
  readonly values: readonly TrendValue[]
  /** The newest level, from an x on; null: none. */
  readonly level: { readonly x: number; readonly low: number; readonly high: number } | null
}

interface TrendParts extends Pick<Plot, 'id' | 'title' | 'heading'> {
  readonly yTicks: readonly Tick[]
  readonly xTicks: readonly Tick[]
  readonly isSmall: boolean
  /** The y axis does not start at 0. Absent: it does, or its ends say so. */
  readonly isBroken?: boolean
}

/** Divisions of a box in which places are counted: whole numbers are short. */
const unitsOf = (isSmall: boolean): number => (isSmall ? 1_000 : unitsAcross)
const unitsAcross = 100_000

/** The last item at each place of a large plot, given shares of its width. */
export const byPlace = <One>(all: readonly (readonly [share: number, one: One])[]): readonly One[] => [
  ...new Map(all.map(([share, one]) => [Math.round(share * unitsAcross), one])).values(),
]

/** With more dots than this, a line is drawn without them. */
const maxDots = 120

/**
 * The plot of lines whose values are shares of the axes; large, or small: fewer ticks, markers only for lone values.
 */
export function plotOf(lines: readonly TrendLine[], rules: readonly Rule[], parts: TrendParts): Plot {
  const { id, title, heading, isSmall, isBroken } = parts
  const units = unitsOf(isSmall)
  const scaled = (share: number) => Math.round(share * units)
  // The same in all sizes: plots of one page may share a cursor.
  const across = (share: number) => Math.round(share * unitsAcross)
  const { places, placeOf } = rankOf(lines.flatMap(({ values }) => values.map(({ x }) => across(x))))
  const ticks = (all: readonly Tick[], scale: Scaled) =>
    (isSmall ? all.filter((_, at) => at === 0 || at === all.length - 1) : all).map((tick) => ({
      ...tick,
      at: scale(tick.at),
    }))
  const xTicks = ticks(parts.xTicks, across)
  const { series, marks } = ofLayers(
    lines.map(({ series, level, values }): Layer => {
      const spans = values.filter(({ span }) => span !== null)
      const line = lineOf(values, { isSmall, at: (x) => placeOf(across(x)), scaled })
      const behind = [
        ...(level ? [bandOf(level, { across, scaled })] : []),
        ...(spans.length > 0 ? [spansOf(spans, { across, scaled })] : []),
      ]
      const outside = isSmall ? [] : outsideOf(values, level)
      const dots = dotsOf(line, behind.length, { isSmall, outside })
      const beyond = isSmall ? [] : beyondOf(values, { across, scaled })
      return { series, marks: [...behind, line, ...dots.filter(({ which }) => which.length > 0), ...beyond] }
    }),
  )
  return {
    id,
    title,
    x: {
      scale: 'linear',
      domain: [0, unitsAcross],
      ticks: xTicks.map((tick, at) => ({
        ...tick,
        anchor:
          at === 0 && tick.at === 0 ? 'start' : at === xTicks.length - 1 && tick.at === unitsAcross ? 'end' : undefined,
        isSpare: (xTicks.length > 3 && at > 0 && at < xTicks.length - 1) || undefined,
      })),
    },
    series,
    panels: [
      {
        label: title,
        y: { scale: 'linear', domain: [0, units], ticks: ticks(parts.yTicks, scaled), ...(isBroken && { isBroken }) },
        rules: rules.map((rule) => ({
          ...rule,
          at: rule.kind === 'limit' ? scaled(rule.at) : across(rule.at),
          ...(rule.until !== undefined && { until: across(rule.until) }),
        })),
        marks,
        says: 'count',
        frame: isSmall ? 'small' : 'trend',
      },
    ],
    places,
    heading: isSmall ? null : heading,
    legend: isSmall ? 'lines' : 'markers',
  }
}

type Scaled = (share: number) => number

/** From shares of each axis to its units. */
interface Scales {
  readonly across: Scaled
  readonly scaled: Scaled
}

const bandOf = ({ x, low, high }: NonNullable<TrendLine['level']>, { across, scaled }: Scales): LayerMark => {
  const ends = (share: number) => [scaled(share), scaled(share)]
  return { kind: 'band', x: [across(x), across(1)], low: ends(low), high: ends(high), opacity: 0.1 }
}

const spansOf = (values: readonly TrendValue[], { across, scaled }: Scales): LayerMark => ({
  kind: 'spans',
  x: values.map(({ x }) => across(x)),
  low: values.map(({ span }) => scaled(span?.[0] ?? 0)),
  high: values.map(({ span }) => scaled(span?.[1] ?? 0)),
})

function lineOf(
  values: readonly TrendValue[],
  { isSmall, at, scaled }: { readonly isSmall: boolean; at(x: number): number; readonly scaled: Scaled },
): Omit<LineMark, 'series'> {
  const line = { kind: 'line', at: values.map(({ x }) => at(x)), width: 1.75, reads: 'exact' } as const
  const y = values.map((one) => (one.y === null ? null : scaled(one.y)))
  if (isSmall) return { ...line, y }
  const hasNotes = values.some(({ note }) => note !== '')
  return {
    ...line,
    y,
    texts: values.map(({ text }) => text),
    ...(hasNotes && { notes: values.map(({ note }) => note) }),
    ...(values.some(({ href }) => href !== '') && { hrefs: values.map(({ href }) => href) }),
  }
}

/** The values that are beyond the axis, with an arrow there. */
const beyondOf = (values: readonly TrendValue[], { across, scaled }: Scales): readonly LayerMark[] =>
  values.flatMap(({ x, y, text, beyond = null }): LayerMark[] => {
    if (beyond === null || y === null) return []
    const words = `${beyond === 'above' ? '↑' : '↓'} ${text}`
    return [{ kind: 'label', x: across(x), y: scaled(y), text: words, more: '' }]
  })

/** Positions of the values of the newest level that lie outside of its expected range, as both are drawn, and of those beyond the axis. */
function outsideOf(values: readonly TrendValue[], level: TrendLine['level']): readonly number[] {
  return values.flatMap(({ x, y, beyond = null }, at) => {
    const isOut = level !== null && y !== null && x >= level.x && (y < level.low || y > level.high)
    return isOut || beyond !== null ? [at] : []
  })
}

interface DotsOf {
  readonly isSmall: boolean
  readonly outside: readonly number[]
}

/** Markers on all values of a short line, otherwise on lone values only; hollow diamonds on those outside. */
function dotsOf(
  { y }: Pick<LineMark, 'y'>,
  of: number,
  { isSmall, outside }: DotsOf,
): readonly Omit<DotsMark, 'series'>[] {
  const isThere = (at: number) => (y[at] ?? null) !== null
  const all = y.flatMap((_, at) => (isThere(at) ? [at] : []))
  const which = !isSmall && all.length <= maxDots ? all : all.filter((at) => !isThere(at - 1) && !isThere(at + 1))
  const inside = which.filter((at) => !outside.includes(at))
  return [
    { kind: 'dots', of, which: inside, isHollow: false, size: 0.75 },
    { kind: 'dots', of, which: outside, isHollow: true, size: 1, marker: 'diamond' },
  ]
}

/** Position and reading of a figure, of several runs with their range; a missing one is a gap in the line. */
export function drawnFigure(
  { value, low, high, runIds }: Pick<TrendPoint, 'value' | 'low' | 'high' | 'runIds'>,
  y: (value: number) => number,
  show: (value: number) => string,
): Pick<TrendValue, 'y' | 'span' | 'text'> {
  if (value === null || low === null || high === null) return { y: null, span: null, text: '' }
  if (runIds.length < 2) return { y: y(value), span: null, text: show(value) }
  const text = `${show(value)} (${show(low)}–${show(high)}, ${runIds.length} runs)`
  return { y: y(value), span: [y(low), y(high)], text }
}

const unread = { note: '', href: '' } as const

const linkOf = ({ runIds, labels }: TrendPoint, slug: string): Pick<TrendValue, 'note' | 'href'> => ({
  note: ['commit', 'version', 'build', 'branch'].flatMap((key) => labels[key] ?? []).join(' · '),
  href: `/p/${slug}/runs/${runIds.at(-1) ?? ''}`,
})

function levelOf(
  trend: DrawnTrend,
  times: readonly string[],
  x: Place,
  y: (value: number) => number,
): TrendLine['level'] {
  const { level } = trend
  const first = level === null ? undefined : trend.points[level.from]?.orderedAt
  const begin = times.find((time) => first !== undefined && time >= first)
  if (level === null || begin === undefined || level.high === level.low) return null
  // The expected range may reach beyond the values that are drawn.
  const within = (share: number) => Math.min(1, Math.max(0, share))
  return { x: x(begin), low: within(y(level.low)), high: within(y(level.high)) }
}

/** A tick in this unit, which only one tick of an axis names. */
export function tickLabel(metric: Metric, value: number, { label, factor }: ColumnUnit, isNamed: boolean): string {
  if (metric.unit === 'ratio') return formatPercent(value)
  const text = formatTick(value * factor)
  if (!isNamed || label === '') return text
  return label === '/s' ? `${text}/s` : `${text}\u00a0${label}`
}

/** Ticks of a linear axis. Shares are near 1 or 0 and are read as differences; everything else starts at 0. */
export function ticksOf(metric: Metric, values: readonly number[]): readonly number[] {
  const largest = Math.max(...values)
  if (metric.unit !== 'ratio') return linearTicks(largest)
  if (metric.direction !== 'higher-is-better') return linearTicks(Math.max(0.01, largest))
  const lost = linearTicks(Math.max(0.01, 1 - Math.min(...values)))
  return lost.map((share) => Number((1 - share).toPrecision(9))).reverse()
}

/** Values are near each other (a flat line from 0) if the min is above this share of the max. */
const narrowShare = 0.5
/** Height of a chart relative to its values, so that a change of 5 % is at least a fifth of it. */
const smallSpan = 0.15

/** Ticks of a trend: around the values if they are near each other, else from 0. */
export function fittedTicksOf(metric: Metric, values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (metric.unit === 'ratio' || low <= narrowShare * high) return ticksOf(metric, values)
  const spare = Math.max(0, smallSpan * high - (high - low)) / 2
  const [from, to] = [low - spare, high + spare]
  const [, step = 1] = linearTicks(to - from)
  const first = Math.floor(from / step + 1e-9)
  const count = Math.ceil(to / step - 1e-9) - first
  return Array.from({ length: count + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** Min and max of each point that has any. */
const rangesOf = (points: readonly TrendPoint[]): readonly number[] =>
  points.flatMap(({ low, high }) => (low === null ? [] : [low, high ?? low]))

/** The names of trends in a chart: with tool and load if a series has several load profiles. */
export function trendNames(trends: readonly DrawnTrend[]): readonly string[] {
  const withProfile = new Set(trends.map((trend) => trend.profile.series.id)).size < trends.length
  return trends.map((trend) => profileTitle(trend.profile, withProfile))
}

type Place = (orderedAt: string) => number

function placesOf(times: readonly string[], order: TrendOrder): Place {
  const first = Date.parse(times[0] ?? '')
  const span = Date.parse(times.at(-1) ?? '') - first
  if (order === 'time' && span > 0) return (at) => (Date.parse(at) - first) / span
  const rank = new Map(times.map((time, at) => [time, times.length > 1 ? at / (times.length - 1) : 0.5]))
  return (at) => rank.get(at) ?? 0.5
}

interface Within {
  readonly isDrawn: IsDrawn
  readonly x: Place
  readonly slug: string
  readonly isSmall: boolean
}

/** Where levels changed, with words if there is room. */
function changeRules(trends: readonly DrawnTrend[], names: readonly string[], within: Within): readonly Rule[] {
  const { isDrawn, x, slug, isSmall } = within
  const found = trends.flatMap((trend, line) => {
    const own = trend.changes.flatMap((one): Change[] => {
      const point = trend.points[one.at]
      // Words report a slow drift: marks of its single steps would contradict them.
      if (one.origin === 'drift' || point === undefined || !isDrawn(point.orderedAt)) return []
      const levels = `${formatMetric(one.before, trend.metric.unit)} to ${formatMetric(one.after, trend.metric.unit)}`
      const size = trend.metric.unit === 'ratio' ? levels : formatChange(one.effectRatio)
      const title = `${size} (${changeWord(one)}), from ${levels}, since ${formatDay(point.orderedAt)}`
      const href = compareUrl(slug, changeSides(trend, one), null)
      const label = `${trends.length > 1 ? `${names[line] ?? ''} ` : ''}${size}`
      const [at, { verdict }] = [x(point.orderedAt), one]
      return [{ size, rule: { kind: 'change', at, label, verdict, of: names[line] ?? '', title, href } }]
    })
    return isSmall && own.length > 2 ? own.map(({ size, rule }) => ({ size, rule: { ...rule, label: '' } })) : own
  })
  return besideEachOther(togetherAt(found))
}

/** Where the environment of a trend was another: from its first run there to its last. */
function movedRules(
  trends: readonly DrawnTrend[],
  { shifts = [] }: TrendOptions,
  times: readonly string[],
  x: Place,
): readonly Rule[] {
  return shifts.flatMap((shift): readonly Rule[] => {
    const isOf = trends.some(({ profile }) => profile.series.environment === shift.environment)
    const there = times.filter((time) => time >= shift.since && (shift.overSince === null || time < shift.overSince))
    const [first, last] = [there[0], there.at(-1)]
    if (!isOf || first === undefined || last === undefined) return []
    const [at, until] = [x(first), Math.max(x(last), x(first) + 0.004)]
    return [{ kind: 'moved', at, until, label: '', title: shiftLine(shift) }]
  })
}

/** What only finer settings see: lines without words. */
const faintRules = (
  trends: readonly DrawnTrend[],
  names: readonly string[],
  { isDrawn, x }: Pick<Within, 'isDrawn' | 'x'>,
): readonly Rule[] =>
  trends.flatMap(({ points, faint = [] }, line) =>
    faint.flatMap((at): Rule[] => {
      const { orderedAt } = points[at] ?? {}
      if (orderedAt === undefined || !isDrawn(orderedAt)) return []
      const title = `Seen by finer settings only, not a change: ${formatDay(orderedAt)}`
      return [{ kind: 'faint', at: x(orderedAt), label: '', title, of: names[line] ?? '' }]
    }),
  )

interface Change {
  readonly size: string
  readonly rule: Rule
}

/** Changes at one place share their words, which would overlap: `2 series: +25.2 %`. */
function togetherAt(changes: readonly Change[]): readonly Rule[] {
  return changes.map(({ rule }) => {
    const there = changes.filter((one) => one.rule.at === rule.at && one.rule.label !== '')
    if (there.length < 2 || rule.label === '') return rule
    const [first = rule] = [...there.filter((one) => one.rule.verdict === 'worse'), ...there].map((one) => one.rule)
    const sizes = [...new Set(there.map(({ size }) => size))]
    const label = `${there.length} series${sizes.length > 2 ? '' : `: ${sizes.join(', ')}`}`
    return { ...rule, label: rule === first ? label : '' }
  })
}

/** Nearer than this share of the width, two words centred above their marks would overlap. */
const nearMarks = 0.25

/** Words are above their mark, or beside it if they would leave the drawing or meet those of the next mark. */
export function besideEachOther(rules: readonly Rule[]): readonly Rule[] {
  const anchorOf = (x: number): Rule['anchor'] => {
    if (x > 0.85) return 'end'
    if (x < 0.1) return 'start'
    const nextIsNear = rules.some(({ at }) => at > x && at - x < nearMarks)
    const lastIsNear = rules.some(({ at }) => at < x && x - at < nearMarks)
    return nextIsNear === lastIsNear ? undefined : nextIsNear ? 'end' : 'start'
  }
  return rules.map((rule) => ({ ...rule, anchor: anchorOf(rule.at) }))
}

/** At most five dates, including the first and the last; none if every run has the same. */
export function timeTicks(times: readonly string[], x: Place, order: TrendOrder): readonly Tick[] {
  if (times.length === 0) return []
  const most = Math.min(5, times.length)
  const first = Date.parse(times[0] ?? '')
  const span = Date.parse(times.at(-1) ?? '') - first
  const sameDay = span < 86_400_000
  const sameYear = times[0]?.slice(0, 4) === times.at(-1)?.slice(0, 4)
  const day = sameYear ? formatAxisDay : formatDay
  const label = (at: string) => (span < 600_000 ? at.slice(11, 19) : sameDay ? at.slice(11, 16) : day(at))
  const chosen =
    order === 'time' && span > 0
      ? Array.from({ length: most }, (_, at) => new Date(first + (span * at) / (most - 1)).toISOString())
      : Array.from(
          { length: most },
          (_, at) => times[Math.round((at * (times.length - 1)) / Math.max(1, most - 1))] ?? missing,
        )
  const ticks = chosen.map((at) => ({ at: x(at), label: label(at) }))
  return ticks.filter((tick, at) => tick.label !== ticks[at - 1]?.label)
}

/** Annotations within the time of the points. */
function annotationsWithin(annotations: readonly TrendEvent[], times: readonly string[]): readonly TrendEvent[] {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return []
  return annotations.filter((one) => one.at >= first && one.at <= last)
}

const maxLabelLength = 24
/** More events have no words: these would cover each other. */
const maxLabelled = 8

/** Run by run, an annotation is placed before the first run after it. */
function eventRules(
  { annotations = [], order, isSmall }: TrendOptions,
  times: readonly string[],
  x: Place,
): readonly Rule[] {
  const shown = annotationsWithin(annotations, times)
  const hasWords = !isSmall && shown.length <= maxLabelled
  return shown.map(({ at, kind, text }) => {
    const right = x(order === 'runs' ? (times.find((time) => time >= at) ?? at) : at)
    const title = `${kind}: ${text}, ${formatTime(at)}`
    return {
      kind: 'event',
      at: right,
      label: hasWords ? clipText(text, maxLabelLength) : '',
      title,
      anchor: right > 0.8 ? 'end' : 'start',
    }
  })
}

interface Behind {
  readonly times: readonly string[]
  /** What happened between the runs. */
  readonly notes: readonly { readonly at: string; readonly text: string }[]
  readonly unit: ColumnUnit
}

/** The figures behind a trend's chart, newest first, with what happened between them. */
function tableOf(metric: Metric, trends: readonly DrawnTrend[], { times, notes, unit }: Behind): PlotTable {
  const byTime = trends.map(({ points }) => new Map(points.map((point) => [point.orderedAt, point.value])))
  const show = (value: number | null) => formatInColumn(value, metric.unit, unit)
  const rows = [
    ...times.map((at) => ({ at, cells: [formatTime(at), ...byTime.map((values) => show(values.get(at) ?? null))] })),
    ...notes.map(({ at, text }) => ({ at, cells: [formatTime(at), text, ...trends.slice(1).map(() => '')] })),
  ]
  rows.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return { head: ['When', ...trendNames(trends)], rows: rows.map((row) => row.cells) }
}
