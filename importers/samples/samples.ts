import type { ServerRow } from '../../lib/cube/join-rows'
import type { Latency, Milliseconds, Quantile, RunWarmUp, Timeline, UtcIso } from '../../lib/run/run'
import { ByteKeys } from '../text/byte-keys'
import { CubeBuilder } from '../rows/cube-builder'
import { ErrorTexts } from './error-texts'
import { FlatHistogram, isReached, rankOf, slotOf } from './flat-histogram'
import { isoOf } from '../text/iso-time'
import { carryAt, deviationOf, divideSum, double, RunningStats } from './running-stats'
import { payloadChange, type PayloadChange } from './payload-change'
import { ResultSample } from './result-sample'
import { RowTable } from '../rows/row-table'
import { batchRows, SampleBatch } from '../rows/sample-batch'
import { StartTimes } from './start-times'
import { maxTrackedTargets, TargetTable } from './targets'
import { TimelineBin, TimelineBuilder } from './timeline'
import type { Wanted } from '../rows/wanted'
import { warmUpEnd } from './warm-up-bins'
import { latencyOf } from '../latency-of'

/** Latencies that are kept individually; beyond that, quantiles come from the histogram. */
const maxExactSamples = 100_000
interface Counted {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly histogram: FlatHistogram
}

interface ExactRows {
  readonly latencyNs: Float64Array
  readonly failed: Uint8Array
}

/** Placeholder before the first row. */
const emptyBin = new TimelineBin()
/** Most names of attacks that are distinguished. */
const maxAttacks = 64
const quantiles = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999] as const
/**
 * Everything kept of a run's results, however many: exact counts and sums, latencies in flat histograms of three
 * digits, the timeline, the targets, the errors. Memory: under 8 MB.
 */
export class Samples {
  readonly errors = new ErrorTexts()
  readonly targets = new ByteKeys(maxTrackedTargets)
  readonly attacks = new ByteKeys(maxAttacks)
  /** Requests by index of the attack's name; those without name are not counted here. */
  readonly attackCounts = new Float64Array(maxAttacks + 1)
  private readonly targetTable = new TargetTable()
  private readonly timeline = new TimelineBuilder()
  readonly startTimes = new StartTimes()
  private readonly batch = new SampleBatch()
  private readonly sample = new ResultSample()
  private readonly good = new RunningStats()
  private readonly bad = new RunningStats()
  private readonly goodHistogram = new FlatHistogram()
  private readonly badHistogram = new FlatHistogram()
  /** The first latencies in order of arrival, and which of them failed; null once there are too many. */
  private exact: ExactRows | null = {
    latencyNs: new Float64Array(1_024),
    failed: new Uint8Array(1_024),
  }
  private readonly codes = new Map<number, number>()
  private readonly commonCodes = new Float64Array(1_000)
  private pivot = double(0)
  private received = double(0)
  private sent = double(0)
  private zeroFailures = 0
  private baseSeconds = double(0)
  /** Results with a negative time or latency: they are in no figure. */
  negatives = 0
  /** Since `baseSeconds`, ns. */
  private first = Infinity
  private last = -Infinity
  private end = -Infinity

  /** Counts what rows differ by, and keeps each row: for those who asked. */
  readonly cube: CubeBuilder | null
  readonly table: RowTable | null
  readonly invocations: ReadonlyMap<string, ServerRow> | null

  constructor({ cube = false, box, table = false, invocations }: Wanted = {}) {
    this.cube = cube || box !== undefined ? new CubeBuilder(box ?? null) : null
    this.table = table ? new RowTable() : null
    this.invocations = invocations ?? null
  }

  get count(): number {
    return this.good.count + this.bad.count
  }

  get successes(): number {
    return this.good.count
  }

  /** Failed requests with latency 0: vegeta 8 to 12.5.0 did not measure them. */
  get failuresWithoutLatency(): number {
    return this.zeroFailures
  }

  get bytesIn(): number {
    return this.received
  }

  get bytesOut(): number {
    return this.sent
  }

  /** Counts the error of a row of the batch being filled. */
  addError(row: number, bytes: Uint8Array, from: number, to: number): void {
    const kind = this.errors.add(bytes, from, to)
    this.cube?.setError(row, kind)
  }

