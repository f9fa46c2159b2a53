/**
 * HdrHistogram's interval log (.hlog), versions 1.0 to 1.3, as
 * https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/HistogramLogWriter.java
 * and its ports write it: one histogram for each interval, its maximum scaled (to ms by default), its payload in
 * recorded values. Intervals of one tag make one run.
 *
 *     #[Histogram log format version 1.3]
 *     #[StartTime: 1795227251.210 (seconds since epoch), Sat Nov 21 2026 02:14:11 GMT+0000 (Coordinated Universal Time)]
 *     "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
 *     Tag=faulty,0.000,1.000,250.992,HISTFAAAAF14nDWJMQqDQBQF307Wz0fdRsFK0qXxCLGxEa+Q6wT0BNa5ZzplEaeaYfp1byVNkoIkdJE9
 */
import { ImportError, type ImportErrorCode } from '../../lib/errors'
import type { ImportProblem, Measure, UtcIso, Warning } from '../../lib/run/run'
import {
  decodeHistogram,
  HdrFormatError,
  highestOfSlot,
  lastSlotOf,
  lowestOfSlot,
  type DecodedHistogram,
} from '../../lib/stats/hdr-codec'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { readLines } from '../text/lines'
import { parseDecimal, parseScaled } from '../text/number'
import { decodeHead } from '../text/text-head'
import { addHistogram, describeHistogram, guessUnitOf, warnOfDigits } from './hdr-latency'
import { parseInUnit, warnOfUnit, type HdrUnit } from './hdr-unit'
import { errorAt } from '../import-problem'

const legend = /^\s*"?StartTimestamp"?,"?(?:Interval_Length|EndTimestamp)"?,"?Interval_Max"?,/
const time = /^\s*#\[(Start|Base)Time: (\d{1,12}(?:\.\d{1,9})?) \(seconds since epoch\)/
const number = String.raw`\d{1,15}(?:\.\d{1,9})?`
const row = new RegExp(
  String.raw`^\s*(?:Tag=([^,\s]{1,200}),)?(${number}),(${number}),(${number}),(HIST[A-Za-z0-9+/]{1,}={0,2})\s*$`,
)
/** Runs that one log can give. */
const maxTags = 200
const maxProblems = 20
const hint = 'Upload the log as it was written.'

