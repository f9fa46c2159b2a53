import type { Measure, UtcIso } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import { highestOfSlot, lowestOfSlot, type DecodedHistogram } from '../../lib/stats/hdr-codec'
import { addHistogram, describeHistogram, guessUnitOf } from './hdr-latency'
import { warnOfUnit, type HdrUnit } from './hdr-unit'
import type { BlockRun } from '../importer'
import { parseDecimal, parseScaled } from '../text/number'

/** Runs that one log can give. */
export const maxTags = 200

/** One interval as the log prints it. */
export interface HdrInterval {
  readonly startSeconds: number
  readonly lengthSeconds: number
  /** Largest value, scaled. */
  readonly max: string
}

/** When the log says that it begins, in seconds since 1970; null where it is absent. */
export interface HdrLogTimes {
  readonly startSeconds: number | null
  /** What the intervals' times count from. */
  readonly baseSeconds: number | null
  readonly complete: boolean
}

/** Scales of the printed maximum, and the unit that values are in when they give milliseconds. */
const scales = [
  [1e6, 'ns'],
  [1e3, 'us'],
] as const
const yearSeconds = 365 * 24 * 3_600

/**
 * The intervals of one tag while the log is read. Memory: one histogram. They make no timeline: see docs/decisions/024, "An
 * interval log has no timeline".
 */
export class HdrLogRun {
  private readonly counts = new Map<number, number>()
  private readonly units = new Set<HdrUnit | null>()
  private intervals = 0
  private emptyIntervals = 0
  private firstSeconds = Infinity
  private endSeconds = -Infinity
  private longestSeconds = 0
  private largest = ''

  constructor(
    private readonly tag: string | null,
    private readonly layout: Pick<DecodedHistogram, 'digits' | 'lowest'>,
    private readonly line: number,
  ) {}

  /** False: it was recorded with another layout, and is left out. */
  add(histogram: DecodedHistogram, { startSeconds, lengthSeconds, max }: HdrInterval): boolean {
    if (histogram.digits !== this.layout.digits || histogram.lowest !== this.layout.lowest) return false
    this.intervals++
    this.firstSeconds = Math.min(this.firstSeconds, startSeconds)
    this.endSeconds = Math.max(this.endSeconds, startSeconds + lengthSeconds)
    this.longestSeconds = Math.max(this.longestSeconds, lengthSeconds)
    if (histogram.counts.size === 0) this.emptyIntervals++
    else {
      this.units.add(unitOfMaximum(histogram, max))
      if (this.largest === '' || Number(max) > Number(this.largest)) this.largest = max
    }
    addHistogram(this.counts, histogram)
    return true
  }

  /** The run of all intervals together. */
  async build({ startSeconds, baseSeconds, complete }: HdrLogTimes): Promise<BlockRun> {
    const histogram: DecodedHistogram = { ...this.layout, counts: this.counts }
    const [scaled] = this.units
    // The scale speaks when every interval's says the same.
    const known = this.units.size === 1 && scaled !== undefined ? scaled : null
    const unit = known ?? guessUnitOf(histogram)
    const maxMs = known === null ? null : parseDecimal(this.largest)
    const latency = await describeHistogram(histogram, unit, maxMs)
    const why = known === null ? 'by their size' : 'by their largest, which the log prints in milliseconds'
    const measures: Measure[] = [
      { name: 'intervals', value: this.intervals, unit: null, line: this.line },
      { name: 'longest-interval', value: this.longestSeconds * 1_000, unit: 'ms', line: this.line },
    ]
    if (this.emptyIntervals > 0)
      measures.push({ name: 'empty-intervals', value: this.emptyIntervals, unit: null, line: this.line })
    return {
      ...blankRun('hdr', 'hdr-log'),
      name: this.tag,
      startedAt: startOf(this.firstSeconds, startSeconds, baseSeconds),
      durationMs: parseScaled((this.endSeconds - this.firstSeconds).toFixed(6), 3),
      latencies: latency === null ? [] : [latency],
      measures,
      complete,
      printed: maxMs === null ? {} : { 'latencies.0.maxMs': this.largest },
      warnings:
        latency === null
          ? [{ code: 'no-results', message: 'The intervals of the log hold no value.', line: this.line }]
          : [warnOfUnit(unit, why, this.line)],
    }
  }
}

/** The unit in which the printed maximum is the payload's largest value in ms; null when none fits. */
function unitOfMaximum(histogram: DecodedHistogram, max: string): HdrUnit | null {
  const last = Math.max(...histogram.counts.keys())
  const low = lowestOfSlot(histogram, last)
  const high = highestOfSlot(histogram, last)
  // The maximum is printed with three decimals, and may itself be the top or the bottom of its slot.
  for (const [scale, unit] of scales) {
    const value = Number(max) * scale
    const place = scale / 1_000
    if (value >= low - place && value <= high + place) return unit
  }
  return null
}

/** As HistogramLogReader distinguishes them: without base time, intervals may count from the start or from 1970. */
function startOf(firstSeconds: number, startSeconds: number | null, baseSeconds: number | null): UtcIso | null {
  const origin = baseSeconds ?? (startSeconds !== null && firstSeconds < startSeconds - yearSeconds ? startSeconds : 0)
  const seconds = origin + firstSeconds
  if (origin === 0 && seconds < yearSeconds) return null
  const date = new Date(Math.round(seconds * 1_000))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