  /** Counts a request of the attack whose name is at `from`…`to`. */
  countAttack(view: DataView, from: number, to: number): void {
    const index = this.attacks.find(view, from, to)
    this.attackCounts[index] = (this.attackCounts[index] ?? 0) + 1
  }

  /** Adds a row, in the units of SampleBatch. `target` −1: none stated. The last ones are counted by `flush`. */
  write(seconds: number, nanos: number, latencyNs: number, code: number, bytesIn: number, target: number): void {
    const { batch } = this
    if (batch.size === batchRows) this.add(batch)
    const row = batch.size++
    batch.seconds[row] = seconds
    batch.nanos[row] = nanos
    batch.latencyNs[row] = latencyNs
    batch.codes[row] = code
    batch.bytesIn[row] = bytesIn
    batch.bytesOut[row] = 0
    batch.targets[row] = target
  }

  /** Place of the row written last, in the batch that `cube` and `table` describe. */
  get lastRow(): number {
    return this.batch.size - 1
  }

  /** Rows that were written and not counted yet. */
  get waiting(): number {
    return this.batch.size
  }

  /** Counts the rows that were written last. */
  flush(): void {
    this.add(this.batch)
  }

  /** Counts a batch and empties it. A request is a success when 200 ≤ code < 400. */
  add(batch: SampleBatch): void {
    if (batch.size === 0) return
    if (this.count === 0) {
      this.pivot = batch.latencyNs[0] ?? 0
      this.baseSeconds = batch.seconds[0] ?? 0
    }
    this.record(batch)
    this.keep(batch)
    this.startTimes.add(batch, this.baseSeconds, this.longestNs)
    this.sample.add(batch)
    this.cube?.add(batch, this.baseSeconds)
    this.table?.add(batch)
    batch.size = 0
  }

  /** One loop for everything: V8 compiles it once, early in the file. Sets the failures and crossings of the batch. */
  private record(batch: SampleBatch): void {
    const { size, seconds, nanos, latencyNs, codes, bytesIn, bytesOut, targets, failed, crossings } = batch
    const { good, timeline, targetTable, pivot, baseSeconds, commonCodes } = this
    const goodCounts = this.goodHistogram.counts
    let { first, last, end } = this
    let received = 0
    let sent = 0
    let goodSum = 0
    let goodSquares = 0
    let goodCount = 0
    let second = NaN
    let crossed = 0
    let bin = emptyBin
    for (let row = 0; row < size; row++) {
      const ns = latencyNs[row] ?? 0
      const code = codes[row] ?? 0
      const slot = slotOf(ns)
      const started = seconds[row] ?? 0
      if (started !== second) {
        second = started
        bin = timeline.open(second)
        crossings[crossed++] = row
      }
      const at = (started - baseSeconds) * 1e9 + (nanos[row] ?? 0)
      if (at < first) first = at
      if (at > last) last = at
      if (at + ns > end) end = at + ns
      received += bytesIn[row] ?? 0
      sent += bytesOut[row] ?? 0
      const isFailed = code < 200 || code >= 400 ? 1 : 0
      failed[row] = isFailed
      bin.record(slot >> 5, ns, isFailed)
      const target = targets[row] ?? -1
      if (target >= 0) targetTable.record(target, slot >> 5, ns, bytesIn[row] ?? 0, isFailed)
      if (isFailed === 1) {
        this.recordFailure(code, slot, ns)
        continue
      }
      commonCodes[code] = (commonCodes[code] ?? 0) + 1
      goodCounts[slot] = (goodCounts[slot] ?? 0) + 1
      goodCount++
      const difference = ns - pivot
      goodSquares += difference * difference
      goodSum += ns
      // A thousand latencies of up to 2^51 may pass 2^53.
      if (goodSum >= carryAt) {
        good.addSum(goodSum)
        goodSum = 0
      }
      if (ns < good.min) good.min = ns
      if (ns > good.max) good.max = ns
    }
    batch.crossed = crossed
    this.first = first
    this.last = last
    this.end = end
    this.received += received
    this.sent += sent
    good.addPart(goodCount, goodSum, goodSquares)
  }

