import { bucketCount } from '../../lib/cube/buckets'
import { cubeVersion, maxNumbers, maxValues, type BoxedCubes, type Cube, type CubeAttribute } from '../../lib/cube/cube'
import type { RowBox } from '../../lib/cube/row-box'
import { BoxCounter, type NamedColumn } from './box-counter'
import { BucketTable } from './bucket-table'
import { emptyRange } from './bucket-range'
import { HeaderColumns } from './header-columns'
import { InFlight } from './in-flight'
import { JointCounts } from './joint-counts'
import { bytesOfKey, jointKey, statusOfKey } from './joint-key'
import { NumberColumn } from './number-column'
import { batchRows, type SampleBatch } from './sample-batch'
import type { TextColumn } from './text-column'
import { TimeBins } from './time-bins'
import { addCounted, ValueColumn, type CountedRows, type CountedValue, type NameOf } from './value-column'

const maxUsers = 1 << 20
const maxErrors = 1_001
/** Targets that a reader tells apart, the rest and none. */
const maxTargets = 402

/** What a form says of its rows, beside them. */
export interface CubeFacts {
  readonly tool: string
  /** Step of the printed latencies, ms; 0: finer than a bucket. */
  readonly resolutionMs: number
  readonly isOpenLoop: boolean
  /** Name of a target; null: beyond those told apart. */
  readonly targetOf: (index: number) => string | null
  readonly methodOf: ((index: number) => string | null) | null
  readonly errorOf: (kind: number) => string | null
  /** Name of a status; absent: its code. */
  readonly statusOf?: (status: number) => string
  /** First and last start, ns since an arbitrary base. */
  readonly firstNs: number
  readonly lastNs: number
  readonly sumMs: number
  readonly rows: number
}

/**
 * Counts a run's rows into a cube, batch by batch. A reader adds what a row is beside its figures by its place in the
 * batch; what it does not add is not an attribute of the run. Memory: 6 kB for each value and bin of time.
 */
export class CubeBuilder {
  private readonly range = emptyRange()
  /** Status of each row of the batch, where it is not its code. */
  private readonly statuses = new Int32Array(batchRows)
  private hasStatuses = false
  private readonly statusKeys = new Int16Array(65_536).fill(-1)
  private readonly table = BucketTable.get()
  private readonly statusNames: number[] = []
  private readonly buckets = new Uint16Array(batchRows)
  private readonly keys = new Int32Array(batchRows)
  private readonly classOfStatus = new Uint8Array(65_536)
  private readonly target = new ValueColumn('target', this.range)
  private readonly status = new ValueColumn('status', this.range)
  private readonly error = new ValueColumn('error', this.range)
  private readonly connection = new ValueColumn('connection', this.range)
  private readonly bytes = new ValueColumn('bytes', this.range)
  private readonly cold = new ValueColumn('cold', this.range)
  readonly headers = new HeaderColumns(this.range, () => this.counted())
  private readonly numbers: NumberColumn[] = []
  private readonly joint = new JointCounts()
  /** Of each target and of none: what its last row was, and the number of both together. */
  private readonly lastOwn = new Int32Array(maxTargets).fill(-1)
  private readonly lastNumber = new Int32Array(maxTargets)
  /** Rows of the batch that have no place among the combinations. */
  private readonly left: number[] = []
  private readonly time = new TimeBins(this.range)
  private inFlight: InFlight | null = null
  private readonly userCounts = new Map<number, number>()
  private hasErrors = false
  /** Rows of the batch with an error. */
  private readonly failed = new Int32Array(batchRows)
  private failedCount = 0
  private hasConnections = false
  private hasColdStarts = false
  /** Rows of one time say nothing about time. */
  hasTimes = true
  /** A closed loop's are counted; those of an open one follow from its rate. */
  countsInFlight = true
  private readonly box: BoxCounter | null

  /** `box`: its rows are counted apart, too; its times count from a second as rows have them. Null: there is none. */
  constructor(box: { readonly of: RowBox; readonly originS: number } | null = null) {
    const { target, status, bytes } = this
    this.box = box && new BoxCounter(box.of, box.originS, this.range, { target, status, bytes })
  }

  /** Where the status of a row is not its code. 0: no answer. */
  setStatus(row: number, status: number): void {
    this.statuses[row] = status
    this.hasStatuses = true
  }

