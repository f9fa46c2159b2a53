import { bucketCount } from '../../lib/cube/buckets'
import {
  absentValue,
  maxValues,
  restValue,
  statusClassCount,
  type CubeAttribute,
  type CubeValue,
} from '../../lib/cube/cube'
import { addCounts, type BucketRange } from './bucket-range'
import { statusOfKey } from './joint-key'
import { batchRows } from './sample-batch'

/** What is known of the rows of a batch when its columns are counted. */
export interface CountedRows {
  readonly size: number
  readonly latencyNs: Float64Array
  /** Bucket of each latency. */
  readonly buckets: Uint16Array
  /** Joint key of each row, and the class of each status in them, 0…5. */
  readonly keys: Int32Array
  readonly classOfStatus: Uint8Array
}

/** Rows of one value and one class of status, counted elsewhere. */
export interface CountedPart {
  readonly counts: Uint32Array
  readonly sumNs: number
  readonly statusClass: number
}

/**
 * Counts one attribute of a run's rows: for each value a histogram, the sum of latencies and the classes of status.
 * Values have numbers from 0; −1: the row states none, and is not counted. Memory: 6 kB a value.
 */
export class ValueColumn {
  /** Value of each row of the batch being filled. */
  readonly codes = new Int32Array(batchRows).fill(-1)
  private histograms = new Uint32Array(0)
  private sumsNs = new Float64Array(0)
  private classes = new Uint32Array(0)
  private places = 0

  /** `range`: of all buckets that it is given. */
  constructor(
    readonly name: string,
    protected readonly range: BucketRange,
  ) {}

  /** Counts the rows that have a value in `codes`, and forgets these. */
  take({ size, latencyNs, buckets, keys, classOfStatus }: CountedRows): void {
    const { codes } = this
    for (let row = 0; row < size; row++) {
      const code = codes[row] ?? -1
      if (code >= this.places) this.makeRoom(code + 1)
    }
    const { histograms, sumsNs, classes: byClass } = this
    for (let row = 0; row < size; row++) {
      const code = codes[row] ?? -1
      if (code < 0) continue
      codes[row] = -1
      const at = code * bucketCount + (buckets[row] ?? 0)
      histograms[at] = (histograms[at] ?? 0) + 1
      sumsNs[code] = (sumsNs[code] ?? 0) + (latencyNs[row] ?? 0)
      const ofClass = code * statusClassCount + (classOfStatus[statusOfKey(keys[row] ?? 0)] ?? 0)
      byClass[ofClass] = (byClass[ofClass] ?? 0) + 1
    }
  }

  /** The same for some rows of the batch: most have no value. */
  takeSome(some: ArrayLike<number>, count: number, { latencyNs, buckets, keys, classOfStatus }: CountedRows): void {
    const { codes } = this
    for (let at = 0; at < count; at++) {
      const row = some[at] ?? 0
      const code = codes[row] ?? -1
      if (code < 0) continue
      codes[row] = -1
      if (code >= this.places) this.makeRoom(code + 1)
      const place = code * bucketCount + (buckets[row] ?? 0)
      this.histograms[place] = (this.histograms[place] ?? 0) + 1
      this.sumsNs[code] = (this.sumsNs[code] ?? 0) + (latencyNs[row] ?? 0)
      const ofClass = code * statusClassCount + (classOfStatus[statusOfKey(keys[row] ?? 0)] ?? 0)
      this.classes[ofClass] = (this.classes[ofClass] ?? 0) + 1
    }
  }

  /** Adds rows of a value that were counted elsewhere. */
  addPart(value: number, { counts, sumNs, statusClass }: CountedPart): void {
    if (value >= this.places) this.makeRoom(value + 1)
    const from = value * bucketCount
    let rows = 0
    for (let bucket = this.range.low; bucket <= this.range.high; bucket++) {
      const count = counts[bucket] ?? 0
      rows += count
      this.histograms[from + bucket] = (this.histograms[from + bucket] ?? 0) + count
    }
    this.sumsNs[value] = (this.sumsNs[value] ?? 0) + sumNs
    const ofClass = value * statusClassCount + statusClass
    this.classes[ofClass] = (this.classes[ofClass] ?? 0) + rows
  }

  /** Rows with a value. */
  total(): CountedValue {
    const all = emptyValue()
    for (let value = 0; value < this.places; value++) this.add(all, this.valueAt(value))
    return all
  }

  private makeRoom(needed: number): void {
    const places = Math.max(needed, 2 * this.places, 4)
    this.histograms = enlarge(this.histograms, new Uint32Array(places * bucketCount))
    this.sumsNs = enlarge(this.sumsNs, new Float64Array(places))
    this.classes = enlarge(this.classes, new Uint32Array(places * statusClassCount))
    this.places = places
  }

  /**
   * The attribute with the names of its values; several numbers may have one name. Null name: beyond what was told
   * apart. Rows of `whole` without a value are `(absent)`. Null: no row states a value.
   */
  build(whole: CountedValue, nameOf: NameOf): CubeAttribute | null {
    const { named, rest, isStated } = this.named(whole, nameOf)
    if (!isStated) return null
    return this.publish(named, new Set(mostFirst(named).slice(0, maxValues)), rest)
  }

