import { formatCount, formatTick } from '../../lib/format'
import type { Timeline } from '../../lib/run/run'
import { neededCount } from '../../lib/stats/quantile'
import { axisOver, latencyAxis } from './plot/latency-axis'
import type { Axis, Panel, Plot, PlotTable, Prepared, Series } from './plot/model'
import { headingAt, readCell } from './plot/readings'
import { integerTicks, seriesStyle } from './plot/scale'
import type { PlottedRun } from './plotted-run'
import {
  binLine,
  elapsedAxis,
  middlesOf,
  needWords,
  shaded,
  shadeOf,
  supportedColumn,
  warmUpSeries,
  type Shade,
} from './timeline'

/** The parts of a timeline that a comparison shows. */
type SideTimeline = Pick<Timeline, 'binMs' | 'requests' | 'p50Ms' | 'p90Ms' | 'p95Ms' | 'p99Ms' | 'warmUp'>

/** All show the same percentile: the highest that most bins have enough requests for. */
const choices = [
  { name: 'p99', key: 'p99Ms', q: 0.99 },
  { name: 'p95', key: 'p95Ms', q: 0.95 },
  { name: 'p90', key: 'p90Ms', q: 0.9 },
  { name: 'p50', key: 'p50Ms', q: 0.5 },
] as const
type Choice = (typeof choices)[number]

/** A run with its timeline, for a comparison; timeline null: it has none. */
export type TimedRun = Omit<PlottedRun, 'imported'> & { readonly timeline: SideTimeline | null }

/** All lines of a comparison together have at most this many points. */
const maxPoints = 2_000
const linesOfRun = 2

interface Binned {
  readonly run: TimedRun
  /** Position of its side. */
  readonly side: number
  readonly ratePerSecond: readonly (number | null)[]
  readonly latencyMs: readonly (number | null)[]
  /** Null: it was always steady, or nothing is known. */
  readonly shade: Shade | null
}

/**
 * Prepares the timelines of two or more sides over the time since their own start, a cell per side, all on the same
 * axes; null if fewer than two runs have one.
 */
export function prepareTimelines(runs: readonly TimedRun[]): Prepared | null {
  const timed = runs.flatMap((run, at) =>
    run.timeline && run.timeline.requests.length > 0
      ? [{ run, timeline: run.timeline, side: run.styleIndex ?? at }]
      : [],
  )
  if (timed.length < 2) return null
  const timelines = timed.map(({ timeline }) => timeline)
  const binMs = commonBinMs(timelines)
  const spanMs = Math.max(...timelines.map((timeline) => timeline.requests.length * timeline.binMs))
  const binCount = Math.ceil(spanMs / binMs)
  const chosen = choiceOf(timelines)
  const binned = timed.map(({ run, side, timeline }): Binned => {
    return { run, side, shade: shadeOf(timeline), ...binnedTo(timeline, binMs, chosen) }
  })
  const sides = [...new Set(binned.map(({ side }) => side))].map((side) => binned.filter((one) => one.side === side))
  const cells = sides.map((own, at) => cellOf(own, at))
  const isShaded = binned.some(({ shade }) => shade !== null)
  const plot: Plot = {
    id: 'over-time',
    title: 'Over time, on one scale',
    x: elapsedAxis(binCount, binMs, spanMs),
    // A cell is named by its first series; those of its runs follow the cells.
    series: [...cells, ...sides.flat().map(lineSeriesOf), ...(isShaded ? [warmUpSeries] : [])],
    panels: panelsOf(sides, cells, chosen),
    places: middlesOf(binCount, binMs),
    heading: { kind: 'elapsed', binMs, startedAt: null },
    link: 'elapsed',
    isLate: true,
    note: noteOf(binMs, {
      isJoined: timelines.some((timeline) => timeline.binMs < binMs),
      without: runs.filter((run) => timed.every((one) => one.run !== run)).map((run) => run.name),
      chosen,
      isShaded,
      hasGap: timelines.some((timeline) => gapsOf(timeline, chosen) > 0),
    }),
  }
  return { plot, table: () => tableOf(plot, cells) }
}

