import type { ErrorCount, Latency, Measure, UtcIso, Warning } from '../lib/run'
import { blankRun } from './blank-run'
import type { BlockRun } from './importer'
import type { LambdaInvocation } from './lambda-invocation'
import { NumberSamples } from './number-samples'

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
  private readonly durations = { all: new NumberSamples(), success: new NumberSamples(), failure: new NumberSamples() }
  private readonly fields = {
    billed: new NumberSamples(),
    init: new NumberSamples(),
    restore: new NumberSamples(),
    billedRestore: new NumberSamples(),
    maxMemoryUsed: new NumberSamples(),
  }
  private readonly memorySizes = new Map<string, number>()
  private readonly statuses = new Map<string, number>()
  private readonly errorTypes = new Map<string, number>()
  private readonly errors = new Map<string, number>()
  private readonly streams = new Set<string>()
  /** Until December 2020 every bill was a multiple of 100 ms. */
  private isBilledFinely = false

  get count(): number {
    return this.durations.all.count
  }

  add(invocation: LambdaInvocation): void {
    const { durationMs, billedMs, memorySizeMb, status, errorType } = invocation
    this.durations.all.add(durationMs)
    this.durations[status === 'success' ? 'success' : 'failure'].add(durationMs)
    addTo(this.fields.billed, billedMs)
    addTo(this.fields.init, invocation.initMs)
    addTo(this.fields.restore, invocation.restoreMs)
    addTo(this.fields.billedRestore, invocation.billedRestoreMs)
    addTo(this.fields.maxMemoryUsed, invocation.maxMemoryUsedMb)
    if (billedMs !== null && billedMs % 100 !== 0) this.isBilledFinely = true
    if (memorySizeMb !== null) count(this.memorySizes, String(memorySizeMb))
    count(this.statuses, status)
    if (errorType !== null) count(this.errorTypes, errorType)
    if (status !== 'success') count(this.errors, errorType ?? `Status: ${status}`)
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
        memorySizeMb: Object.fromEntries(this.memorySizes),
        coldStarts: this.countColdStarts(),
        statuses: Object.fromEntries(this.statuses),
        errorTypes: Object.fromEntries(this.errorTypes),
        logStreams: this.streams.size === 0 || this.streams.size > maxNames ? null : this.streams.size,
      },
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

function count(counts: Map<string, number>, key: string): void {
  const known = counts.get(key)
  if (known === undefined && counts.size >= maxNames) return
  counts.set(key, (known ?? 0) + 1)
}

/** The time between the log's first and last line: not a test's duration, but what there is. */
function createSpan({ firstAt, lastAt }: LambdaLogFacts): Measure[] {
  if (firstAt === null || lastAt === null || firstAt === lastAt) return []
  return [{ name: 'log-span', value: Date.parse(lastAt) - Date.parse(firstAt), unit: 'ms', line: null }]
}