/** Reads an interval log. */
export const hdrLog: RawImporter = {
  kind: 'raw',
  id: 'hdr-log',
  // Only comments may precede its first lines: a document that quotes a log may contain more.
  detect: (head) => {
    const lines = decodeHead(head, 8_192).split(/[\r\n]+/, 40)
    const at = lines.findIndex((line) => isLogLine(line))
    return at >= 0 && lines.slice(0, at).every((line) => line.trim() === '' || /^\s*#(?!#|\s)/.test(line))
  },
  read: readLog,
}

const isLogLine = (line: string): boolean =>
  /^\s*#\[Histogram log format version /.test(line) || legend.test(line) || row.test(line)

async function* readLog(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const runs = new Map<string, HdrLogRun>()
  const problems: ImportProblem[] = []
  let faults = 0
  let startSeconds: number | null = null
  let baseSeconds: number | null = null
  for await (const line of readLines(bytes)) {
    const { text } = line
    const [, kind, seconds] = time.exec(text) ?? []
    if (kind === 'Start') startSeconds = Number(seconds)
    if (kind === 'Base') baseSeconds = Number(seconds)
    if (text.trim() === '' || /^\s*#/.test(text) || legend.test(text)) continue
    const fault = await readInterval(text, line.number, line.tooLong === true, runs)
    if (fault !== null && ++faults <= maxProblems) problems.push(fault)
  }
  if (runs.size === 0) {
    const [first] = problems
    throw new ImportError(
      first === undefined ? 'empty' : 'malformed',
      first?.message ?? 'the log contains no intervals',
      first === undefined ? { hint } : { line: first.line, hint },
    )
  }
  for (const run of runs.values()) yield await run.build({ startSeconds, baseSeconds, complete: faults === 0 })
  yield* problems
  if (faults > maxProblems)
    yield errorAt('malformed', null, `${faults - maxProblems} more intervals of the log cannot be read`, hint)
}

/** Null: the interval was read. */
async function readInterval(
  text: string,
  line: number,
  tooLong: boolean,
  runs: Map<string, HdrLogRun>,
): Promise<ImportProblem | null> {
  const fault = (code: ImportErrorCode, message: string) => errorAt(code, line, message, hint)
  if (tooLong) return fault('too-large', 'the histogram of this interval is too long to read')
  const [, tag = '', start, length, max, payload] = row.exec(text) ?? []
  if (start === undefined || length === undefined || max === undefined || payload === undefined)
    return fault('truncated', 'this line of the log is not a complete interval')
  try {
    const histogram = await decodeHistogram(payload)
    const known = runs.get(tag)
    if (known === undefined && runs.size >= maxTags) return fault('too-large', `more than ${maxTags} tags in one log`)
    const run = known ?? new HdrLogRun(tag === '' ? null : tag, histogram, line)
    if (!run.add(histogram, { startSeconds: Number(start), lengthSeconds: Number(length), max }))
      return fault('inconsistent', 'this interval was recorded with other digits than the ones before it')
    runs.set(tag, run)
    return null
  } catch (error) {
    if (!(error instanceof HdrFormatError)) throw error
    return fault(error.code, `the histogram of this interval cannot be read: ${error.message}`)
  }
}

/** One interval as printed in the log. */
interface HdrInterval {
  readonly startSeconds: number
  readonly lengthSeconds: number
  /** Largest value, scaled. */
  readonly max: string
}

/** When the log begins according to itself, in seconds since 1970; null: not stated. */
interface HdrLogTimes {
  readonly startSeconds: number | null
  /** The origin of the intervals' times. */
  readonly baseSeconds: number | null
  readonly complete: boolean
}

/** Scales of the printed maximum, and the unit of the values if these give milliseconds. */
const scales = [
  [1e6, 'ns'],
  [1e3, 'us'],
  // As recorded: the writer's ratio was 1, and the unit is any.
  [1, 'recorded'],
] as const
const yearSeconds = 365 * 24 * 3_600

/**
 * The intervals of one tag while the log is read. Memory: one histogram. They give no timeline: see docs/decisions/024,
 * "An interval log has no timeline".
 */
class HdrLogRun {
  private readonly counts = new Map<number, number>()
  private readonly units = new Set<HdrUnit | 'recorded' | null>()
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
    // The scale is used only if it is the same in every interval.
    const scale = this.units.size === 1 && scaled !== undefined ? scaled : null
    const known = scale === 'recorded' ? null : scale
    const unit = known ?? guessUnitOf(histogram)
    const maxMs = scale === null ? null : known === null ? parseInUnit(this.largest, unit) : parseDecimal(this.largest)
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
          ? [{ code: 'no-results', message: 'The intervals of the log contain no values.', line: this.line }]
          : [
              warnOfUnit(unit, why, this.line),
              ...warnOfDigits(histogram, this.line),
              ...(scale === null ? [warnOfMaximum(this.largest, this.line)] : []),
            ],
    }
  }
}

const warnOfMaximum = (printed: string, line: number): Warning => ({
  code: 'max-contradicts-payload',
  message: `The maxima that the log prints (${printed} at most) are not those of its histograms by any one scale: max is the histograms'.`,
  line,
})

/** The unit in which the printed maximum is the payload's largest value in ms; null: none matches. */
function unitOfMaximum(histogram: DecodedHistogram, max: string): HdrUnit | 'recorded' | null {
  const last = lastSlotOf(histogram)
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

/** Distinguished as in HistogramLogReader: without base time, intervals may count from the start or from 1970. */
function startOf(firstSeconds: number, startSeconds: number | null, baseSeconds: number | null): UtcIso | null {
  const origin = baseSeconds ?? (startSeconds !== null && firstSeconds < startSeconds - yearSeconds ? startSeconds : 0)
  const seconds = origin + firstSeconds
  if (origin === 0 && seconds < yearSeconds) return null
  const date = new Date(Math.round(seconds * 1_000))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
