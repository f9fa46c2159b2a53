import { formatTick } from '../../lib/format'
import type { Timeline } from '../../lib/run/run'
import { axisOver, latencyAxis } from './latency-axis'
import type { Axis, Panel, Plot, PlotTable, Prepared, Series } from './plot/model'
import { headingAt, readCell } from './plot/readings'
import { integerTicks, seriesStyle } from './plot/scale'
import type { PlottedRun } from './plotted-run'
import { binLine, elapsedAxis, middlesOf } from './timeline'

/** What the timelines of a comparison show of each. */
type SideTimeline = Pick<Timeline, 'binMs' | 'requests' | 'p99Ms'>

/** A run with its timeline, as a comparison takes it; its timeline null: it has none. */
export type TimedRun = Omit<PlottedRun, 'imported'> & { readonly timeline: SideTimeline | null }

/** All lines of a comparison together carry no more points. */
const maxPoints = 2_000
const linesOfRun = 2

interface Binned {
  readonly run: TimedRun
  /** Place of its side. */
  readonly side: number
  readonly ratePerSecond: readonly (number | null)[]
  readonly p99Ms: readonly (number | null)[]
}

/**
 * Prepares the timelines of two sides or more over the time since their own start, a cell a side, all on the same axes;
 * null where fewer than two runs have one.
 */
export function prepareTimelines(runs: readonly TimedRun[]): Prepared | null {
  const timed = runs.flatMap((run, at) =>
    run.timeline && run.timeline.requests.length > 0
      ? [{ run, timeline: run.timeline, side: run.styleIndex ?? at }]
      : [],
  )
  if (timed.length < 2) return null
  const binMs = commonBinMs(timed.map(({ timeline }) => timeline))
  const spanMs = Math.max(...timed.map(({ timeline }) => timeline.requests.length * timeline.binMs))
  const binCount = Math.ceil(spanMs / binMs)
  const binned = timed.map(({ run, side, timeline }) => ({ run, side, ...binnedTo(timeline, binMs) }))
  const rates = binned.flatMap((one) => one.ratePerSecond.map((rate) => rate ?? 0))
  const rateAxis = axisOver(integerTicks(Math.max(...rates)), formatTick)
  const latency = latencyAxis(binned.flatMap((one) => one.p99Ms.flatMap((ms) => ms ?? [])))
  const sides = [...new Set(binned.map(({ side }) => side))].map((side) => binned.filter((one) => one.side === side))
  const cells = sides.map((own, at) => cellOf(own, at))
  // A cell is named by its first series; those of its runs follow the cells.
  const runsOf = sides.flatMap((own) => own.map(lineSeriesOf))
  let next = cells.length
  const panels = sides.flatMap((own, cell): Panel[] => {
    const first = next
    next += own.length
    const panel = (title: string, y: Axis, key: 'ratePerSecond' | 'p99Ms') => ({
      title,
      label: `${cells[cell]?.name}: ${title}, over time`,
      y,
      marks: own.map((one, at) => binLine(one[key], first + at)),
      frame: 'cell' as const,
      cell,
    })
    return [
      { ...panel('Requests per second', rateAxis, 'ratePerSecond'), says: 'perSecond' },
      { ...panel(`p99 (${latency.words})`, latency, 'p99Ms'), says: 'ms', prefix: 'p99 ' },
    ]
  })
  const without = runs.filter((run) => timed.every((one) => one.run !== run)).map((run) => run.name)
  const isJoined = timed.some(({ timeline }) => timeline.binMs < binMs)
  const plot: Plot = {
    id: 'over-time',
    title: 'Over time, on one scale',
    x: elapsedAxis(binCount, binMs, spanMs),
    series: [...cells, ...runsOf],
    panels,
    places: middlesOf(binCount, binMs),
    heading: { kind: 'elapsed', binMs, startedAt: null },
    link: 'elapsed',
    isLate: true,
    note: noteOf(binMs, isJoined, without),
  }
  return { plot, table: () => tableOf(plot, cells) }
}

function cellOf(own: readonly Binned[], at: number): Series {
  const [first] = own
  const side = first?.run.side
  const name = side ? `${side.name} (${own.length} of ${side.size} runs)` : (first?.run.name ?? '')
  return { id: `cell-${at}`, name, style: seriesStyle(first?.side ?? at) }
}

const lineSeriesOf = ({ run, side }: Binned): Series => ({
  id: run.id,
  name: run.name,
  // The style of a cell is that of its side; repeats within are thin, not dashed.
  style: { ...seriesStyle(side), dash: '' },
  side: run.side,
})

function tableOf(plot: Plot, cells: readonly Series[]): PlotTable {
  return {
    head: ['From', ...cells.map(({ name }) => name)],
    rows: plot.places.map((x) => [headingAt(plot, x), ...cells.map((_, cell) => readCell(plot, cell, x))]),
  }
}

/** The widest bin of all, doubled until the lines of all runs carry few enough points. */
function commonBinMs(timelines: readonly SideTimeline[]): number {
  let binMs = Math.max(...timelines.map((timeline) => timeline.binMs))
  const points = () =>
    timelines.reduce((sum, { requests, binMs: own }) => sum + Math.ceil((requests.length * own) / binMs), 0) *
    linesOfRun
  while (points() > maxPoints) binMs *= 2
  return binMs
}

/** Bins joined: counts add; of percentiles, which do not, the highest is kept. */
function binnedTo(timeline: SideTimeline, binMs: number): Pick<Binned, 'ratePerSecond' | 'p99Ms'> {
  const factor = Math.max(1, Math.round(binMs / timeline.binMs))
  const groups = Array.from({ length: Math.ceil(timeline.requests.length / factor) }, (_, at) => at * factor)
  return {
    ratePerSecond: groups.map((from) => {
      const counts = timeline.requests.slice(from, from + factor)
      return counts.reduce((sum, count) => sum + count, 0) / ((counts.length * timeline.binMs) / 1_000)
    }),
    p99Ms: groups.map((from) => {
      const known = timeline.p99Ms.slice(from, from + factor).flatMap((ms) => ms ?? [])
      return known.length === 0 ? null : Math.max(...known)
    }),
  }
}

function noteOf(binMs: number, isJoined: boolean, without: readonly string[]): string {
  const width = `${formatTick(binMs / 1_000)}\u00a0s`
  const joined = isJoined ? ', showing the highest p99 of the finer bins' : ''
  const lacking = without.length > 0 ? ` No timeline: ${without.join(', ')}.` : ''
  return `Time since the start of each run, in bins of ${width}${joined}. The first and last bins are only partly covered.${lacking}`
}