  /** Number of an error's kind, from `ErrorTexts`. */
  setError(row: number, kind: number): void {
    this.error.codes[row] = Math.min(kind, maxErrors - 1)
    this.failed[this.failedCount++] = row
    this.hasErrors = true
  }

  setConnection(row: number, isNew: boolean): void {
    this.connection.codes[row] = isNew ? 1 : 0
    this.hasConnections = true
  }

  setCold(row: number, isCold: boolean): void {
    this.cold.codes[row] = isCold ? 1 : 0
    this.hasColdStarts = true
  }

  /** A column for a number; null: there are too many. */
  addNumber(name: string): NumberColumn | null {
    const known = this.numbers.find((column) => column.name === name)
    if (known !== undefined || this.numbers.length >= maxNumbers) return known ?? null
    const column = new NumberColumn(name)
    this.numbers.push(column)
    return column
  }

  /** The users that the tool says were active. */
  countUsers(users: number): void {
    if (users >= 0 && users < maxUsers) this.userCounts.set(users, (this.userCounts.get(users) ?? 0) + 1)
  }

  /** Counts a batch; its times count from `baseSeconds`. */
  add(batch: SampleBatch, baseSeconds: number): void {
    this.describe(batch)
    const rows = this.rowsOf(batch)
    if (this.box !== null) this.box.add(batch, rows, this.codes())
    this.error.takeSome(this.failed, this.failedCount, rows)
    this.failedCount = 0
    if (this.hasConnections) this.connection.take(rows)
    if (this.hasColdStarts) this.cold.take(rows)
    if (this.headers.columns.length > 0) this.headers.take(rows)
    for (const column of this.numbers) column.take(rows)
    if (this.hasTimes) this.time.add(batch, this.buckets, baseSeconds)
    if (this.hasTimes && this.countsInFlight) (this.inFlight ??= new InFlight()).add(batch, baseSeconds)
  }

  /** What the rows of a batch have in the columns that are counted row by row. */
  private codes(): readonly (readonly [ValueColumn, (row: number) => number])[] {
    const { error, connection, cold, headers } = this
    return [
      ...[error, connection, cold].map((column) => [column, (row: number) => column.codes[row] ?? -1] as const),
      ...headers.columns.map((column) => [column, (row: number) => headers.codeOf(column, row)] as const),
    ]
  }

  /** All rows counted so far. */
  private counted(): CountedValue {
    const counted = this.joint.total(this.range, (key) => this.classOfStatus[key] ?? 0)
    addCounted(counted, this.status.total(), this.range)
    return counted
  }

  private rowsOf({ size, latencyNs }: SampleBatch): CountedRows {
    const { buckets, keys, classOfStatus } = this
    return { size, latencyNs, buckets, keys, classOfStatus }
  }

  /** Counts target, status and bytes of each row; sets their buckets and keys. */
  private describe(batch: SampleBatch): void {
    const { size, latencyNs, codes, bytesIn, targets } = batch
    const { buckets, keys, table, joint, lastOwn, lastNumber, range } = this
    const statuses = this.hasStatuses ? this.statuses : codes
    let { low, high } = range
    let { histograms, sumsNs } = joint
    let status = -1
    let received = -0.5
    let own = 0
    this.left.length = 0
    for (let row = 0; row < size; row++) {
      const ns = latencyNs[row] ?? 0
      const bucket = table.bucketOf(ns)
      buckets[row] = bucket
      if (bucket < low) low = bucket
      if (bucket > high) high = bucket
      if (statuses[row] !== status || bytesIn[row] !== received) {
        status = statuses[row] ?? 0
        received = bytesIn[row] ?? 0
        own = this.keyOf(status, received)
      }
      keys[row] = own
      const target = (targets[row] ?? -1) + 1
      if (lastOwn[target] !== own) {
        const found = joint.numberOf(target - 1, own)
        if (found < 0) {
          this.left.push(row)
          continue
        }
        histograms = joint.histograms
        sumsNs = joint.sumsNs
        lastOwn[target] = own
        lastNumber[target] = found
      }
      const number = lastNumber[target] ?? 0
      const at = number * bucketCount + bucket
      histograms[at] = (histograms[at] ?? 0) + 1
      sumsNs[number] = (sumsNs[number] ?? 0) + ns
    }
    range.low = low
    range.high = high
    if (this.left.length > 0) this.countLeft(batch)
  }

