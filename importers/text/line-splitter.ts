import { decodeLine, decodeWindows1252, strictUtf8, type TextEncoding } from './bytes'
import { readLatin1, toFastBytes } from './fast-bytes'

/** Longest part of a line that is buffered; the rest is dropped up to the end of the line, never buffered. */
export const maxLineBytes = 65_536

/** Bytes decoded at once: no line within them is too long. */
const partBytes = maxLineBytes

/** Takes a line as decoded. `isPlain`: it contains only printable ASCII and tabs. */
export type LineSink = (raw: string, tooLong: boolean, isPlain: boolean) => void

/** No terminal and no conversion writes more of them before a line feed. */
const maxReturns = 4_096

const lf = 10
const cr = 13
const notPlain = /[^\t\n\r -~]/
/** Escape codes copied as text, as shown by `cat -v`, `less` and log viewers: `^[[32m`, `\\u001b[0m`. */
export const copiedEscapes = /(?:\^\[|\\(?:x1b|033|u001b|e))\[[\d;?]{0,20}[A-Za-z]/gi
const notAscii = /[\u0080-\u00ff]/

/**
 * Splits bytes (UTF-8 or windows-1252) at LF, CR LF, CR CR LF (a CRLF converted again) and bare CR. Complete lines of a
 * chunk are decoded at once; only the line torn by a chunk's end is assembled byte by byte. The lines are slices of the
 * decoded text and keep it in memory: see `copyText`.
 */
export class LineSplitter {
  /** What is known from the bytes so far. */
  encoding: Extract<TextEncoding, 'utf-8' | 'windows-1252'> = 'utf-8'
  private multiByte = false
  private readonly line = new LineBuffer()
  /** Number of CRs after the line in the buffer, whose meaning depends on the next byte. */
  private returns = 0

  constructor(private readonly sink: LineSink) {}

  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    for (let at = 0; at < bytes.length; at += partBytes) this.readPart(bytes.subarray(at, at + partBytes))
  }

  /** Ends the input. */
  finish(): void {
    this.takeReturns()
    if (!this.line.isEmpty) this.take(true)
  }

  private readPart(part: Uint8Array): void {
    const from = this.readBytes(part, 0, true)
    const to = findWholeEnd(part, from)
    if (to > from) this.readWhole(part.subarray(from, to))
    this.readBytes(part, to, false)
  }

  /** Reads from `at` on: to the end, or up to the end of a line begun earlier. Returns where it stopped. */
  private readBytes(part: Uint8Array, from: number, isRest: boolean): number {
    let at = from
    while (at < part.length && !(isRest && this.returns === 0 && this.line.isEmpty)) {
      if (this.returns > 0 && part[at] !== cr) {
        if (part[at] === lf) {
          at++
          this.returns = 1
        }
        this.takeReturns()
        continue
      }
      const end = findLineEnd(part, at)
      this.line.add(part, at, end)
      at = end + 1
      if (part[end] === lf) this.take(false)
      else if (part[end] === cr && ++this.returns >= maxReturns) this.takeReturns()
    }
    return Math.min(at, part.length)
  }

  private takeReturns(): void {
    for (; this.returns > 0; this.returns--) this.take(false)
  }

  private take(isLast: boolean): void {
    const { tooLong } = this.line
    const raw = this.decode(this.line.bytes, tooLong || isLast)
    this.line.clear()
    this.sink(raw, tooLong, false)
  }

  private decode(bytes: Uint8Array, atEnd: boolean): string {
    const { text, legacy } = decodeLine(bytes, atEnd)
    this.note(legacy, text.length < bytes.length)
    return text
  }

  private note(legacy: boolean, isShorter: boolean): void {
    if (!legacy && isShorter) this.multiByte = true
    if (legacy && !this.multiByte) this.encoding = 'windows-1252'
  }

  /** Reads bytes that begin and end with a line. */
  private readWhole(bytes: Uint8Array): void {
    const text = this.encoding === 'utf-8' ? decodeUtf8(bytes) : null
    if (text === null) this.split(readLatin1(bytes, 0, bytes.length), bytes)
    else {
      this.note(false, text.length < bytes.length)
      this.split(text, null)
    }
  }

  /** `bytes`: source from which each line beyond ASCII is decoded; null: `text` is already correct. */
  private split(text: string, bytes: Uint8Array | null): void {
    const isPlain = !notPlain.test(text) && text.search(copiedEscapes) < 0
    if (text.includes('\r')) this.splitAtReturns(text, bytes, isPlain)
    else this.splitAtFeeds(text, bytes, isPlain)
  }

  /** Separate from the other loop: V8 would search for the next CR at every line, scanning the rest of the text. */
  private splitAtFeeds(text: string, bytes: Uint8Array | null, isPlain: boolean): void {
    // The last line ends, too.
    for (let at = 0, feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', at)) {
      this.takeSlice(text, bytes, at, feed, isPlain)
      at = feed + 1
    }
  }

  private splitAtReturns(text: string, bytes: Uint8Array | null, isPlain: boolean): void {
    let nextReturn = text.indexOf('\r')
    for (let at = 0; at < text.length;) {
      const feed = text.indexOf('\n', at)
      const next = feed < 0 ? text.length : feed + 1
      let end = feed < 0 ? text.length - 1 : feed
      if (nextReturn >= 0 && nextReturn < next) {
        if (feed >= 0) while (end > at && text.charCodeAt(end - 1) === cr) end--
        for (; nextReturn >= 0 && nextReturn < end; nextReturn = text.indexOf('\r', at)) {
          this.takeSlice(text, bytes, at, nextReturn, isPlain)
          at = nextReturn + 1
        }
        nextReturn = text.indexOf('\r', next)
      }
      this.takeSlice(text, bytes, at, end, isPlain)
      at = next
    }
  }

  private takeSlice(text: string, bytes: Uint8Array | null, from: number, to: number, isPlain: boolean): void {
    const slice = text.slice(from, to)
    if (bytes === null || !notAscii.test(slice)) this.sink(slice, false, isPlain)
    else if (isSurelyLegacy(slice)) {
      this.note(true, false)
      this.sink(decodeWindows1252(slice), false, false)
    } else this.sink(this.decode(bytes.subarray(from, to), false), false, false)
  }
}

/** A copy of a text that is a slice of a longer one, which would otherwise stay in memory with it. */
export function copyText(text: string): string {
  // Joining and slicing stores the text anew.
  return text.length < 13 ? text : ` ${text}`.slice(1)
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Whether the first byte beyond ASCII cannot begin a UTF-8 character: trying a decoder costs an exception. */
function isSurelyLegacy(latin1: string): boolean {
  const at = latin1.search(notAscii)
  const lead = latin1.charCodeAt(at)
  const next = latin1.charCodeAt(at + 1)
  return lead < 0xc2 || lead > 0xf4 || !(next >= 0x80 && next <= 0xbf)
}

/** The end of the last line known to end in these bytes; `from` if there is none. */
function findWholeEnd(part: Uint8Array, from: number): number {
  for (let end = part.length; end > from; end--) {
    const last = part[end - 1]
    if (last === lf) return end
    if (last === cr && end < part.length && part[end] !== cr && part[end] !== lf) return end
  }
  return from
}

function findLineEnd(part: Uint8Array, from: number): number {
  let end = from
  while (end < part.length && part[end] !== lf && part[end] !== cr) end++
  return end
}

/** The bytes of the current line: at most `maxLineBytes`, in a buffer that grows with the longest line. */
class LineBuffer {
  private buffer = new Uint8Array(1_024)
  private bufferedLength = 0
  private seenLength = 0

  get isEmpty(): boolean {
    return this.seenLength === 0
  }

  get tooLong(): boolean {
    return this.seenLength > maxLineBytes
  }

  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.bufferedLength)
  }

  add(part: Uint8Array, from: number, to: number): void {
    this.seenLength += to - from
    const added = part.subarray(from, Math.min(to, from + maxLineBytes - this.bufferedLength))
    if (this.bufferedLength + added.length > this.buffer.length) {
      const size = Math.min(maxLineBytes, Math.max(this.buffer.length * 2, this.bufferedLength + added.length))
      const larger = new Uint8Array(size)
      larger.set(this.bytes)
      this.buffer = larger
    }
    this.buffer.set(added, this.bufferedLength)
    this.bufferedLength += added.length
  }

  clear(): void {
    this.bufferedLength = 0
    this.seenLength = 0
  }
}
