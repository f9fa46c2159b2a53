import { maxValues } from '../../lib/cube/cube'
import { ByteKeys } from '../text/byte-keys'
import { addCounted, ValueColumn, type CountedValue } from './value-column'

const recentWords = 16
/** A hash shifted by this many bits is a place among them. */
const recentShift = 28

/** An attribute whose values are texts; with more of them than a cube has values it is an id. */
export class TextColumn extends ValueColumn {
  readonly keys = new ByteKeys(maxValues + 1)
  /** The only value so far, of every row with headers from the next batch on; −1: rows are set one by one. */
  constant = -1
  /** Rows with headers before those that have the constant and are not counted yet; null: all are counted. */
  private before: CountedValue | null = null

  get isSteady(): boolean {
    return this.before !== null
  }

  /** Short values found lately, with their lengths and numbers. */
  private readonly words = new Int32Array(recentWords)
  private readonly lengths = new Uint8Array(recentWords).fill(255)
  private readonly found = new Uint8Array(recentWords)

  /** The row's value is the text at `from`…`to`. */
  set(row: number, view: DataView, from: number, to: number): void {
    const length = to - from
    if (length > 4) {
      this.codes[row] = this.keys.find(view, from, to)
      return
    }
    // `HIT` and `MISS`.
    let word = 0
    for (let at = from; at < to; at++) word = (word << 8) | view.getUint8(at)
    const place = Math.imul(word, 0x9e3779b1) >>> recentShift
    if (this.words[place] !== word || this.lengths[place] !== length) {
      this.words[place] = word
      this.lengths[place] = length
      this.found[place] = this.keys.find(view, from, to)
    }
    this.codes[row] = this.found[place] ?? 0
  }

  /** Rows from here on have the constant, until `endSteady`. `before`: rows with headers so far. */
  beginSteady(before: CountedValue): void {
    this.before = before
  }

  /** Counts the rows since then; `now`: rows with headers, the batch being filled left out. False: there are none. */
  endSteady(now: () => CountedValue): boolean {
    const { before } = this
    if (before === null) return false
    this.before = null
    const since = now()
    addCounted(since, before, this.range, -1)
    this.addCounted(this.constant, since)
    return true
  }
}
