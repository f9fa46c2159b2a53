import { columnUnit, formatCount, formatDuration, formatInColumn, formatTick } from '../../lib/format'
import { percentiles } from '../../lib/run/metrics'
import type { RunWarmUp, Timeline } from '../../lib/run/run'
import { minAbove, neededCount } from '../../lib/stats/quantile'
import { prepareHeat } from './heat'
import { axisOver, latencyAxis } from './plot/latency-axis'
import type { Axis, BarsMark, LineMark, Panel, PlotTable, Prepared, Rule, Series } from './plot/model'
import { elapsedWords } from './plot/readings'
import { integerTicks, seriesStyle, short } from './plot/scale'
import { timeTicks } from './axes/time-ticks'

const drawn = [
  ['p50', 'p50Ms'],
  ['p90', 'p90Ms'],
  ['p99', 'p99Ms'],
  ['max', 'maxMs'],
] as const

type Column = 'p50Ms' | 'p90Ms' | 'p95Ms' | 'p99Ms' | 'maxMs'
const quantileOf = (column: Column) => percentiles.find(({ key }) => key === column)?.q ?? null

/** A percentile of each bin, a gap where fewer than 10 of the bin's requests would be slower; the max of every bin. */
export function supportedColumn(
  timeline: Pick<Timeline, 'requests' | Exclude<Column, 'maxMs'>> & Partial<Pick<Timeline, 'maxMs'>>,
  key: Column,
): readonly (number | null)[] {
  const q = quantileOf(key)
  const column = timeline[key] ?? []
  return q === null ? column : column.map((ms, bin) => ((timeline.requests[bin] ?? 0) < neededCount(q) ? null : ms))
}
const series = [
  { id: 'rate', name: 'Requests/s', readAs: 'Requests', style: seriesStyle(0) },
  { id: 'failed', name: 'Failed/s', readAs: 'Failed', style: { ...seriesStyle(1), dash: '' } },
  ...drawn.map(([name], at) => ({ id: name, name, style: seriesStyle(at) })),
]
const firstPercentile = 2
const latencyPanel = 1
/** Only its shade is drawn. */
export const warmUpSeries: Series = {
  id: 'warm-up',
  name: 'Warm-up',
  style: { color: 'var(--muted)', dash: '', marker: 'circle' },
}

/** A part of a run that a user selected, ms since its first bin began. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Prepares rate, latency and heat map of a run over time, three panels on one axis; null when it has no timeline.
 * `range`: only the bins that it touches.
 */
export function prepareTimeline(timeline: Timeline | null, range: TimeRange | null = null): Prepared | null {
  if (timeline === null || timeline.requests.length === 0) return null
  const { part, fromMs } = partOf(timeline, range)
  const { binMs, requests, startedAt } = part
  const heat = prepareHeat(part)
  const shade = within(shadeOf(timeline), fromMs, fromMs + requests.length * binMs)
  const panels = [rateOf(part, fromMs), latencyOf(part), ...(heat ? [heat] : [])]
  return {
    plot: {
      id: 'over-time',
      title: 'Over time',
      x: elapsedAxis(requests.length, binMs, requests.length * binMs, fromMs),
      series: shade === null ? series : [...series, warmUpSeries],
      // The shade is labelled at the latencies: they are what settles, and there is room beside the line.
      panels: shade === null ? panels : panels.map((panel, at) => shaded(panel, shade, at === latencyPanel)),
      places: middlesOf(requests.length, binMs).map((ms) => fromMs + ms),
      heading: {
        kind: 'elapsed',
        binMs,
        startedAt,
        ...(shade?.part === 'warm-up' && { warmUpUntilMs: shade.untilMs }),
      },
      link: 'elapsed',
      note:
        noteOf(part, part === timeline) +
        (heat ? ' Darker cells have more requests.' : '') +
        (shade ? ` ${shade.note}` : ''),
    },
    table: () => tableOf(part, fromMs, shade),
  }
}

/** Prepares the heat map of a run alone; null when it has none. */
export function prepareHeatMap(timeline: Timeline | null): Prepared | null {
  const prepared = prepareTimeline(timeline)
  if (prepared === null) return null
  const { plot } = prepared
  const [panel] = plot.panels.filter(({ marks }) => marks.some(({ kind }) => kind === 'cells'))
  if (panel === undefined) return null
  const { title = '', ...rest } = panel
  const note = 'Darker cells have more requests.'
  return { ...prepared, plot: { ...plot, id: 'heat', title, panels: [{ ...rest, frame: 'trend' }], note } }
}

/**
 * The bins that a range touches, whole columns of the heat map; all of them if it leaves out nothing or everything.
 */