  private keyOf(status: number, received: number): number {
    const known = this.statusKeys[status] ?? -1
    const bytes = received < 1 ? 0 : 1 + ((31 - Math.clz32(received < 0x7fffffff ? received : 0x7fffffff)) >> 1)
    return jointKey(known < 0 ? this.addStatus(status) : known, bytes)
  }

  private addStatus(status: number): number {
    const key = this.statusNames.push(status) - 1
    this.statusKeys[status] = key
    this.classOfStatus[key] = classOf(status)
    return key
  }

  /** Counts rows that have no place among the combinations. */
  private countLeft(batch: SampleBatch): void {
    for (const row of this.left) {
      const key = this.keys[row] ?? 0
      this.target.codes[row] = batch.targets[row] ?? -1
      this.status.codes[row] = statusOfKey(key)
      this.bytes.codes[row] = bytesOfKey(key)
    }
    for (const column of [this.target, this.status, this.bytes]) column.take(this.rowsOf(batch))
  }

  /** The cube of all rows added; that of the rows in the box and of all others, if there is one. To be called once. */
  build(facts: CubeFacts): { readonly cube: Cube; readonly boxed: BoxedCubes | null } {
    const { tool, resolutionMs, isOpenLoop, firstNs, lastNs, sumMs, rows } = facts
    this.headers.end()
    this.joint.addTo(this.target, this.status, this.bytes, (key) => this.classOfStatus[key] ?? 0)
    const whole = this.status.total()
    const dropped = this.headers.columns.filter(({ keys }) => keys.size > maxValues)
    const columns = this.columns(facts, dropped)
    const cube: Cube = {
      ...{ version: cubeVersion, tool, rows, resolutionMs, sumMs, isOpenLoop },
      spanMs: this.hasTimes ? (lastNs - firstNs) / 1e6 : 0,
      users: medianOf(this.userCounts),
      peakInFlight: this.hasTimes ? (this.inFlight?.peak() ?? null) : null,
      all: whole.counts,
      slices: this.hasTimes ? this.time.slices(firstNs, lastNs) : [],
      attributes: columns.flatMap(({ name, column, nameOf }) => named(name, column.build(whole, nameOf)) ?? []),
      numbers: this.numbers.flatMap((column) => column.build() ?? []),
      dropped: dropped.map(({ name }) => name),
    }
    return { cube, boxed: this.box && this.box.build(cube, whole, columns) }
  }

  /** The columns whose values were told apart, and what their numbers mean. */
  private columns(
    { targetOf, methodOf, errorOf, statusOf = String }: CubeFacts,
    dropped: readonly TextColumn[],
  ): readonly NamedColumn[] {
    const of = (column: ValueColumn, nameOf: NameOf, name = column.name) => ({ name, column, nameOf })
    return [
      of(this.target, targetOf),
      // Methods are those of targets.
      ...(methodOf === null ? [] : [of(this.target, methodOf, 'method')]),
      of(this.status, (key) => statusOf(this.statusNames[key] ?? 0)),
      ...(this.hasErrors ? [of(this.error, errorOf)] : []),
      ...(this.hasConnections ? [of(this.connection, (key) => (key === 1 ? 'new' : 'reused'))] : []),
      ...(this.hasColdStarts ? [of(this.cold, (key) => (key === 1 ? 'cold' : 'warm'))] : []),
      // No row had a byte: the form does not count them.
      ...(this.bytes.hasOther(0) ? [of(this.bytes, byteClass)] : []),
      ...this.headers.columns.filter((column) => !dropped.includes(column)).map((column) => of(column, textOf(column))),
    ]
  }
}

const named = (name: string, attribute: CubeAttribute | null): CubeAttribute | null =>
  attribute && { ...attribute, name }

/** Class of a status, 0…5; 0: no answer. */
const classOf = (status: number): number => (status < 600 ? (status / 100) | 0 : 5)

const decoder = new TextDecoder()
const maxValueLength = 60

const textOf =
  ({ keys }: TextColumn) =>
  (index: number): string | null =>
    index >= keys.rest ? null : decoder.decode(keys.key(index)).slice(0, maxValueLength)

const byteClass = (key: number): string => (key === 0 ? '0' : `${4 ** (key - 1)}-${4 ** key - 1} B`)

function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    below += count
    if (2 * below >= total) return value
  }
  return null
}
