import type { ErrorCount, Latency, Measure, UtcIso, Warning } from '../lib/run'
import { blankRun } from './blank-run'
import type { BlockRun } from './importer'
import type { LambdaInvocation } from './lambda-invocation'
import { LambdaTimeline } from './lambda-timeline'
import { maxExactSamples, NumberSamples } from './number-samples'

/** Distinct names (log streams, error types, memory sizes) that are told apart in one function. */
const maxNames = 20_000

/** What a log tells about a function's invocations beside their figures. */
export interface LambdaLogFacts {
  readonly form: string
  readonly functionName: string | null
  /** Earliest and latest time that the log's lines carry. */
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
  private readonly memorySizes = new Map<number, number>()
  private readonly statuses = new Map<string, number>()
  private readonly errorTypes = new Map<string, number>()
  private readonly errors = new Map<string, number>()
  private readonly streams = new Set<string>()
  private readonly timeline: LambdaTimeline | null
  /** Until December 2020 every bill was a multiple of 100 ms. */
  private isBilledFinely = false

  /** `isMain`: one of the first functions of a log, which gets exact quantiles and a timeline. */
  constructor(isMain: boolean) {
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
  }

  get count(): number {
    return this.durations.all.count
  }

  add(invocation: LambdaInvocation): void {
    const { durationMs, billedMs, memorySizeMb, initMs, restoreMs, status, errorType } = invocation
    const { durations, fields } = this
    const isGood = status === 'success'
    durations.all.add(durationMs)
    if (isGood) durations.success.add(durationMs)
    else durations.failure.add(durationMs)
    if (initMs === null && restoreMs === null) durations.warm.add(durationMs)
    else durations.cold.add(durationMs)
    addTo(fields.billed, billedMs)
    addTo(fields.init, initMs)
    addTo(fields.restore, restoreMs)
    addTo(fields.billedRestore, invocation.billedRestoreMs)
    addTo(fields.maxMemoryUsed, invocation.maxMemoryUsedMb)
    if (billedMs !== null && billedMs % 100 !== 0) this.isBilledFinely = true
    if (memorySizeMb !== null) count(this.memorySizes, memorySizeMb)
    count(this.statuses, status)
    if (errorType !== null) count(this.errorTypes, errorType)
    if (!isGood) count(this.errors, errorType ?? `Status: ${status}`)
    this.timeline?.add(invocation)
  }

  addStream(stream: string): void {
    if (this.streams.size <= maxNames) this.streams.add(stream)
  }

  /** The run of all invocations so far. */
  toRun(facts: LambdaLogFacts): BlockRun {
    const requests = this.count
    const successes = this.statuses.get('success') ?? 0
    const { all, success, failure } = this.durations
    const parts =
      success.count > 0 && failure.count > 0 ? [success.toLatency('success'), failure.toLatency('failure')] : []
    const latencies = [all.toLatency('all'), ...parts].filter((latency): latency is Latency => latency !== null)
    const warnings: Warning[] = [...facts.warnings]
    if (requests === 1)
      warnings.push({ code: 'single-sample', message: 'one invocation: no spread, no percentiles', line: facts.line })
    const coldStarts = this.countColdStarts()
    const isToldApart = coldStarts !== null || this.durations.cold.count > 0
    return {
      ...blankRun('lambda', facts.form),
      startedAt: facts.firstAt,
      requests,
      successes,
      successRatio: requests === 0 ? null : successes / requests,
      errors: [...this.errors].map(([message, count]): ErrorCount => ({ message, count })),
      latencies,
      lambda: {
        functionName: facts.functionName,
        invocations: requests,
        billedMs: this.fields.billed.summarise(),
        initMs: this.fields.init.summarise(),
        restoreMs: this.fields.restore.summarise(),
        billedRestoreMs: this.fields.billedRestore.summarise(),
        maxMemoryUsedMb: this.fields.maxMemoryUsed.summarise(),
        coldMs: isToldApart ? this.durations.cold.summarise() : null,
        warmMs: isToldApart ? this.durations.warm.summarise() : null,
        memorySizeMb: Object.fromEntries(this.memorySizes),
        coldStarts,
        statuses: Object.fromEntries(this.statuses),
        errorTypes: Object.fromEntries(this.errorTypes),
        logStreams: this.streams.size === 0 || this.streams.size > maxNames ? null : this.streams.size,
      },
      timeline: this.timeline?.build(requests) ?? null,
      measures: createSpan(facts),
      complete: facts.complete,
      warnings,
      name: facts.functionName,
    }
  }

  /** Logs from before REPORT lines had an Init Duration (2019) cannot tell. */
  private countColdStarts(): number | null {
    return this.fields.init.count > 0 || this.isBilledFinely ? this.fields.init.count : null
  }
}

function addTo(samples: NumberSamples, value: number | null): void {
  if (value !== null) samples.add(value)
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  const known = counts.get(key)
  if (known === undefined && counts.size >= maxNames) return
  counts.set(key, (known ?? 0) + 1)
}

/** The time between the log's first and last line: not a test's duration, but what there is. */
function createSpan({ firstAt, lastAt }: LambdaLogFacts): Measure[] {
  if (firstAt === null || lastAt === null || firstAt === lastAt) return []
  return [{ name: 'log-span', value: Date.parse(lastAt) - Date.parse(firstAt), unit: 'ms', line: null }]
}
