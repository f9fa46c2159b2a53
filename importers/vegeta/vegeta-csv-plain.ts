import { areDigits, fourDigits } from '../text/digits'
import { padding } from '../text/row-carry'
import type { SampleBatch } from '../rows/sample-batch'
import type { Samples } from '../samples/samples'
import type { HeaderFigures } from '../headers/header-figures'
import { readBase64Headers } from '../headers/header-search'

const comma = 44
const timeDigits = 19
/** Whole numbers of at most this many digits are small integers to V8. */
const smallDigits = 9
const maxDigits = 15

/**
 * Reads plain rows of twelve columns in place: no quotes, times of nineteen digits. One call per row, so that V8
 * compiles one small function once; a loop over rows would be compiled while it runs and again for the next chunk.
 */
export class PlainCsvRows {
  // The last second read, as in the file.
  private second0 = 0
  private second1 = 0
  private second2 = 0
  private second = 0
  /** Where the headers of the row begin; 0: it has none. */
  private headersAt = 0
  /** Code, latency, bytes out, bytes in. */
  private readonly numbers = new Float64Array(4)

  constructor(
    private readonly samples: Samples,
    private readonly batch: SampleBatch,
    private readonly headers: HeaderFigures,
  ) {}

  /** Adds the row at `at`…`lineEnd`, which contains no quote; false: not plain. The batch has room. */
  read(bytes: Uint8Array, view: DataView, at: number, lineEnd: number): boolean {
    if (lineEnd - at <= 30 || lineEnd + padding > bytes.length || bytes[at + timeDigits] !== comma) return false
    // Time: ten digits of seconds, nine of nanoseconds.
    const second0 = view.getInt32(at, true)
    const second1 = view.getInt32(at + 4, true)
    const second2 = view.getUint16(at + 8, true)
    if (second0 !== this.second0 || second1 !== this.second1 || second2 !== this.second2) {
      if (!this.readSecond(bytes, at)) return false
      this.second0 = second0
      this.second1 = second1
      this.second2 = second2
    }
    const high = view.getInt32(at + 10, true)
    const middle = view.getInt32(at + 14, true)
    const low = (bytes[at + 18] ?? 0) - 48
    if (!areDigits(high) || !areDigits(middle) || low < 0 || low > 9) return false
    const { numbers, batch, samples } = this
    let place = this.readNumbers(bytes, at + timeDigits + 1)
    if (place < 0) return false
    const code = numbers[0] ?? 0
    if (code > 999) return false
    const errorFrom = place
    if (bytes[place] !== comma) place = bytes.indexOf(comma, place)
    const errorTo = place++
    if (bytes[place] !== comma) place = bytes.indexOf(comma, place)
    const attackFrom = ++place
    if (bytes[place] !== comma) place = bytes.indexOf(comma, place)
    const attackTo = place++
    // A comma was not found, or only on the next line.
    if (errorTo < errorFrom || attackFrom <= errorTo || attackTo < attackFrom || place >= lineEnd) return false
    const sequenceFrom = place
    let digit = (bytes[place] ?? 0) - 48
    let sequence = 0
    while (digit >= 0 && digit <= 9) {
      sequence = sequence * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    if (digit !== -4 || place === sequenceFrom) return false
    const target = this.findTarget(bytes, view, place + 1, lineEnd)
    if (target < 0) return false
    const row = batch.size++
    batch.seconds[row] = this.second
    batch.nanos[row] = fourDigits(high) * 100_000 + fourDigits(middle) * 10 + low
    batch.codes[row] = code
    batch.latencyNs[row] = numbers[1] ?? 0
    batch.bytesOut[row] = numbers[2] ?? 0
    batch.bytesIn[row] = numbers[3] ?? 0
    batch.targets[row] = target
    batch.sequences[row] = sequence
    if (errorTo > errorFrom) samples.addError(row, bytes, errorFrom, errorTo)
    if (attackTo > attackFrom) samples.countAttack(view, attackFrom, attackTo)
    if (this.headersAt > 0) this.readHeaders(bytes, view, lineEnd)
    return true
  }

  /** Reads four whole numbers, each before a comma, into `numbers`. Position after the last comma; −1: others. */
  private readNumbers(bytes: Uint8Array, from: number): number {
    const { numbers } = this
    let place = from
    for (let column = 0; column < 4; column++) {
      const start = place
      let small = 0
      let digit = (bytes[place] ?? 0) - 48
      while (digit >= 0 && digit <= 9 && place - start < smallDigits) {
        small = small * 10 + digit
        digit = (bytes[++place] ?? 0) - 48
      }
      let value = small
      while (digit >= 0 && digit <= 9) {
        value = value * 10 + digit
        digit = (bytes[++place] ?? 0) - 48
      }
      if (digit !== -4 || place === start || place - start > maxDigits) return -1
      numbers[column] = value
      place++
    }
    return place
  }

  private readHeaders(bytes: Uint8Array, view: DataView, lineEnd: number): void {
    readBase64Headers(this.headers, bytes, view, this.headersAt, bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd)
  }

  /** Reads ten digits of seconds. False: not digits. */
  private readSecond(bytes: Uint8Array, at: number): boolean {
    let second = 0
    for (let place = at; place < at + 10; place++) {
      const digit = (bytes[place] ?? 0) - 48
      if (digit < 0 || digit > 9) return false
      second = second * 10 + digit
    }
    this.second = second
    return true
  }

  /** Method, comma and address are the key; headers may follow. −1: other columns. */
  private findTarget(bytes: Uint8Array, view: DataView, from: number, lineEnd: number): number {
    const { targets } = this.samples
    this.headersAt = 0
    const last = lineEnd - 1
    if (bytes[last] === comma) {
      // Known keys were searched for commas when they were new.
      const known = targets.findRecent(view, from, last)
      if (known >= 0) return known
    }
    const methodTo = bytes.indexOf(comma, from)
    const urlTo = methodTo < 0 ? -1 : bytes.indexOf(comma, methodTo + 1)
    if (urlTo < 0 || urlTo >= lineEnd) return -1
    const more = bytes.indexOf(comma, urlTo + 1)
    if (more >= 0 && more < lineEnd) return -1
    if (urlTo < last) this.headersAt = urlTo + 1
    return targets.find(view, from, urlTo)
  }
}