  private recordFailure(code: number, slot: number, ns: number): void {
    const { bad, commonCodes } = this
    const badCounts = this.badHistogram.counts
    if (code < 1_000) commonCodes[code] = (commonCodes[code] ?? 0) + 1
    else this.codes.set(code, (this.codes.get(code) ?? 0) + 1)
    badCounts[slot] = (badCounts[slot] ?? 0) + 1
    bad.count++
    bad.addSum(ns)
    const difference = ns - this.pivot
    bad.squares += difference * difference
    if (ns < bad.min) bad.min = ns
    if (ns > bad.max) bad.max = ns
    if (ns === 0) this.zeroFailures++
  }

  private keep({ size, latencyNs, failed }: SampleBatch): void {
    let { exact } = this
    if (exact === null) return
    const before = this.count - size
    if (this.count > maxExactSamples) {
      this.exact = null
      return
    }
    if (this.count > exact.latencyNs.length) {
      const room = Math.min(maxExactSamples, Math.max(exact.latencyNs.length * 2, this.count))
      const larger = {
        latencyNs: new Float64Array(room),
        failed: new Uint8Array(room),
      }
      larger.latencyNs.set(exact.latencyNs)
      larger.failed.set(exact.failed)
      exact = larger
      this.exact = exact
    }
    exact.latencyNs.set(latencyNs.subarray(0, size), before)
    exact.failed.set(failed.subarray(0, size), before)
  }

  /** In ns: first request to last request, from there to the end of the last response, and both. Null without rows. */
  span(): {
    readonly attackNs: number
    readonly waitNs: number
    readonly totalNs: number
  } | null {
    if (this.count === 0) return null
    const attackNs = this.last - this.first
    return {
      attackNs,
      waitNs: this.end - this.last,
      totalNs: this.end - this.first,
    }
  }

  /** First and last start, ns since an arbitrary base; sum of all latencies, ms. Without rows: infinite. */
  get totals(): { readonly firstNs: number; readonly lastNs: number; readonly sumMs: number } {
    const sumMs = (Number(this.good.sum()) + Number(this.bad.sum())) / 1e6
    return { firstNs: this.first, lastNs: this.last, sumMs }
  }

  /** The longest latency of all, ns; −∞ without rows. */
  get longestNs(): number {
    return Math.max(this.good.max, this.bad.max)
  }

  /** When the first request began; null without rows and for times beyond any calendar. */
  startedAt(): UtcIso | null {
    return isoOf(this.baseSeconds * 1_000 + Math.floor(this.first / 1e6))
  }

  /** Second in which the first request began; null without rows. */
  startSeconds(): number | null {
    return this.count === 0 ? null : this.baseSeconds + Math.floor(this.first / 1e9)
  }

  statusCodes(): Record<string, number> {
    const common = [...this.commonCodes.entries()].filter(([, count]) => count > 0)
    const all = [...common, ...[...this.codes].sort(([a], [b]) => a - b)]
    return Object.fromEntries(all.map(([code, count]) => [String(code), count]))
  }

  /** Second in which the first bin of the timeline begins. Requires rows. */
  get timelineStartS(): number {
    return this.timeline.startSeconds
  }

  /** Null without rows. */
  buildTimeline(isWallClock: boolean): Timeline | null {
    const timeline = this.timeline.build(isWallClock)
    return timeline && { ...timeline, warmUp: this.warmUp(timeline) }
  }

  /** Null: too few results, or too few successful ones for a steady state. */
  private warmUp({ p50Ms, binMs }: Timeline): RunWarmUp | null {
    const { sample, count, successes, first, last, end, baseSeconds } = this
    const aheadNs = first - (this.timeline.startSeconds - baseSeconds) * 1e9
    const timeline = { p50Ms, widthNs: binMs * 1e6, aheadNs }
    const found = warmUpEnd({
      sample,
      count,
      successes,
      firstNs: first,
      lastNs: last,
      timeline,
    })
    if (found === null) return null
    const { endNs } = found
    if (endNs === Infinity) return { endMs: null, isSteady: false, steady: null }
    const steady = endNs === 0 ? null : this.timeline.steadyPart(baseSeconds, first, endNs, end - first)
    return { endMs: endNs / 1e6, isSteady: true, steady }
  }

