import type { Measure, Milliseconds, Phase, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import type { CubeBuilder } from '../rows/cube-builder'
import { double } from '../samples/running-stats'
import type { Samples } from '../samples/samples'
import { JtlParents } from './jtl-parents'
import type { JtlSample } from './jtl-sample'

const maxTextBytes = 4_096

/** What is kept of JMeter's samples, whatever their form: requests only, no transactions and no hops. */
export class JtlRows {
  /** Rows of Transaction Controllers, and parts of requests. */
  transactions = 0
  hops = 0
  /** False: times have no zone, so the time of day is unknown. */
  hasZone = true
  /** Times are whole seconds. */
  isCoarse = false
  hasTimes = true
  bytesIn: number | null = null
  bytesOut: number | null = null
  private maxThreads = -1
  private uncoded = 0
  /** Bytes of exception messages, which JMeter counts as received. */
  private messageBytes = 0
  private readonly statuses = new Float64Array(1_000)
  private readonly phases = ['first byte', 'connect'].map((name) => ({
    name,
    count: 0,
    sum: double(0),
    min: Infinity,
    max: double(0),
  }))
  private readonly parents: JtlParents

  constructor(readonly samples: Samples) {
    this.parents = new JtlParents(samples.targets)
  }

  /** Counts a sample: a request, or a hop, which is not one. */
  add(sample: JtlSample): void {
    if (this.parents.isHop(sample)) {
      this.hops++
      return
    }
    this.addRequest(sample)
  }

  /** Counts a sample that is not a hop. */
  addRequest(sample: JtlSample): void {
    sample.target = this.findTarget(sample)
    this.parents.keep(sample)
    this.count(sample)
  }

  private count(sample: JtlSample): void {
    const startMs = Math.max(0, sample.startMs)
    const second = Math.floor(startMs / 1e3)
    const bytesIn = Math.max(0, sample.bytesIn)
    // Failures are those that JMeter reports: its codes are counted separately.
    const code = sample.isGood ? 200 : 500
    this.samples.write(second, (startMs - second * 1e3) * 1e6, sample.elapsedMs * 1e6, code, bytesIn, sample.target)
    if (sample.code >= 0) this.statuses[sample.code] = (this.statuses[sample.code] ?? 0) + 1
    else this.uncoded++
    if (sample.bytesIn >= 0) this.bytesIn = (this.bytesIn ?? 0) + sample.bytesIn
    if (sample.code === 0 && sample.bytesIn > 0) this.messageBytes += sample.bytesIn
    if (sample.bytesOut >= 0) this.bytesOut = (this.bytesOut ?? 0) + sample.bytesOut
    if (sample.threads > this.maxThreads) this.maxThreads = sample.threads
    this.addPhase(0, sample.firstByteMs)
    this.addPhase(1, sample.connectMs)
    if (this.samples.cube !== null) this.describe(this.samples.cube, sample)
    if (!sample.isGood) this.samples.addError(this.samples.lastRow, sample.reason, sample.reasonFrom, sample.reasonTo)
  }

  private describe(cube: CubeBuilder, { code, connectMs, threads }: JtlSample): void {
    const { lastRow } = this.samples
    cube.hasTimes = this.hasTimes
    cube.setStatus(lastRow, Math.max(0, code))
    if (connectMs >= 0) cube.setConnection(lastRow, connectMs > 0)
    if (threads >= 0) cube.countUsers(threads)
  }

  private addPhase(index: number, ms: number): void {
    const phase = this.phases[index]
    if (phase === undefined || ms < 0) return
    phase.count++
    phase.sum += ms
    if (ms < phase.min) phase.min = ms
    if (ms > phase.max) phase.max = ms
  }

  private findTarget({ view, labelFrom, labelTo }: JtlSample): number {
    const size = labelTo - labelFrom
    if (size <= 0) return -1
    if (size > maxTextBytes) return this.samples.targets.rest
    return this.samples.targets.find(view, labelFrom, labelTo)
  }

  /** The run of all requests; `decode` converts a label or a message from the form's encoding. */
  async buildRun(form: string, decode: (bytes: Uint8Array) => string, complete: boolean): Promise<BlockRun> {
    const { samples } = this
    const { count, successes } = samples
    const span = this.hasTimes && !this.isCoarse ? samples.span() : null
    const durationMs: Milliseconds | null = span === null ? null : span.totalNs / 1e6
    const decodeTarget = (key: Uint8Array) => ({ method: null, url: decode(key) || null })
    const targets = samples.listTargets(decodeTarget)
    const [only] = targets?.length === 1 ? targets : []
    return {
      ...blankRun('jmeter', form),
      name: only?.url ?? null,
      startedAt: this.hasTimes && this.hasZone ? samples.startedAt() : null,
      durationMs,
      requests: count,
      successes,
      successRatio: successes / count,
      requestsPerSecond: durationMs !== null && durationMs > 0 ? count / (durationMs / 1e3) : null,
      bytesIn: this.bytesIn,
      bytesOut: this.bytesOut,
      statusCodes: Object.fromEntries(
        [...this.statuses.entries()].filter(([, one]) => one > 0).map(([code, one]) => [String(code), one]),
      ),
      errors: samples.errors.list(decode),
      latencies: await samples.latencies(),
      phases: this.listPhases(),
      timeline: this.hasTimes ? samples.buildTimeline(this.hasZone) : null,
      targets,
      measures: this.listMeasures(),
      complete,
      ...besideOf(samples, { tool: 'jmeter', resolutionMs: 1, isOpenLoop: false, decodeError: decode, decodeTarget }),
      warnings: [...this.listWarnings(), ...(this.hasTimes && !this.isCoarse ? warnOfRows(samples) : [])],
    }
  }

  private listPhases(): Phase[] {
    return this.phases.flatMap(({ name, count, sum, min, max }) =>
      count === 0 ? [] : [{ name, meanMs: sum / count, minMs: min, maxMs: max }],
    )
  }

  private listMeasures(): Measure[] {
    const measure = (name: string, value: number): Measure => ({ name, value, unit: null, line: null })
    return [
      ...(this.maxThreads >= 0 ? [measure('max-threads', this.maxThreads)] : []),
      ...(this.transactions > 0 ? [measure('transactions', this.transactions)] : []),
      ...(this.hops > 0 ? [measure('hops', this.hops)] : []),
    ]
  }

  private listWarnings(): Warning[] {
    const warn = (code: string, message: string): Warning => ({ code, message, line: null })
    return [
      ...(this.uncoded > 0
        ? [
            warn(
              'samples-without-code',
              `${this.uncoded} samples have no HTTP status code: they come from another sampler, or the code was not saved.`,
            ),
          ]
        : []),
      ...(this.messageBytes > 0
        ? [
            warn(
              'bytes-of-messages',
              `${this.messageBytes} of the bytes in are texts of exceptions, which JMeter counts as received.`,
            ),
          ]
        : []),
      ...(this.hasTimes && !this.hasZone
        ? [
            warn(
              'no-time-zone',
              'Times are local to the machine that ran the test, and their zone is not stated: the start is unknown.',
            ),
          ]
        : []),
    ]
  }
}
