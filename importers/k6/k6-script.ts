import type { Bytes } from '../importer'

const quote = 34
const backslash = 92
/** Members whose values are dropped: a script's source and its setup's result may contain anything. */
const dropped: ReadonlySet<string> = new Set(['script', 'setup_data'])
const longestKey = 16
const masked = new TextEncoder().encode('"[masked]"')

/** A k6 summary without its script's source and its setup's result, which figures do not need. */
export async function* withoutScript(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const filter = new MemberFilter()
  for await (const chunk of bytes) yield filter.pass(chunk)
}

/** Scans JSON byte by byte, whatever the chunks, and leaves out the values of some members. */
class MemberFilter {
  private isInString = false
  private isEscaped = false
  /** The last string read, as far as it may be a key. */
  private key = ''
  /** A string has ended, followed only by blanks so far. */
  private isAfterString = false
  /** State within the value of a dropped member: not begun, a string or a number, brackets. */
  private skipping: 'no' | 'before' | 'plain' | 'brackets' = 'no'
  private depth = 0

  pass(chunk: Uint8Array): Uint8Array {
    const out = new Uint8Array(chunk.length + masked.length * (1 + Math.ceil(chunk.length / 10)))
    let size = 0
    for (const byte of chunk) {
      if (this.skipping === 'no') {
        out[size++] = byte
        this.read(byte)
        continue
      }
      const state = this.skip(byte)
      if (state === 'begins') {
        out.set(masked, size)
        size += masked.length
      } else if (state === 'is-over' || state === 'blank') out[size++] = byte
    }
    return out.subarray(0, size)
  }

  private read(byte: number): void {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) {
        this.isInString = false
        this.isAfterString = true
        return
      }
      if (this.key.length <= longestKey) this.key += String.fromCharCode(byte)
      return
    }
    if (byte === quote) {
      this.isInString = true
      this.key = ''
    } else if (byte === 58 && this.isAfterString && dropped.has(this.key)) this.skipping = 'before'
    if (byte > 32) this.isAfterString = false
  }

  /** The role of a byte within a value that is left out. */
  private skip(byte: number): 'begins' | 'inside' | 'is-over' | 'blank' {
    if (this.skipping === 'before') {
      if (byte <= 32) return 'blank'
      this.depth = byte === 123 || byte === 91 ? 1 : 0
      this.isInString = byte === quote
      this.skipping = this.depth > 0 ? 'brackets' : 'plain'
      return 'begins'
    }
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) this.isInString = false
      return 'inside'
    }
    if (this.skipping === 'brackets') {
      if (byte === quote) this.isInString = true
      else if (byte === 123 || byte === 91) this.depth++
      else if (byte === 125 || byte === 93) this.depth--
      if (this.depth === 0) this.skipping = 'no'
      return 'inside'
    }
    // A string, a number or a word ends before what follows it.
    if (byte !== 44 && byte !== 125 && byte > 32) return 'inside'
    this.skipping = 'no'
    return 'is-over'
  }
}
