import { columnUnit, formatCount, formatInColumn, formatMs, formatNumber, formatTick } from '../../lib/format'
import type { Timeline } from '../../lib/run/run'
import { timeTicks } from './elapsed'
import type { PlotTable } from './plot-tables'
import { prepareHeat, type HeatPanel } from './timeline-heat'
import {
  integerTicks,
  linearTicks,
  logTicks,
  place,
  seriesStyle,
  type PlacedTick,
  type ScaleKind,
  type SeriesStyle,
} from './scale'

/** A line over the bins, 0…1 from bottom to top; null is a gap. */
export interface TimelineLine {
  readonly name: string
  readonly style: SeriesStyle
  readonly shares: readonly (number | null)[]
}

export interface TimelinePanel {
  readonly title: string
  readonly yTicks: readonly PlacedTick[]
  readonly lines: readonly TimelineLine[]
}

/** What the cursor reads: when a bin was, and a text for each name. */
export interface TimelineReadings {
  readonly names: readonly { readonly name: string; readonly color: string }[]
  /** Made where it is read. */
  read(bin: number): { readonly when: string; readonly texts: readonly string[] }
}

/** A run over time, three panels on one axis; everything is decided here, drawings only render it. */
export interface TimelinePlot {
  readonly binCount: number
  readonly xTicks: readonly PlacedTick[]
  /** First line: all requests; second: failed ones. Steps as wide as a bin. */
  readonly rate: TimelinePanel
  readonly latency: TimelinePanel
  readonly heat: HeatPanel | null
  readonly readings: TimelineReadings
  /** What a bin is, and which bins mislead. */
  readonly note: string
  /** Every bin in figures; made where it is shown. */
  table(): PlotTable
}

/** Above this ratio of the slowest to the fastest point a linear axis would press the median to the floor. */
const widestLinearRatio = 30

const latencyColumns = [
  ['p50', 'p50Ms'],
  ['p90', 'p90Ms'],
  ['p99', 'p99Ms'],
  ['slowest', 'maxMs'],
] as const

/** Prepares the panels of a run over time; null when it has no timeline. */
export function prepareTimeline(timeline: Timeline | null): TimelinePlot | null {
  if (timeline === null || timeline.requests.length === 0) return null
  const { binMs, requests } = timeline
  return {
    binCount: requests.length,
    xTicks: timeTicks(requests.length * binMs).map(({ ms, label }) => ({ at: ms / (requests.length * binMs), label })),
    rate: rateOf(timeline),
    latency: latencyOf(timeline),
    heat: prepareHeat(timeline),
    readings: readingsOf(timeline),
    note: noteOf(timeline),
    table: () => tableOf(timeline),
  }
}

const perSecond = (count: number, binMs: number): number => count / (binMs / 1_000)

function rateOf({ requests, errors, binMs }: Timeline): TimelinePanel {
  const ticks = integerTicks(Math.max(...requests.map((count) => perSecond(count, binMs))))
  const top = ticks.at(-1) ?? 1
  const shares = (counts: readonly number[]) => counts.map((count) => perSecond(count, binMs) / top)
  const all = { name: 'Requests/s', style: seriesStyle(0), shares: shares(requests) }
  const failed = { name: 'Failed/s', style: { ...seriesStyle(1), dash: '' }, shares: shares(errors) }
  return {
    title: errors.some((count) => count > 0) ? 'Requests and failures per second' : 'Requests per second, none failed',
    yTicks: ticks.map((value) => ({ at: value / top, label: formatTick(value) })),
    lines: errors.some((count) => count > 0) ? [all, failed] : [all],
  }
}

function latencyOf(timeline: Timeline): TimelinePanel {
  const values = latencyColumns.flatMap(([, key]) => timeline[key]).filter((ms): ms is number => ms !== null && ms > 0)
  const largestMs = Math.max(...values, 0)
  const smallestMs = Math.min(...values, largestMs)
  const unit = columnUnit('ms', [largestMs])
  const scale: ScaleKind = smallestMs > 0 && largestMs / smallestMs > widestLinearRatio ? 'log' : 'linear'
  const ticks =
    scale === 'log'
      ? logTicks(smallestMs, largestMs)
      : linearTicks(largestMs * unit.factor).map((tick) => tick / unit.factor)
  const domain = [ticks[0] ?? 0, ticks.at(-1) ?? largestMs] as const
  return {
    title: `Latency percentiles (${unit.label}${scale === 'log' ? ', log scale' : ''})`,
    yTicks: ticks.map((ms) => ({ at: place(ms, domain, scale), label: formatTick(ms * unit.factor) })),
    lines: latencyColumns.map(([name, key], index) => ({
      name,
      style: seriesStyle(index),
      shares: timeline[key].map((ms) => (ms === null ? null : place(ms, domain, scale))),
    })),
  }
}

/** `12 s` after the start, and the time of day where the form tells one. */
function whenOf({ startedAt, binMs }: Timeline, bin: number): string {
  const from = formatElapsed(bin * binMs)
  if (startedAt === null) return from
  const at = new Date(Date.parse(startedAt) + bin * binMs).toISOString()
  return `${from} (${at.slice(11, 19)} UTC)`
}

const formatElapsed = (ms: number): string => `${formatTick(ms / 1_000)}\u00a0s`

function readingsOf(timeline: Timeline): TimelineReadings {
  const { requests, errors, binMs } = timeline
  const rate = (count: number | undefined) => `${formatNumber(perSecond(count ?? 0, binMs))}/s`
  return {
    names: [
      { name: 'Requests', color: seriesStyle(0).color },
      { name: 'Failed', color: seriesStyle(1).color },
      ...latencyColumns.map(([name], index) => ({ name, color: seriesStyle(index).color })),
    ],
    read: (bin) => ({
      when: whenOf(timeline, bin),
      texts: [
        rate(requests[bin]),
        rate(errors[bin]),
        ...latencyColumns.map(([, key]) => formatMs(timeline[key][bin] ?? null)),
      ],
    }),
  }
}

function noteOf({ binMs, requests, startedAt }: Timeline): string {
  const width = formatElapsed(binMs)
  const start = startedAt === null ? 'the start' : `${startedAt.slice(11, 19)} UTC`
  const ends = requests.length > 1 ? ' The first and last bins are only partly covered, so their rates read low.' : ''
  return `Bins of ${width} from ${start}, by request start; percentiles of all requests, within 1.6 %.${ends}`
}

function tableOf(timeline: Timeline): PlotTable {
  const columns = [timeline.p50Ms, timeline.p90Ms, timeline.p95Ms, timeline.p99Ms, timeline.maxMs]
  const unit = columnUnit('ms', timeline.p99Ms)
  return {
    head: ['From', 'Requests', 'Failed', ...['p50', 'p90', 'p95', 'p99', 'Max'].map((n) => `${n} (${unit.label})`)],
    rows: timeline.requests.map((count, bin) => [
      whenOf(timeline, bin),
      formatCount(count),
      formatCount(timeline.errors[bin] ?? null),
      ...columns.map((column) => formatInColumn(column[bin] ?? null, 'ms', unit)),
    ]),
  }
}
