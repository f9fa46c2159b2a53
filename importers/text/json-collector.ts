import { maxJsonDepth } from '../../lib/text'

/** Most characters of one JSON object that are buffered. */
const maxBufferedLength = 1_048_576

/**
 * Collects the lines of one JSON object without parsing it: finds its end by its brackets, one character at a time (no
 * recursion), and keeps at most 1 MiB. What was cut off or left out is closed after the last complete member.
 */
export class JsonCollector {
  private buffer = ''
  private brackets = ''
  private inString = false
  private escaped = false
  private closed = false
  private shortened = false
  /** Where the last complete member ends, and the brackets open there. */
  private lastMember: { readonly length: number; readonly brackets: string } | null = null

  get isEmpty(): boolean {
    return this.buffer === ''
  }

  /** What has been collected so far. */
  get text(): string {
    return this.buffer
  }

  /** A part of the object was left out because it is too long. */
  get isShortened(): boolean {
    return this.shortened
  }

  /** Adds a line. `closed`: the object ended in it. `not-json`: brackets that do not match, or nested too deeply. */
  add(line: string, tooLong: boolean): 'open' | 'closed' | 'not-json' {
    const isFull = this.buffer.length + line.length > maxBufferedLength
    if (isFull) this.shortened = true
    for (let index = 0; index < line.length && !this.closed; index++) {
      const bufferedLength = this.buffer.length + index
      if (!this.addCharacter(line.charCodeAt(index), isFull ? null : bufferedLength)) return 'not-json'
    }
    // A line break inside a string was added by a terminal: JSON has none there.
    if (!isFull) this.buffer += this.inString ? line : `${line}\n`
    if (tooLong && !this.closed) {
      // The rest of the line is unknown, and so is everything after it.
      this.shortened = true
      this.closed = true
    }
    return this.closed ? 'closed' : 'open'
  }

  private addCharacter(code: number, bufferedLength: number | null): boolean {
    if (this.inString) {
      if (this.escaped) this.escaped = false
      else if (code === 0x5c) this.escaped = true
      else if (code === 0x22) this.inString = false
      return true
    }
    switch (code) {
      case 0x22:
        this.inString = true
        return true
      case 0x7b:
      case 0x5b:
        this.brackets += code === 0x7b ? '}' : ']'
        return this.brackets.length <= maxJsonDepth
      case 0x7d:
      case 0x5d: {
        if (this.brackets.charCodeAt(this.brackets.length - 1) !== code) return false
        this.brackets = this.brackets.slice(0, -1)
        if (this.brackets === '') this.closed = true
        return true
      }
      case 0x2c:
        if (bufferedLength !== null) this.lastMember = { length: bufferedLength, brackets: this.brackets }
        return true
      default:
        return this.brackets !== '' || code === 0x20 || code === 0x09
    }
  }

  /** The object's value; for a truncated one, all complete members. Undefined: not JSON. */
  parse(): unknown {
    const whole = this.closed && !this.shortened
    // A comma, or the end of an array of objects, may follow the closing bracket.
    const end = whole ? this.buffer.lastIndexOf('}') + 1 : (this.lastMember?.length ?? 0)
    const closing = whole ? '' : [...(this.lastMember?.brackets ?? '')].reverse().join('')
    try {
      return JSON.parse(this.buffer.slice(0, end) + closing)
    } catch {
      return undefined
    }
  }
}
