const quote = 34
const backslash = 92
const lineFeed = 10
const open = 123
const close = 125
const openList = 91
const closeList = 93
/** Longer strings are truncated when buffered: no reader needs a body. */
const maxStringBytes = 32 * 1024
const maxBufferedBytes = 256 * 1024

/**
 * Collects consecutive JSON objects in any layout, chunk by chunk, whatever their size: nested content of more than
 * `maxNestedBytes` is left out (`"headers":{}`), and long strings are shortened.
 */
export class JsonObjects {
  /** The buffered part of the object. */
  private buffer = new Uint8Array(4_096)
  private size = 0
  private depth = 0
  private isInString = false
  private isEscaped = false
  private stringBytes = 0
  /** Text outside of objects is skipped to the end of its line. */
  private isGarbage = false
  private hadLineFeed = false
  private isTooLong = false
  /** Start of the nested content in the buffer, after its bracket. */
  private nestedFrom = 0
  private isLeavingOut = false
  /** Something nested in the object was left out. */
  isThinned = false
  /** Line feeds passed so far. */
  lines = 0

  constructor(private readonly maxNestedBytes = 0) {}

  /** Whether an object has begun and not ended. */
  get isOpen(): boolean {
    return this.depth > 0
  }

  /** The object that `take` closed. Null: it was too long. */
  text(): string | null {
    return this.isTooLong ? null : decoder.decode(this.buffer.subarray(0, this.size))
  }

  /** The available part of an object that `take` gave up. */
  start(): string {
    return decoder.decode(this.buffer.subarray(0, Math.min(60, this.size)))
  }

  /**
   * Takes bytes from `from` on. `closed`: an object ended before `at`. `bad`: something that is no object, or a
   * broken-off object. `more`: all bytes are taken.
   */
  take(
    bytes: Uint8Array,
    from: number,
    end: number,
  ): { readonly found: 'closed' | 'bad' | 'more'; readonly at: number } {
    let at = from
    while (at < end) {
      const byte = bytes[at] ?? 0
      if (this.isGarbage) {
        if (byte === lineFeed) this.isGarbage = false
      } else if (this.depth === 0) {
        if (byte === open) this.begin()
        else if (!isSeparator(byte)) {
          this.begin()
          this.keep(byte)
          this.depth = 0
          this.isGarbage = true
          return { found: 'bad', at: at + 1 }
        }
      } else if (this.isInString) {
        if (byte === lineFeed) return this.giveUp(at)
        this.takeStringByte(byte)
      } else if (byte === open && this.hadLineFeed) {
        // Only a new object begins in the first column: the previous one was broken off.
        return this.giveUp(at)
      } else if (this.takeByte(byte)) return { found: 'closed', at: at + 1 }
      if (byte === lineFeed) this.lines++
      this.hadLineFeed = byte === lineFeed
      at++
    }
    return { found: 'more', at }
  }

  private begin(): void {
    this.size = 0
    this.depth = 1
    this.isTooLong = false
    this.isThinned = false
    this.isLeavingOut = false
    this.isInString = false
    this.isEscaped = false
    this.size = 0
    this.keep(open)
    this.hadLineFeed = false
  }

  private giveUp(at: number): { found: 'bad'; at: number } {
    this.depth = 0
    this.isInString = false
    this.hadLineFeed = false
    return { found: 'bad', at }
  }

  private takeStringByte(byte: number): void {
    const isEnd = byte === quote && !this.isEscaped
    this.isEscaped = byte === backslash && !this.isEscaped
    if (isEnd) this.isInString = false
    if (this.depth > 1) {
      this.keepNested(byte)
      return
    }
    this.stringBytes++
    // An escape of six bytes must not be split; a backslash begins a new one.
    if (
      this.stringBytes > maxStringBytes &&
      this.isShortened === false &&
      (byte === backslash || !this.isAfterEscape())
    )
      this.isShortened = true
    if (isEnd || !this.isShortened) this.keep(byte)
  }

  private isShortened = false

  private isAfterEscape(): boolean {
    return this.buffer.subarray(Math.max(0, this.size - 6), this.size).includes(backslash)
  }

  /** True: the object is closed. */
  private takeByte(byte: number): boolean {
    if (byte === quote) {
      this.isInString = true
      this.isEscaped = false
      this.stringBytes = 0
      this.isShortened = false
    } else if (byte === open || byte === openList) {
      this.depth++
      if (this.depth > 2) this.keepNested(byte)
      else {
        this.keep(byte)
        this.nestedFrom = this.size
        this.isLeavingOut = false
      }
      return false
    } else if (byte === close || byte === closeList) {
      this.depth--
      if (this.depth < 2) this.keep(byte)
      else this.keepNested(byte)
      return this.depth === 0
    }
    if (this.depth === 1) this.keep(byte)
    else this.keepNested(byte)
    return false
  }

  private keepNested(byte: number): void {
    if (this.isLeavingOut) return
    if (this.size - this.nestedFrom < this.maxNestedBytes) {
      this.keep(byte)
      return
    }
    this.size = this.nestedFrom
    this.isLeavingOut = true
    this.isThinned = true
  }

  private keep(byte: number): void {
    if (this.size === this.buffer.length) {
      if (this.size >= maxBufferedBytes) {
        this.isTooLong = true
        return
      }
      const larger = new Uint8Array(this.size * 2)
      larger.set(this.buffer)
      this.buffer = larger
    }
    this.buffer[this.size++] = byte
  }
}

const decoder = new TextDecoder()

/** White space, and separators between the objects of a list. */
function isSeparator(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13) || byte === 44 || byte === openList || byte === closeList
}