/** Two panels a side, rate and latency, all on the same axes. */
function panelsOf(sides: readonly (readonly Binned[])[], cells: readonly Series[], { name }: Choice): readonly Panel[] {
  const binned = sides.flat()
  const rates = binned.flatMap((one) => one.ratePerSecond.map((rate) => rate ?? 0))
  const rateAxis = axisOver(integerTicks(Math.max(...rates)), formatTick)
  const latency = latencyAxis(binned.flatMap((one) => one.latencyMs.flatMap((ms) => ms ?? [])))
  const warmUpAt = cells.length + binned.length
  return sides.flatMap((own, cell): Panel[] => {
    const shade = latestShade(own)
    const panel = (title: string, y: Axis, key: 'ratePerSecond' | 'latencyMs') => ({
      title,
      label: `${cells[cell]?.name}: ${title}, over time`,
      y,
      marks: own.map((one) => binLine(one[key], cells.length + binned.indexOf(one))),
      frame: 'cell' as const,
      cell,
    })
    const rate: Panel = { ...panel('Requests per second', rateAxis, 'ratePerSecond'), says: 'perSecond' }
    const percentile: Panel = {
      ...panel(`${name} (${latency.words})`, latency, 'latencyMs'),
      says: 'ms',
      prefix: `${name} `,
    }
    return shade === null
      ? [rate, percentile]
      : [shaded(rate, shade, false, warmUpAt), shaded(percentile, shade, true, warmUpAt)]
  })
}

/** Of the runs of a side, the shade of the one that gets steady last. */
const latestShade = (own: readonly Binned[]): Shade | null =>
  own
    .flatMap(({ shade }) => shade ?? [])
    .reduce<Shade | null>((latest, one) => {
      return latest === null || one.untilMs > latest.untilMs ? one : latest
    }, null)

function cellOf(own: readonly Binned[], at: number): Series {
  const [first] = own
  const side = first?.run.side
  const name = side ? `${side.name} (${own.length} of ${side.size} runs)` : (first?.run.name ?? '')
  return { id: `cell-${at}`, name, style: seriesStyle(first?.side ?? at) }
}

const lineSeriesOf = ({ run, side }: Binned): Series => ({
  id: run.id,
  name: run.name,
  // The style of a cell is its side's; repeats within are thin, not dashed.
  style: { ...seriesStyle(side), dash: '' },
  side: run.side,
})

function tableOf(plot: Plot, cells: readonly Series[]): PlotTable {
  return {
    head: ['From', ...cells.map(({ name }) => name)],
    rows: plot.places.map((x) => [headingAt(plot, x), ...cells.map((_, cell) => readCell(plot, cell, x))]),
  }
}

/** The widest bin of all, doubled until the lines of all runs have few enough points. */
function commonBinMs(timelines: readonly SideTimeline[]): number {
  let binMs = Math.max(...timelines.map((timeline) => timeline.binMs))
  const points = () =>
    timelines.reduce((sum, { requests, binMs: own }) => sum + Math.ceil((requests.length * own) / binMs), 0) *
    linesOfRun
  while (points() > maxPoints) binMs *= 2
  return binMs
}

/** Bins with requests, but too few for the percentile. */
const gapsOf = ({ requests }: SideTimeline, { q }: Choice): number =>
  requests.filter((count) => count > 0 && count < neededCount(q)).length

function choiceOf(timelines: readonly SideTimeline[]): Choice {
  const isInMost = (choice: Choice) =>
    timelines.every((one) => gapsOf(one, choice) * 2 <= one.requests.filter((count) => count > 0).length)
  return choices.find(isInMost) ?? choices[3]
}

/** Bins joined: counts add; percentiles do not, so the highest is kept. */
function binnedTo(timeline: SideTimeline, binMs: number, { key }: Choice): Pick<Binned, 'ratePerSecond' | 'latencyMs'> {
  const factor = Math.max(1, Math.round(binMs / timeline.binMs))
  const groups = Array.from({ length: Math.ceil(timeline.requests.length / factor) }, (_, at) => at * factor)
  const latencies = supportedColumn(timeline, key)
  return {
    ratePerSecond: groups.map((from) => {
      const counts = timeline.requests.slice(from, from + factor)
      return counts.reduce((sum, count) => sum + count, 0) / ((counts.length * timeline.binMs) / 1_000)
    }),
    latencyMs: groups.map((from) => {
      const known = latencies.slice(from, from + factor).flatMap((ms) => ms ?? [])
      return known.length === 0 ? null : Math.max(...known)
    }),
  }
}

interface Noted {
  readonly isJoined: boolean
  readonly isShaded: boolean
  readonly hasGap: boolean
  readonly chosen: Choice
  readonly without: readonly string[]
}

function noteOf(binMs: number, { isJoined, isShaded, hasGap, chosen: { name, q }, without }: Noted): string {
  const width = `${formatTick(binMs / 1_000)}\u00a0s`
  const joined = isJoined ? `, showing the highest ${name} of the finer bins` : ''
  const gaps = hasGap ? ` ${needWords([`${name} from ${formatCount(neededCount(q))}`])}` : ''
  const warmUp = isShaded ? ' Shaded: warm-up, of the repeats of a side the longest.' : ''
  const lacking = without.length > 0 ? ` No timeline: ${without.join(', ')}.` : ''
  return `Time since the start of each run, in bins of ${width}${joined}.${gaps} The first and last bins are only partly covered.${warmUp}${lacking}`
}
