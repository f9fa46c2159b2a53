import { readLatin1 } from './fast-bytes'
import type { LambdaInvocation } from './lambda-invocation'

const space = 32
const tab = 9
const carriageReturn = 13
const dot = 46
const idLength = 36

const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const anchor = toBytes('REPORT RequestId: ')
const duration = toBytes('\tDuration: ')
const billed = toBytes('\tBilled Duration: ')
const memory = toBytes('\tMemory Size: ')
const maxMemory = toBytes('\tMax Memory Used: ')
const init = toBytes('\tInit Duration: ')
const ms = toBytes(' ms')
const mb = toBytes(' MB')

/**
 * Reads REPORT lines as Lambda's platform writes them, from bytes: the four fields in their order between tabs, and an
 * Init Duration. Any other line is left to the reader of lines.
 */
export class ReportBytes {
  private at = 0
  private bytes: Uint8Array = new Uint8Array(0)

  /** The line `from`…`to` without its line feed; null: not in that layout. */
  read(bytes: Uint8Array, from: number, to: number): LambdaInvocation | null {
    this.bytes = bytes
    this.at = from
    if (to - from < 120 || !this.take(anchor)) return null
    const idAt = this.at
    this.at += idLength
    const durationMs = this.takeField(duration, ms)
    const billedMs = this.takeField(billed, ms)
    // Before December 2020 a space stood here.
    if (bytes[this.at] === space) this.at++
    const memorySizeMb = this.takeField(memory, mb)
    const maxMemoryUsedMb = this.takeField(maxMemory, mb)
    const isInit = bytes[this.at] === tab && bytes[this.at + 1] === init[1]
    const initMs = isInit ? this.takeField(init, ms) : -1
    if (durationMs < 0 || billedMs < 0 || memorySizeMb < 0 || maxMemoryUsedMb < 0 || (isInit && initMs < 0)) return null
    if (bytes[this.at] === tab) this.at++
    if (bytes[this.at] === carriageReturn) this.at++
    if (this.at !== to) return null
    const requestId = readLatin1(bytes, idAt, idAt + idLength)
    if (!uuid.test(requestId)) return null
    return {
      requestId,
      durationMs,
      billedMs,
      memorySizeMb,
      maxMemoryUsedMb,
      initMs: isInit ? initMs : null,
      restoreMs: null,
      billedRestoreMs: null,
      status: 'success',
      errorType: null,
      reportedAtMs: null,
    }
  }

  private take(expected: Uint8Array): boolean {
    const { bytes, at } = this
    for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false
    this.at += expected.length
    return true
  }

  /** A number between a name and a unit; −1: not there. At most eight digits before the point and three behind it. */
  private takeField(name: Uint8Array, unit: Uint8Array): number {
    if (!this.take(name)) return -1
    const { bytes } = this
    let at = this.at
    let value = 0
    let scale = 0
    const start = at
    for (; ; at++) {
      const byte = bytes[at] ?? 0
      if (byte === dot && scale === 0 && at > start) scale = 1
      else if (byte >= 48 && byte <= 57) {
        value = value * 10 + byte - 48
        if (scale > 0) scale *= 10
      } else break
    }
    if (at === start || at - start > 12 || scale === 1 || scale > 1_000) return -1
    this.at = at
    if (!this.take(unit)) return -1
    return scale > 1 ? value / scale : value
  }
}

const uuid = /^[\w-]{36}$/