  /** How the size of successful answers changed during the run; null: unchanged, or too few answers to tell. */
  payloadChange(): PayloadChange | null {
    return payloadChange(this.sample, this.first, this.last)
  }

  listTargets(decode: (key: Uint8Array) => { method: string | null; url: string | null }) {
    return this.targetTable.list((index) => decode(this.targets.key(index)))
  }

  /** Names of attacks (empty: none; null: all beyond the first 64) and their requests, in order of appearance. */
  listAttacks(decode: (bytes: Uint8Array) => string): { readonly name: string | null; readonly count: number }[] {
    const named = new Map<string, number>()
    for (let index = 0; index < this.attacks.size; index++) {
      const name = decode(this.attacks.key(index))
      named.set(name, (named.get(name) ?? 0) + (this.attackCounts[index] ?? 0))
    }
    const others = this.attackCounts[maxAttacks] ?? 0
    const unnamed = this.count - others - [...named.values()].reduce((sum, count) => sum + count, 0)
    const rest = others > 0 ? [{ name: null, count: others }] : []
    const listed = [...[...named].map(([name, count]) => ({ name, count })), ...rest]
    return unnamed > 0 ? [{ name: '', count: unnamed }, ...listed] : listed
  }

  /** All results; if some failed and some did not, both kinds too. Empty without rows. */
  async latencies(): Promise<Latency[]> {
    const { good, bad, goodHistogram, badHistogram } = this
    if (this.count === 0) return []
    if (bad.count === 0) return [await this.describe('all', [good], goodHistogram)]
    if (good.count === 0) return [await this.describe('all', [bad], badHistogram)]
    const both = new FlatHistogram()
    both.counts.set(goodHistogram.counts)
    both.addRange(badHistogram, slotOf(bad.min), slotOf(bad.max))
    return [
      await this.describe('all', [good, bad], both),
      await this.describe('success', [good], goodHistogram),
      await this.describe('failure', [bad], badHistogram),
    ]
  }

  private async describe(
    of: Latency['of'],
    parts: readonly RunningStats[],
    histogram: FlatHistogram,
  ): Promise<Latency> {
    const count = parts.reduce((sum, part) => sum + part.count, 0)
    const sum = parts.reduce((total, part) => total + part.sum(), 0n)
    const min = Math.min(...parts.map((part) => part.min))
    const max = Math.max(...parts.map((part) => part.max))
    const deviation = deviationOf(parts, this.pivot)
    return latencyOf({
      of,
      count,
      minMs: min / 1e6,
      meanMs: divideSum(sum, count) / 1e6,
      stdDevMs: deviation === null ? null : deviation / 1e6,
      maxMs: max / 1e6,
      quantiles: this.readQuantiles(of, { count, min, max, histogram }),
      histogram: await histogram.encode(min, max),
      origin: 'samples',
      method: this.exact === null ? 'hdr' : 'nearest-rank',
    })
  }

  /** Only as far as the count supports: a quantile that merely repeats the largest value is left out. */
  private readQuantiles(of: Latency['of'], { count, min, max, histogram }: Counted): Quantile[] {
    const reached = quantiles.filter((q) => isReached(q, count))
    const ranks = reached.map((q) => rankOf(q, count))
    const values = this.exact === null ? histogram.valuesAtRanks(ranks, min) : this.sortedValues(of, ranks)
    return reached.map((q, index): { q: number; ms: Milliseconds } => ({
      q,
      // A slot's top may exceed the largest value in it.
      ms: Math.min(max, values[index] ?? max) / 1e6,
    }))
  }

  private sortedValues(of: Latency['of'], ranks: readonly number[]): number[] {
    const { exact } = this
    if (exact === null) return []
    const kept = exact.latencyNs.subarray(0, this.count)
    const failed = of === 'failure' ? 1 : 0
    const values = of === 'all' ? kept.slice() : kept.filter((_, row) => exact.failed[row] === failed)
    values.sort()
    return ranks.map((rank) => values[rank - 1] ?? 0)
  }
}
