import { bucketCount } from '../../lib/cube/buckets'
import { bytesBits, bytesOfKey, statusOfKey } from './joint-key'
import type { BucketRange } from './bucket-range'
import { emptyValue, type CountedValue, type ValueColumn } from './value-column'

const tableSize = 4_096
/** Combinations counted together; rows of any other are counted value by value. Memory: 6 kB each. */
const maxCombinations = 1_024
const statusBits = 6
const maxStatuses = 1 << statusBits
const keyBits = statusBits + bytesBits
/** Keys from here on are of statuses that have no place in one. */
const jointKeys = 1 << keyBits
const hashShift = 20

/**
 * Rows by target, status and class of bytes together: one histogram a row instead of three, from which those of each
 * value are added up at the end. The builder counts into them.
 */
export class JointCounts {
  /** Open addressing: key + 1, and the combination's number. */
  private readonly keys = new Int32Array(tableSize)
  private readonly numbers = new Int32Array(tableSize)
  private readonly found: number[] = []
  /** A histogram and a sum for each combination; others whenever one is added. */
  histograms = new Uint32Array(8 * bucketCount)
  sumsNs = new Float64Array(8)
  private room = 8

  /** Number of a combination of `jointKey` and a target; −1: it has no place. */
  numberOf(target: number, own: number): number {
    const { keys: table } = this
    const key = ((target + 1) << keyBits) | own
    let place = Math.imul(key, 0x9e3779b1) >>> hashShift
    while (table[place] !== key + 1 && table[place] !== 0) place = (place + 1) & (tableSize - 1)
    if (table[place] === 0) {
      if (own >= jointKeys || this.found.length >= maxCombinations) return -1
      this.insert(place, key)
    }
    return this.numbers[place] ?? 0
  }

  private insert(place: number, key: number): void {
    this.keys[place] = key + 1
    this.numbers[place] = this.found.push(key) - 1
    if (this.found.length <= this.room) return
    this.room *= 2
    const [histograms, sumsNs] = [new Uint32Array(this.room * bucketCount), new Float64Array(this.room)]
    histograms.set(this.histograms)
    sumsNs.set(this.sumsNs)
    this.histograms = histograms
    this.sumsNs = sumsNs
  }

  /** All that was counted here. `classOf`: of a status. */
  total(range: BucketRange, classOf: (status: number) => number): CountedValue {
    const total = emptyValue()
    this.found.forEach((key, number) => {
      const from = number * bucketCount
      let rows = 0
      for (let bucket = range.low; bucket <= range.high; bucket++) {
        const count = this.histograms[from + bucket] ?? 0
        rows += count
        total.counts[bucket] = (total.counts[bucket] ?? 0) + count
      }
      const statusClass = classOf(statusOfKey(key) & (maxStatuses - 1))
      total.rows += rows
      total.sumNs += this.sumsNs[number] ?? 0
      total.classes[statusClass] = (total.classes[statusClass] ?? 0) + rows
    })
    return total
  }

  /** Adds what was counted to the columns of each value. `classOf`: of a status. */
  addTo(target: ValueColumn, status: ValueColumn, bytes: ValueColumn, classOf: (status: number) => number): void {
    this.found.forEach((key, number) => {
      const ofStatus = statusOfKey(key) & (maxStatuses - 1)
      const part = {
        counts: this.histograms.subarray(number * bucketCount, (number + 1) * bucketCount),
        sumNs: this.sumsNs[number] ?? 0,
        statusClass: classOf(ofStatus),
      }
      const ofTarget = (key >> keyBits) - 1
      if (ofTarget >= 0) target.addPart(ofTarget, part)
      status.addPart(ofStatus, part)
      bytes.addPart(bytesOfKey(key), part)
    })
  }
}