  /**
   * The attribute of the rows in a box, which `boxed` counted, and of all others: both name what is most frequent in the
   * run and what is in the box, so that a share outside of it is that of the same rows. Null: no row states a value.
   */
  buildBoxed(
    whole: CountedValue,
    boxed: { readonly column: ValueColumn; readonly whole: CountedValue },
    nameOf: NameOf,
  ): BoxedAttribute | null {
    const all = this.named(whole, nameOf)
    if (!all.isStated) return null
    const own = boxed.column.named(boxed.whole, nameOf)
    const kept = new Set([all, own].flatMap(({ named }) => mostFirst(named).slice(0, maxValues)))
    const others = new Map(
      [...all.named].map(([name, value]) => [name, this.without(value, own.named.get(name) ?? null)]),
    )
    const rest = all.rest && this.without(all.rest, own.rest)
    return { inside: this.publish(own.named, kept, own.rest), outside: this.publish(others, kept, rest) }
  }

  private without(value: CountedValue, taken: CountedValue | null): CountedValue {
    const left = { ...value, counts: value.counts.slice(), classes: value.classes.slice() }
    if (taken !== null) this.add(left, taken, -1)
    return left
  }

  /** Rows by name; those without a name, or without a value, apart. */
  private named(whole: CountedValue, nameOf: NameOf): NamedValues {
    const named = new Map<string, CountedValue>()
    const absent = { ...whole, counts: whole.counts.slice(), classes: whole.classes.slice() }
    for (let place = 0; place < this.places; place++) {
      const value = this.valueAt(place)
      if (value.rows === 0) continue
      this.add(absent, value, -1)
      const name = nameOf(place) ?? restValue
      const known = named.get(name)
      if (known === undefined) named.set(name, value)
      else this.add(known, value)
    }
    const isStated = named.size > 0
    if (absent.rows > 0) named.set(absentValue, absent)
    const rest = named.get(restValue) ?? null
    named.delete(restValue)
    return { named, rest, isStated }
  }

  private publish(
    named: ReadonlyMap<string, CountedValue>,
    kept: ReadonlySet<string>,
    rest: CountedValue | null,
  ): CubeAttribute {
    const shown = mostFirst(named).filter((name) => kept.has(name))
    const others = [...named].flatMap(([name, value]) => (kept.has(name) ? [] : [value]))
    const joined = rest ?? others.shift()
    for (const value of others) if (joined) this.add(joined, value)
    return {
      name: this.name,
      values: [
        ...shown.map((name) => publish(name, named.get(name) ?? emptyValue())),
        ...(joined ? [publish(restValue, joined)] : []),
      ],
      restValues: named.size - shown.length + (rest === null ? 0 : 1),
    }
  }

  /** Whether a row has another value than this. */
  hasOther(value: number): boolean {
    return Array.from({ length: this.places }, (_, place) => place).some(
      (place) => place !== value && this.valueAt(place).rows > 0,
    )
  }

  /** Adds rows of a value, of whatever status, that were counted elsewhere. */
  addCounted(value: number, { counts, sumNs, classes }: CountedValue): void {
    if (value >= this.places) this.makeRoom(value + 1)
    addCounts(this.histograms.subarray(value * bucketCount, (value + 1) * bucketCount), counts, this.range)
    this.sumsNs[value] = (this.sumsNs[value] ?? 0) + sumNs
    classes.forEach((count, one) => {
      const place = value * statusClassCount + one
      this.classes[place] = (this.classes[place] ?? 0) + count
    })
  }

  private add(to: CountedValue, from: CountedValue, sign: 1 | -1 = 1): void {
    addCounted(to, from, this.range, sign)
  }

  private valueAt(place: number): CountedValue {
    const classes = this.classes.slice(place * statusClassCount, (place + 1) * statusClassCount)
    return {
      rows: classes.reduce((sum, count) => sum + count, 0),
      sumNs: this.sumsNs[place] ?? 0,
      counts: this.histograms.slice(place * bucketCount, (place + 1) * bucketCount),
      classes,
    }
  }
}

/** The name of a value's number; null: beyond what was told apart. */
export type NameOf = (value: number) => string | null

/** An attribute of the rows in a box, and of all others. */
interface BoxedAttribute {
  readonly inside: CubeAttribute
  readonly outside: CubeAttribute
}

interface NamedValues {
  readonly named: Map<string, CountedValue>
  /** What was not told apart; null: nothing. */
  readonly rest: CountedValue | null
  /** Some row states a value. */
  readonly isStated: boolean
}

const mostFirst = (named: ReadonlyMap<string, CountedValue>): readonly string[] =>
  [...named].sort(([, a], [, b]) => b.rows - a.rows).map(([name]) => name)

/** Rows while they are added up. */
export interface CountedValue {
  rows: number
  sumNs: number
  readonly counts: Uint32Array
  readonly classes: Uint32Array
}

/** `sign` −1: takes them away. */
export function addCounted(to: CountedValue, from: CountedValue, range: BucketRange, sign: 1 | -1 = 1): void {
  to.rows += sign * from.rows
  to.sumNs += sign * from.sumNs
  addCounts(to.counts, from.counts, range, sign)
  for (let one = 0; one < statusClassCount; one++)
    to.classes[one] = (to.classes[one] ?? 0) + sign * (from.classes[one] ?? 0)
}

export const emptyValue = (): CountedValue => ({
  ...{ rows: 0, sumNs: 0, counts: new Uint32Array(bucketCount), classes: new Uint32Array(statusClassCount) },
})

const publish = (value: string, { rows, sumNs, counts, classes }: CountedValue): CubeValue => ({
  ...{ value, rows, sumMs: sumNs / 1e6, counts },
  statusClasses: [...classes],
})

function enlarge<Column extends { set(from: Column): void }>(column: Column, larger: Column): Column {
  larger.set(column)
  return larger
}
