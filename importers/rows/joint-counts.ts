import { bucketCount } from '../../lib/cube/buckets'
import { bytesBits, bytesOfKey, statusOfKey } from './joint-key'
import type { ValueColumn } from './value-column'

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
 * Counts rows by target, status and class of bytes together: one histogram a row instead of three, from which those of
 * each value are added up at the end.
 */
export class JointCounts {
  /** Open addressing: key + 1, and the combination's number. */
  private readonly keys = new Int32Array(tableSize)
  private readonly numbers = new Int32Array(tableSize)
  private readonly found: number[] = []
  /** Rows of the last batch that were not counted. */
  readonly left: number[] = []
  private histograms = new Uint32Array(8 * bucketCount)
  private sumsNs = new Float64Array(8)
  private room = 8

  /**
   * Counts rows; `keys`: of status and bytes, from `jointKey`. False: those at `left` must be counted value by value.
   * Doubles stay within the loop: passed on one by one, each would be an object.
   */
  add(size: number, targets: Int32Array, keys: Int32Array, buckets: Uint16Array, latencyNs: Float64Array): boolean {
    this.left.length = 0
    const { keys: table, numbers } = this
    let { histograms, sumsNs } = this
    for (let row = 0; row < size; row++) {
      const own = keys[row] ?? 0
      const key = (((targets[row] ?? -1) + 1) << keyBits) | own
      let place = Math.imul(key, 0x9e3779b1) >>> hashShift
      while (table[place] !== key + 1 && table[place] !== 0) place = (place + 1) & (tableSize - 1)
      if (table[place] === 0) {
        if (own >= jointKeys || this.found.length >= maxCombinations) {
          this.left.push(row)
          continue
        }
        this.insert(place, key)
        histograms = this.histograms
        sumsNs = this.sumsNs
      }
      const number = numbers[place] ?? 0
      const at = number * bucketCount + (buckets[row] ?? 0)
      histograms[at] = (histograms[at] ?? 0) + 1
      sumsNs[number] = (sumsNs[number] ?? 0) + (latencyNs[row] ?? 0)
    }
    return this.left.length === 0
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