function partOf(timeline: Timeline, range: TimeRange | null): { readonly part: Timeline; readonly fromMs: number } {
  const { binMs, requests, heat } = timeline
  const all = { part: timeline, fromMs: 0 }
  const every = Math.max(1, Math.round(heat.binMs / binMs))
  if (range === null || !(range.toMs > range.fromMs)) return all
  const first = Math.max(0, Math.floor(range.fromMs / (every * binMs)))
  const last = Math.min(Math.ceil(requests.length / every), Math.ceil(range.toMs / (every * binMs)))
  const within = <One>(column: readonly One[]) => column.slice(first * every, last * every)
  const isAll = first === 0 && last * every >= requests.length
  if (isAll || within(requests).length < 2) return all
  const { errors, p50Ms, p90Ms, p95Ms, p99Ms, maxMs } = timeline
  const part = {
    ...timeline,
    ...{ requests: within(requests), errors: within(errors), p50Ms: within(p50Ms), p90Ms: within(p90Ms) },
    ...{ p95Ms: within(p95Ms), p99Ms: within(p99Ms), maxMs: within(maxMs) },
    heat: { ...heat, counts: heat.counts.map((band) => band.slice(first, last)) },
  }
  return { part, fromMs: first * every * binMs }
}

/** The time since the start, over this many bins. */
export const elapsedAxis = (binCount: number, binMs: number, spanMs = binCount * binMs, fromMs = 0): Axis => ({
  scale: 'linear',
  domain: [fromMs, fromMs + binCount * binMs],
  ticks: timeTicks(spanMs, fromMs).map(({ ms, label }) => ({ at: ms, label })),
})

/** Positions of the lines' points and of the cursor. */
export const middlesOf = (binCount: number, binMs: number): readonly number[] =>
  Array.from({ length: binCount }, (_, bin) => (bin + 0.5) * binMs)

const perSecond = (count: number, binMs: number): number => short(count / (binMs / 1_000))

/** As wide as the bins: a count holds for its whole bin. */
function rateOf({ requests, errors, binMs }: Timeline, fromMs: number): Panel {
  const isFailing = errors.some((count) => count > 0)
  const title = isFailing ? 'Requests and failures per second' : 'Requests per second, none failed'
  const steps = (counts: readonly number[], at: number, look: BarsMark['look']): BarsMark => ({
    kind: 'bars',
    series: at,
    from: counts.map((_, bin) => fromMs + bin * binMs),
    to: counts.map((_, bin) => (bin < counts.length - 1 ? null : fromMs + counts.length * binMs)),
    y: counts.map((count) => perSecond(count, binMs)),
    look,
    width: 1.5,
    opacity: 0.18,
  })
  return {
    title,
    label: `${title}, over time`,
    y: axisOver(integerTicks(Math.max(...requests.map((count) => perSecond(count, binMs)))), formatTick),
    marks: [steps(requests, 0, 'outline'), steps(errors, 1, isFailing ? 'outline' : 'none')],
    says: 'perSecond',
    frame: 'low',
  }
}

function latencyOf(timeline: Timeline): Panel {
  const y = latencyAxis(drawn.flatMap(([, key]) => supportedColumn(timeline, key).flatMap((ms) => ms ?? [])))
  const title = `Latency percentiles (${y.words})`
  return {
    title,
    label: `${title}, over time`,
    y,
    marks: drawn.map(([, key], at) => binLine(supportedColumn(timeline, key), firstPercentile + at)),
    says: 'ms',
    frame: 'middle',
  }
}

/** A line through the middles of the bins that have a value. */
export const binLine = (y: readonly (number | null)[], at: number): LineMark => {
  return { kind: 'line', series: at, at: y.map((_, bin) => bin), y, width: 1.75, isRound: true, reads: 'exact' }
}

/** The part of a timeline that is not steady. */
export interface Shade {
  /** From the start of the first bin on; the end of the last where the run never became steady. */
  readonly untilMs: number
  /** Absent: from the first bin on. */
  readonly fromMs?: number
  /** Its name in the table. */
  readonly part: string
  readonly rule: Rule
  readonly note: string
}

/** The part of a timeline that is not steady; null: there is none, or nothing is known. */
export function shadeOf({ warmUp, binMs, requests }: Pick<Timeline, 'warmUp' | 'binMs' | 'requests'>): Shade | null {
  if (warmUp === null || warmUp.endMs === 0) return null
  const rule = (at: number, label: string, title: string): Rule => ({ kind: 'label', at, label, title })
  if (warmUp.endMs === null) {
    const label = 'Never steady: it still changes at the end'
    return {
      untilMs: requests.length * binMs,
      part: 'not steady',
      rule: rule(0, label, label),
      note: 'Shaded: the run never became steady.',
    }
  }
  const untilMs = Math.min(requests.length * binMs, aheadMs(warmUp, binMs) + warmUp.endMs)
  const label = `Warm-up until ${warmUpWords(warmUp.endMs)}`
  const title = `${label} after the first request`
  return { untilMs, part: 'warm-up', rule: rule(untilMs, label, title), note: `Shaded: the w${title.slice(1)}.` }
}

