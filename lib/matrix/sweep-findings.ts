import { formatMetric, formatPercent, formatTick, plural } from '../format'
import { flatBelowRatio, minForKnee, shapeOf, type CurveShape } from './knee'
import { metricOfSide } from '../judge/sides'
import type { Metric } from '../run/metrics'
import type { Sweep, SweepPoint, SweepSeries } from './sweep'
import type { SweepAxis } from './sweep-axis'

/** A metric at one value of a sweep: the median of its runs and their range; null if no run has the metric. */
export interface SweepValue {
  readonly x: number
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** In the order given. */
  readonly runIds: readonly string[]
}

/** Where a series stops serving: the two values around it, and the share served at each. */
export interface SweepBreak {
  readonly before: SweepPoint
  readonly at: SweepPoint
  readonly servedBefore: number
  readonly servedAt: number
}

/** A value at which less than this share of requests was served is called broken. */
export const servedFromRatio = 0.99

/** The metric along a series, ascending. */
export function valuesOf(series: SweepSeries, metric: Metric): readonly SweepValue[] {
  return series.points.map(({ x, runs }) => {
    const known = runs.flatMap((run) => metric.read(run.figures) ?? [])
    const { value } = metricOfSide(metric, runs)
    const [low, high] = value === null ? [null, null] : [Math.min(...known), Math.max(...known)]
    return { x, value, low, high, runIds: runs.map((run) => run.id) }
  })
}

/** The shape of the metric along a series, and where its knee is. */
export function sweepShape(series: SweepSeries, metric: Metric): { shape: CurveShape; kneeAt: SweepValue | null } {
  const values = valuesOf(series, metric)
  const known = values.flatMap((one) => (one.value === null ? [] : [{ one, x: one.x, y: one.value }]))
  const shape = shapeOf(known.map(({ x, y }) => ({ x, y })))
  return { shape, kneeAt: shape.kind === 'knee' ? (known[shape.at]?.one ?? null) : null }
}

/**
 * The first value at which fewer than 99 % of the requests were served, after one at which at least that many were.
 * Served is the smaller of the share of successes and, in an open loop, of requests sent to requests wanted. Null:
 * none, or unknown.
 */
export function findBreak(series: SweepSeries): SweepBreak | null {
  for (const [index, at] of series.points.entries()) {
    const before = series.points[index - 1]
    if (before === undefined) continue
    const [servedBefore, servedAt] = [servedRatio(before), servedRatio(at)]
    if (servedBefore === null || servedAt === null) continue
    if (servedBefore >= servedFromRatio && servedAt < servedFromRatio) return { before, at, servedBefore, servedAt }
  }
  return null
}

/** The median over a value's runs. */
function servedRatio({ runs }: SweepPoint): number | null {
  const ratios = runs.flatMap(({ load, figures }) => {
    const wanted = load.kind === 'open' ? load.ratePerSecond : null
    const made = wanted === null || figures.requestsPerSecond === null ? null : figures.requestsPerSecond / wanted
    const known = [figures.successRatio, made].filter((ratio) => ratio !== null)
    return known.length === 0 ? [] : [Math.min(...known)]
  })
  ratios.sort((a, b) => a - b)
  // The lower of two middle ones: if half of the runs are broken, the value is.
  return ratios[(ratios.length - 1) >> 1] ?? null
}

/** A value of the axis with its unit: `300 kb`, `100 ms`, `400/s`, `64`. */
export function formatOnAxis(x: number, { unit }: SweepAxis): string {
  return unit === '' || unit.startsWith('/') ? `${formatTick(x)}${unit}` : `${formatTick(x)}\u00a0${unit}`
}

/** Where series stop serving, one sentence each, without a full stop. */
export function breakSentences(sweep: Sweep): readonly string[] {
  return sweep.series.flatMap((series) => prefixed(sweep, series, breakWords(series, sweep.axis)))
}

/**
 * A sweep in one sentence, without a full stop: where it breaks, else the shape of its first figure that any run has.
 */
export function sweepSentence(sweep: Sweep, metrics: readonly Metric[]): string {
  const [broken] = breakSentences(sweep)
  if (broken !== undefined) return broken
  const [shape] = metrics.flatMap((metric) => shapeSentences(sweep, metric))
  return shape ?? `Nothing is known over ${sweep.axis.title}`
}

/** The shape of each series in this metric, one sentence each, without a full stop. */
export function shapeSentences(sweep: Sweep, metric: Metric): readonly string[] {
  return sweep.series.flatMap((series) => prefixed(sweep, series, shapeWords(series, metric, sweep.axis)))
}

const prefixed = (sweep: Sweep, series: SweepSeries, words: string | null): readonly string[] =>
  words === null ? [] : [sweep.series.length > 1 ? `${series.name}: ${words}` : words.replace(/^[bk]/, toUpper)]

/** At the start of a sentence; names of metrics stay as they are. */
const toUpper = (letter: string): string => letter.toUpperCase()

function breakWords(series: SweepSeries, axis: SweepAxis): string | null {
  const found = findBreak(series)
  if (found === null) return null
  const { before, at, servedBefore, servedAt } = found
  const between = `between ${formatOnAxis(before.x, axis)} and ${formatOnAxis(at.x, axis)}`
  return `breaks ${between}, where requests served fall from ${formatPercent(servedBefore)} to ${formatPercent(servedAt)}`
}

function shapeWords(series: SweepSeries, metric: Metric, axis: SweepAxis): string | null {
  const { shape, kneeAt } = sweepShape(series, metric)
  const name = metric.unit === 'ratio' ? metric.label : metric.shortLabel
  switch (shape.kind) {
    case 'knee': {
      if (kneeAt === null) return null
      const caution = series.points.every(({ runs }) => runs.length === 1) ? ' (one run per value: may be noise)' : ''
      const where = formatOnAxis(kneeAt.x, axis)
      return `knee at ${where}: ${name} ${formatMetric(kneeAt.value, metric.unit)}, and ${shape.bend} from there${caution}`
    }
    case 'straight': {
      const change = formatMetric(Math.abs(shape.slope), metric.unit)
      const each = axis.unit === '' ? 'each step of 1' : `each ${axis.unit.replace('/s', 'request per second')}`
      return `${name} ${shape.slope < 0 ? 'falls' : 'grows'} linearly by ${change} for ${each}: no knee`
    }
    case 'flat':
      return `${name} changes by less than ${formatPercent(flatBelowRatio)}: no knee`
    case 'no-knee':
      return `${name} has no distinct bend: no knee`
    case 'too-few':
      return shape.count === 0
        ? `no run has ${name}`
        : `${plural(shape.count, 'value')} of ${name}: a knee needs at least ${minForKnee}`
  }
}
