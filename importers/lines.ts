import { decodeLine, openText, type TextEncoding } from './bytes'
import type { Bytes, Line } from './importer'
import { createPrefixRemover } from './line-prefix'

/** Longest part of a line that is kept; what follows is dropped up to the end of the line, never buffered. */
export const maxLineBytes = 65_536

/** The lines of a text, to be walked once. */
export interface TextLines extends AsyncIterable<Line> {
  /** What the bytes read so far tell; final when the last line was read. `utf-8` until a line says otherwise. */
  readonly encoding: TextEncoding
}

/**
 * Reads a text line by line, the same whatever the chunks: LF, CRLF and bare CR end a line; UTF-16 and windows-1252
 * are decoded; escape codes, quote marks and log prefixes are taken off `text` and stay in `raw`. A clear-screen code
 * sets `clearsScreen`. Memory stays flat: see `maxLineBytes`.
 * @throws ImportError `unknown-format` (from the first step of the walk) when the content is binary.
 */
export function readLines(bytes: Bytes): TextLines {
  const seen = { encoding: 'utf-8' as TextEncoding, multiByte: false }
  return {
    get encoding() {
      return seen.encoding
    },
    async *[Symbol.asyncIterator]() {
      const text = await openText(bytes)
      seen.encoding = text.encoding
      const withoutPrefix = createPrefixRemover()
      let number = 0
      for await (const { line, tooLong, last } of splitLines(text.bytes)) {
        const { text: raw, legacy } = decodeLine(line, tooLong || last)
        if (!legacy && raw.length < line.length) seen.multiByte = true
        if (legacy && !seen.multiByte) seen.encoding = 'windows-1252'
        const cleaned = withoutPrefix(cleanText(raw))
        number++
        yield {
          number,
          text: cleaned,
          raw,
          ...(raw.includes('\u001b') && clearScreen.test(raw) ? { clearsScreen: true } : {}),
          ...(tooLong ? { tooLong: true } : {}),
        }
      }
    },
  }
}

const clearScreen = /\u001b\[[0-3]?J/
const escapeCodes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()#%*+][0-9A-Za-z]|[PX^_][^\u001b]*(?:\u001b\\)?|[0-~]|$)/g
const blanks = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g
const invisible = /[\u0000-\u0006\u000b-\u001f\u007f\u200b-\u200f\u2060\ufeff]/g

/** Escape codes out, backspaces applied, every kind of blank made a space, characters without width out. Tabs stay. */
export function cleanText(raw: string): string {
  // Nearly every line is plain: one test instead of four replacements.
  if (!/[^\t -~]/.test(raw)) return raw
  const plain = raw.includes('\u001b') ? raw.replace(escapeCodes, '') : raw
  const typed = plain.includes('\b') ? applyBackspaces(plain) : plain
  return typed.replace(blanks, ' ').replace(invisible, '').replaceAll('\u0007', '')
}

function applyBackspaces(text: string): string {
  const kept: string[] = []
  for (const character of text) {
    if (character === '\b') kept.pop()
    else kept.push(character)
  }
  return kept.join('')
}

interface RawLine {
  readonly line: Uint8Array
  readonly tooLong: boolean
  /** No end-of-line came after it. */
  readonly last: boolean
}

const lf = 10
const cr = 13

/** Splits at LF, CR LF, CR CR LF (a CRLF that was converted again) and bare CR. */
async function* splitLines(bytes: Bytes): AsyncGenerator<RawLine> {
  const line = new LineBuffer()
  let returns = 0
  for await (const chunk of bytes) {
    let at = 0
    while (at < chunk.length) {
      if (returns > 0 && chunk[at] !== cr) {
        if (chunk[at] === lf) {
          at++
          returns = 1
        }
        for (; returns > 0; returns--) yield line.take(false)
        continue
      }
      const end = findLineEnd(chunk, at)
      line.add(chunk, at, end)
      at = end + 1
      if (chunk[end] === lf) yield line.take(false)
      else if (chunk[end] === cr) returns++
    }
  }
  for (; returns > 0; returns--) yield line.take(false)
  if (!line.isEmpty) yield line.take(true)
}

function findLineEnd(chunk: Uint8Array, from: number): number {
  let end = from
  while (end < chunk.length && chunk[end] !== lf && chunk[end] !== cr) end++
  return end
}

/** The bytes of the line that is being read: at most `maxLineBytes`, in a buffer that grows with the longest line. */
class LineBuffer {
  private kept = new Uint8Array(1_024)
  private keptLength = 0
  private seenLength = 0

  get isEmpty(): boolean {
    return this.seenLength === 0
  }

  add(chunk: Uint8Array, from: number, to: number): void {
    this.seenLength += to - from
    const part = chunk.subarray(from, Math.min(to, from + maxLineBytes - this.keptLength))
    if (this.keptLength + part.length > this.kept.length) {
      const size = Math.min(maxLineBytes, Math.max(this.kept.length * 2, this.keptLength + part.length))
      const larger = new Uint8Array(size)
      larger.set(this.kept.subarray(0, this.keptLength))
      this.kept = larger
    }
    this.kept.set(part, this.keptLength)
    this.keptLength += part.length
  }

  take(last: boolean): RawLine {
    const taken = { line: this.kept.slice(0, this.keptLength), tooLong: this.seenLength > maxLineBytes, last }
    this.keptLength = 0
    this.seenLength = 0
    return taken
  }
}
