import { columnUnit, formatMs, formatNumber, formatTick } from '../../lib/format'
import { timeTicks } from './elapsed'
import type { PlottedRun } from './hdr-plot'
import type { SideTimeline } from './packed-timeline'
import { readingRows } from './repeats'
import { integerTicks, linearTicks, logTicks, place, seriesStyle, type ScaleKind, type SeriesStyle } from './scale'
import type { TimelineLine } from './timeline-plot'
import type { PlacedTick } from './scale'

/** A run with its timeline, as a comparison takes it. */
export type TimedRun = Omit<PlottedRun, 'imported' | 'styleIndex'> & {
  readonly styleIndex?: number | undefined
  readonly timeline: SideTimeline | null
}

/** One side: a line for each of its runs in both panels. */
export interface SideTimelines {
  readonly name: string
  readonly style: SeriesStyle
  readonly rate: readonly TimelineLine[]
  readonly p99: readonly TimelineLine[]
  /** What the cursor reads in a bin; made where it is read. */
  reading(bin: number): string
}

/** Runs over the time since their own start, a cell a side, all on the same axes; decided here, drawings only render it. */
export interface TimelinesPlot {
  readonly binCount: number
  /** How long after the start a bin begins. */
  when(bin: number): string
  readonly xTicks: readonly PlacedTick[]
  readonly rateTitle: string
  readonly rateTicks: readonly PlacedTick[]
  readonly p99Title: string
  readonly p99Ticks: readonly PlacedTick[]
  readonly sides: readonly SideTimelines[]
  readonly note: string
}

/** All lines of a comparison together carry no more points. */
const mostPoints = 2_000
const linesOfRun = 2
/** Above this ratio of the slowest to the fastest point a linear axis would press some sides to the floor. */
const widestLinearRatio = 30

interface Binned {
  readonly run: TimedRun
  readonly ratePerSecond: readonly (number | null)[]
  readonly p99Ms: readonly (number | null)[]
}

/** Prepares the timelines of two sides or more; null where fewer than two runs have one. */
export function prepareTimelines(runs: readonly TimedRun[]): TimelinesPlot | null {
  const timed = runs.flatMap((run, at) =>
    run.timeline && run.timeline.requests.length > 0 ? [{ run, timeline: run.timeline, at }] : [],
  )
  if (timed.length < 2) return null
  const binMs = commonBinMs(timed.map(({ timeline }) => timeline))
  const spanMs = Math.max(...timed.map(({ timeline }) => timeline.requests.length * timeline.binMs))
  const binCount = Math.ceil(spanMs / binMs)
  const binned = timed.map(({ run, timeline }) => binnedTo(run, timeline, binMs))
  const rateTicks = integerTicks(Math.max(...binned.flatMap((one) => one.ratePerSecond.map((rate) => rate ?? 0))))
  const rateTop = rateTicks.at(-1) ?? 1
  const latency = latencyAxis(binned.flatMap((one) => one.p99Ms.flatMap((ms) => ms ?? [])))
  const places = [...new Set(timed.map(({ run, at }) => run.styleIndex ?? at))]
  const sides = places.map((place): SideTimelines => {
    const own = binned.filter((_, index) => (timed[index]?.run.styleIndex ?? timed[index]?.at) === place)
    const style = seriesStyle(place)
    const line = (one: Binned, shares: readonly (number | null)[]): TimelineLine => {
      return { name: one.run.name, style: { ...style, dash: '' }, shares: padded(shares, binCount) }
    }
    const first = own[0]?.run
    return {
      name: first?.side ? `${first.side.name} (${own.length} of ${first.side.size} runs)` : (first?.name ?? ''),
      style,
      rate: own.map((one) =>
        line(
          one,
          one.ratePerSecond.map((rate) => (rate === null ? null : round(rate / rateTop))),
        ),
      ),
      p99: own.map((one) =>
        line(
          one,
          one.p99Ms.map((ms) => (ms === null ? null : round(latency.share(ms)))),
        ),
      ),
      reading: (bin) => readingOf(own, style, bin),
    }
  })
  const without = runs.filter((run) => timed.every((one) => one.run !== run)).map((run) => run.name)
  return {
    binCount,
    when: (bin) => `${formatTick((bin * binMs) / 1_000)}\u00a0s`,
    xTicks: timeTicks(spanMs).map(({ ms, label }) => ({ at: ms / (binCount * binMs), label })),
    rateTitle: 'Requests per second',
    rateTicks: rateTicks.map((value) => ({ at: value / rateTop, label: formatTick(value) })),
    p99Title: latency.title,
    p99Ticks: latency.ticks,
    sides,
    note: noteOf(
      binMs,
      timed.some(({ timeline }) => timeline.binMs < binMs),
      without,
    ),
  }
}