/** How long before the first request the first bin began: the steady part begins with a bin. 0 if that is not known. */
function aheadMs({ steady }: RunWarmUp, binMs: number): number {
  const binNs = Math.round(binMs * 1e6)
  return steady === null ? 0 : ((binNs - (Math.round(steady.fromMs * 1e6) % binNs)) % binNs) / 1e6
}

/** The length of a warm-up, to the two digits that its end is known to: `4.2 s`, `2 min`. */
export const warmUpWords = (endMs: number): string =>
  endMs < 90_000 ? `${formatTick(Number((endMs / 1_000).toPrecision(2)))}\u00a0s` : formatDuration(endMs)

/** The part of a shade between two moments; null: none. */
function within(shade: Shade | null, fromMs: number, toMs: number): Shade | null {
  if (shade === null || shade.untilMs <= fromMs) return null
  const { rule, untilMs } = shade
  const at = Math.min(toMs, Math.max(fromMs, rule.at))
  return { ...shade, fromMs, untilMs: Math.min(toMs, untilMs), rule: { ...rule, at } }
}

/** A panel with the warm-up behind its marks; `at`: place of its series. `hasWords`: its rule is labelled here. */
export function shaded(
  panel: Panel,
  { fromMs = 0, untilMs, rule }: Shade,
  hasWords: boolean,
  at = series.length,
): Panel {
  const [low, high] = panel.y.domain
  const band = {
    kind: 'band',
    series: at,
    x: [fromMs, untilMs],
    low: [low, low],
    high: [high, high],
    opacity: 0.12,
  } as const
  return {
    ...panel,
    ...(hasWords && { label: `${panel.label ?? ''}. ${rule.title}` }),
    marks: [band, ...panel.marks],
    rules: [...(panel.rules ?? []), hasWords ? rule : { ...rule, label: '' }],
  }
}

function noteOf(timeline: Timeline, isWhole: boolean): string {
  const { binMs, requests, startedAt } = timeline
  const start = startedAt === null ? 'the start' : `${startedAt.slice(11, 19)} UTC`
  const ends =
    isWhole && requests.length > 1 ? ' The first and last bins are only partly covered, so their rates read low.' : ''
  const lead = `Bins of ${elapsedWords(binMs, null)} from ${start}, by request start; percentiles of all requests, within 1.6 %.`
  return `${lead}${gapWords(timeline)}${ends}`
}

/** What the gaps of percentiles mean, naming percentiles with gaps; empty: there are none. */
function gapWords(timeline: Timeline): string {
  const lacking = drawn.flatMap(([name, key]) => {
    const q = quantileOf(key)
    const hasGap = q !== null && timeline.requests.some((count) => count > 0 && count < neededCount(q))
    return hasGap ? [`${name} from ${formatCount(neededCount(q))}`] : []
  })
  return lacking.length === 0 ? '' : ` ${needWords(lacking)}`
}

/** How many requests a bin needs to show each percentile. */
export const needWords = (needs: readonly string[]): string =>
  `A gap: fewer than ${minAbove} requests of the bin would be slower (${needs.join(', ')} a bin).`

function tableOf(timeline: Timeline, fromMs: number, shade: Shade | null): PlotTable {
  const keys = ['p50Ms', 'p90Ms', 'p95Ms', 'p99Ms', 'maxMs'] as const
  const columns = keys.map((key) => supportedColumn(timeline, key))
  const unit = columnUnit('ms', columns.findLast((column) => column.some((ms) => ms !== null)) ?? [])
  return {
    head: [
      'From',
      'Requests',
      'Failed',
      ...['p50', 'p90', 'p95', 'p99', 'Max'].map((n) => `${n} (${unit.label})`),
      ...(shade ? ['Part'] : []),
    ],
    rows: timeline.requests.map((count, bin) => [
      elapsedWords(fromMs + bin * timeline.binMs, timeline.startedAt),
      formatCount(count),
      formatCount(timeline.errors[bin] ?? null),
      ...columns.map((column) => formatInColumn(column[bin] ?? null, 'ms', unit)),
      ...(shade ? [fromMs + bin * timeline.binMs < shade.untilMs ? shade.part : 'steady'] : []),
    ]),
  }
}
