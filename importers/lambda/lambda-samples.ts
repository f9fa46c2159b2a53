import type { ErrorCount, Latency, Measure, Timeline, UtcIso, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { coarseSlotOf, largestNs, slotOf } from '../samples/flat-histogram'
import { maxExactSamples, NumberSamples } from '../samples/number-samples'
import { TimelineBin, TimelineBuilder } from '../samples/timeline'
import { LambdaCube } from './lambda-cube'
import type { WaitingReports } from './waiting-reports'

/** Most distinct names (log streams, error types, memory sizes) counted per function. */
const maxNames = 20_000

/** What a log states about a function's invocations besides their figures. */
export interface LambdaLogFacts {
  readonly form: string
  readonly functionName: string | null
  /** Earliest and latest time in the log's lines. */
  readonly firstAt: UtcIso | null
  readonly lastAt: UtcIso | null
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly line: number | null
}

/** Collects the invocations of one Lambda function; memory does not grow with their number. */
export class LambdaSamples {
  private readonly durations: Record<'all' | 'success' | 'failure' | 'cold' | 'warm', NumberSamples>
  private readonly fields: Record<'billed' | 'init' | 'restore' | 'billedRestore' | 'maxMemoryUsed', NumberSamples>
  private readonly memorySizes = new Tally<number>()
  private readonly statuses = new Tally<string>()
  private readonly errorTypes = new Tally<string>()
  private readonly errors = new Tally<string>()
  private readonly streams = new Set<string>()
  private readonly timeline: LambdaTimeline | null
  /** Until December 2020 every bill was a multiple of 100 ms. */
  private isBilledFinely = false

  /** Null: nobody asked. */
  private readonly cube: LambdaCube | null

  /**
   * `isMain`: one of the first functions of a log, which gets exact quantiles and a timeline, and a cube if it `isCounted`.
   */
  constructor(isMain: boolean, isCounted = false) {
    const create = () => new NumberSamples(isMain ? maxExactSamples : maxExactSamples / 100)
    this.durations = { all: create(), success: create(), failure: create(), cold: create(), warm: create() }
    this.fields = {
      billed: create(),
      init: create(),
      restore: create(),
      billedRestore: create(),
      maxMemoryUsed: create(),
    }
    this.timeline = isMain ? new LambdaTimeline() : null
    this.cube = isMain && isCounted ? new LambdaCube() : null
  }

  get count(): number {
    return this.durations.all.count
  }

  /** Counts the invocation at a place of `rows`. */
  add(rows: WaitingReports, at: number): void {
    const { durations, fields } = this
    const durationMs = rows.durationMs[at] ?? NaN
    const billedMs = rows.billedMs[at] ?? NaN
    const memorySizeMb = rows.memorySizeMb[at] ?? NaN
    const initMs = rows.initMs[at] ?? NaN
    const restoreMs = rows.restoreMs[at] ?? NaN
    const status = rows.status[at] ?? 'success'
    const errorType = rows.errorType[at] ?? null
    const isGood = status === 'success'
    durations.all.add(durationMs)
    if (isGood) durations.success.add(durationMs)
    else durations.failure.add(durationMs)
    if (Number.isNaN(initMs) && Number.isNaN(restoreMs)) durations.warm.add(durationMs)
    else durations.cold.add(durationMs)
    addTo(fields.billed, billedMs)
    addTo(fields.init, initMs)
    addTo(fields.restore, restoreMs)
    addTo(fields.billedRestore, rows.billedRestoreMs[at] ?? NaN)
    addTo(fields.maxMemoryUsed, rows.maxMemoryUsedMb[at] ?? NaN)
    // A missing bill is NaN, whose remainder is not above 0.
    if (billedMs % 100 > 0) this.isBilledFinely = true
    if (!Number.isNaN(memorySizeMb)) this.memorySizes.add(memorySizeMb)
    this.statuses.add(status)
    if (errorType !== null) this.errorTypes.add(errorType)
    if (!isGood) this.errors.add(errorType ?? `Status: ${status}`)
    this.timeline?.add(rows.reportedAtMs[at] ?? NaN, durationMs, isGood)
    this.cube?.add(rows, at)
  }

  addStream(stream: string): void {
    if (this.streams.size <= maxNames) this.streams.add(stream)
  }

  /** The run of all invocations so far. */
  toRun(facts: LambdaLogFacts): BlockRun {
    const requests = this.count
    const successes = this.statuses.get('success')
    const { all, success, failure } = this.durations
    const parts =
      success.count > 0 && failure.count > 0 ? [success.toLatency('success'), failure.toLatency('failure')] : []
    const latencies = [all.toLatency('all'), ...parts].filter((latency): latency is Latency => latency !== null)
    const warnings: Warning[] = [...facts.warnings]
    if (requests === 1)
      warnings.push({ code: 'single-sample', message: 'one invocation: no spread, no percentiles', line: facts.line })
    const coldStarts = this.countColdStarts()
    const isSplit = coldStarts !== null || this.durations.cold.count > 0
    const cube = this.cube?.build(isSplit) ?? null
    return {
      ...blankRun('lambda', facts.form),
      startedAt: facts.firstAt,
      requests,
      successes,
      successRatio: requests === 0 ? null : successes / requests,
      errors: this.errors.entries().map(([message, count]): ErrorCount => ({ message, count })),
      latencies,
      lambda: {
        functionName: facts.functionName,
        invocations: requests,
        billedMs: this.fields.billed.summarise(),
        initMs: this.fields.init.summarise(),
        restoreMs: this.fields.restore.summarise(),
        billedRestoreMs: this.fields.billedRestore.summarise(),
        maxMemoryUsedMb: this.fields.maxMemoryUsed.summarise(),
        coldMs: isSplit ? this.durations.cold.summarise() : null,
        warmMs: isSplit ? this.durations.warm.summarise() : null,
        memorySizeMb: Object.fromEntries(this.memorySizes.entries()),
        coldStarts,
        statuses: Object.fromEntries(this.statuses.entries()),
        errorTypes: Object.fromEntries(this.errorTypes.entries()),
        logStreams: this.streams.size === 0 || this.streams.size > maxNames ? null : this.streams.size,
      },
      timeline: this.timeline?.build(requests) ?? null,
      measures: createSpan(facts),
      complete: facts.complete,
      warnings,
      ...(cube === null ? {} : { beside: { cube } }),
      name: facts.functionName,
    }
  }

  /** Logs from before REPORT lines had an Init Duration (2019) do not state it. */
  private countColdStarts(): number | null {
    return this.fields.init.count > 0 || this.isBilledFinely ? this.fields.init.count : null
  }
}

function addTo(samples: NumberSamples, value: number): void {
  if (!Number.isNaN(value)) samples.add(value)
}

/** Counts by key. The key is usually the same as the previous one. */
class Tally<Key> {
  private readonly counts = new Map<Key, { count: number }>()
  private lastKey: Key | null = null
  private last = { count: 0 }

  add(key: Key): void {
    if (key !== this.lastKey) {
      let found = this.counts.get(key)
      if (found === undefined) {
        if (this.counts.size >= maxNames) return
        found = { count: 0 }
        this.counts.set(key, found)
      }
      this.lastKey = key
      this.last = found
    }
    this.last.count++
  }

  get(key: Key): number {
    return this.counts.get(key)?.count ?? 0
  }

  /** In order of appearance. */
  entries(): [Key, number][] {
    return [...this.counts].map(([key, { count }]) => [key, count])
  }
}

/** The time between the log's first and last line: not a test's duration, but the best available. */
function createSpan({ firstAt, lastAt }: LambdaLogFacts): Measure[] {
  if (firstAt === null || lastAt === null || firstAt === lastAt) return []
  return [{ name: 'log-span', value: Date.parse(lastAt) - Date.parse(firstAt), unit: 'ms', line: null }]
}

/** Collects invocations by the second in which they began: the time of their report minus their duration. */
class LambdaTimeline {
  private builder: TimelineBuilder | null = null
  private second = NaN
  private bin = new TimelineBin()
  private timed = 0

  /** Counts an invocation, unless its time is NaN: unknown. */
  add(reportedAtMs: number, durationMs: number, isGood: boolean): void {
    if (Number.isNaN(reportedAtMs)) return
    this.builder ??= new TimelineBuilder()
    const second = Math.floor((reportedAtMs - durationMs) / 1_000)
    if (second !== this.second) {
      this.second = second
      this.bin = this.builder.open(second)
    }
    const ns = Math.min(largestNs, Math.round(durationMs * 1e6))
    this.bin.record(coarseSlotOf(slotOf(ns)), ns, isGood ? 0 : 1)
    this.timed++
  }

  /** Null: the time of an invocation is unknown, so a timeline would lack it. `invocations`: all of them. */
  build(invocations: number): Timeline | null {
    return this.timed === invocations ? (this.builder?.build(true) ?? null) : null
  }
}