const round = (share: number): number => Math.round(share * 1e4) / 1e4

/** The widest bin of all, doubled until the lines of all runs carry few enough points. */
function commonBinMs(timelines: readonly SideTimeline[]): number {
  let binMs = Math.max(...timelines.map((timeline) => timeline.binMs))
  const points = () =>
    timelines.reduce((sum, { requests, binMs: own }) => sum + Math.ceil((requests.length * own) / binMs), 0) *
    linesOfRun
  while (points() > mostPoints) binMs *= 2
  return binMs
}

/** Bins joined: counts add; of percentiles, which do not, the highest is kept. */
function binnedTo(run: TimedRun, timeline: SideTimeline, binMs: number): Binned {
  const factor = Math.max(1, Math.round(binMs / timeline.binMs))
  const groups = Array.from({ length: Math.ceil(timeline.requests.length / factor) }, (_, at) => at * factor)
  return {
    run,
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

const padded = (shares: readonly (number | null)[], length: number): readonly (number | null)[] =>
  Array.from({ length }, (_, at) => shares[at] ?? null)

function readingOf(own: readonly Binned[], style: SeriesStyle, bin: number): string {
  const read = (values: (one: Binned) => number | null | undefined, format: (value: number) => string) =>
    readingRows(
      own.map((one) => ({ series: { name: one.run.name, side: one.run.side, style }, value: values(one) ?? null })),
      format,
    )[0]?.value
  const rate = read(
    (one) => one.ratePerSecond[bin],
    (value) => `${formatNumber(value)}/s`,
  )
  const p99 = read((one) => one.p99Ms[bin], formatMs)
  return rate === undefined ? 'ended' : `${rate}, p99 ${p99 ?? '–'}`
}

function latencyAxis(values: readonly number[]) {
  const positive = values.filter((ms) => ms > 0)
  const largestMs = Math.max(...positive, 0)
  const smallestMs = Math.min(...positive, largestMs)
  const scale: ScaleKind = smallestMs > 0 && largestMs / smallestMs > widestLinearRatio ? 'log' : 'linear'
  const unit = columnUnit('ms', [largestMs])
  const ticksMs =
    scale === 'log'
      ? logTicks(smallestMs, largestMs)
      : linearTicks(largestMs * unit.factor).map((tick) => tick / unit.factor)
  const domain = [ticksMs[0] ?? 0, ticksMs.at(-1) ?? largestMs] as const
  const share = (ms: number) => place(ms, domain, scale)
  return {
    title: `p99 (${unit.label}${scale === 'log' ? ', log scale' : ''})`,
    ticks: ticksMs.map((ms): PlacedTick => ({ at: share(ms), label: formatTick(ms * unit.factor) })),
    share,
  }
}

function noteOf(binMs: number, isJoined: boolean, without: readonly string[]): string {
  const width = `${formatTick(binMs / 1_000)}\u00a0s`
  const joined = isJoined ? ', showing the highest p99 of the finer bins' : ''
  const lacking = without.length > 0 ? ` No timeline: ${without.join(', ')}.` : ''
  return `Time since the start of each run, in bins of ${width}${joined}. The first and last bins are only partly covered.${lacking}`
}
