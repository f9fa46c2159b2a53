import type { WaitingReports } from './waiting-reports'

const space = 32
const tab = 9
const lineFeed = 10
const carriageReturn = 13
const dot = 46
const idLength = 36

const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const anchor = toBytes('REPORT RequestId: ')
const duration = toBytes('\tDuration: ')
const billed = toBytes(' ms\tBilled Duration: ')
const memory = toBytes('\tMemory Size: ')
const maxMemory = toBytes(' MB\tMax Memory Used: ')
const init = toBytes('\tInit Duration: ')
const ms = toBytes(' ms')
const mb = toBytes(' MB')

/**
 * Reads REPORT lines in the platform's own format from bytes: the four fields in order between tabs, and an Init
 * Duration. Any other line is left to the line reader.
 */
export class ReportBytes {
  private at = 0
  private value = 0

  /**
   * Reads the line at `from` into the next place of `rows`, without counting it there; returns the position of its line
   * feed. −1: another layout, or incomplete before `end`.
   */
  read(bytes: Uint8Array, from: number, end: number, rows: WaitingReports): number {
    const idAt = from + anchor.length
    this.at = idAt + idLength
    // The shortest such line has 121 bytes.
    if (from + 120 > end || !isAt(bytes, from, anchor) || !rows.key.readUuid(bytes, idAt)) return -1
    const row = rows.next
    if (!this.takeNumber(bytes, duration)) return -1
    rows.durationMs[row] = this.value
    if (!this.takeNumber(bytes, billed) || !this.take(bytes, ms)) return -1
    rows.billedMs[row] = this.value
    // Before December 2020 a space was here.
    if (bytes[this.at] === space) this.at++
    if (!this.takeNumber(bytes, memory)) return -1
    rows.memorySizeMb[row] = this.value
    if (!this.takeNumber(bytes, maxMemory) || !this.take(bytes, mb)) return -1
    rows.maxMemoryUsedMb[row] = this.value
    rows.initMs[row] = NaN
    if (bytes[this.at] === tab && bytes[this.at + 1] === init[1]) {
      if (!this.takeNumber(bytes, init) || !this.take(bytes, ms)) return -1
      rows.initMs[row] = this.value
    }
    if (bytes[this.at] === tab) this.at++
    if (bytes[this.at] === carriageReturn) this.at++
    if (this.at >= end || bytes[this.at] !== lineFeed) return -1
    rows.high[row] = rows.key.high
    rows.low[row] = rows.key.low
    rows.hasKey[row] = 1
    rows.restoreMs[row] = NaN
    rows.billedRestoreMs[row] = NaN
    rows.reportedAtMs[row] = NaN
    rows.status[row] = 'success'
    rows.errorType[row] = null
    return this.at
  }

  private take(bytes: Uint8Array, expected: Uint8Array): boolean {
    if (!isAt(bytes, this.at, expected)) return false
    this.at += expected.length
    return true
  }

  /**
   * A number after its name, into `value`; false: not there. At most eight digits before the point and three after it.
   */
  private takeNumber(bytes: Uint8Array, name: Uint8Array): boolean {
    if (!this.take(bytes, name)) return false
    const start = this.at
    let at = start
    let digits = 0
    let pointAt = 0
    for (; ; at++) {
      const byte = bytes[at] ?? 0
      if (byte >= 48 && byte <= 57) digits = digits * 10 + byte - 48
      else if (byte === dot && pointAt === 0 && at > start) pointAt = at
      else break
    }
    const decimals = pointAt === 0 ? 0 : at - pointAt - 1
    if (at === start || at - start > 12 || decimals > 3 || (pointAt > 0 && decimals === 0)) return false
    this.at = at
    this.value = decimals === 0 ? digits : digits / (decimals === 2 ? 100 : decimals === 1 ? 10 : 1_000)
    return true
  }
}

function isAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false
  return true
}
