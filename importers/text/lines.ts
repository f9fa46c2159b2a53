import { openText, type TextEncoding } from './bytes'
import type { Bytes, Line } from '../importer'
import { createPrefixRemover } from './line-prefix'
import { copiedEscapes, copyText, LineSplitter } from './line-splitter'

/** The lines of a text, iterable once: one by one, or in `batches`. */
export interface TextLines extends AsyncIterable<Line> {
  /**
   * What is known from the bytes read so far; final when the last line was read. `utf-8` until a line contradicts it.
   */
  readonly encoding: TextEncoding
  /**
   * The same lines, many at a time. Their texts keep their source in memory (64 KiB): to keep a line for long, copy it
   * with `copyLine`.
   */
  batches(): AsyncGenerator<readonly Line[]>
}

/**
 * Reads a text line by line, independent of the chunks: LF, CRLF and bare CR end a line; UTF-16 and windows-1252 are
 * decoded; escape codes, quote marks and log prefixes are removed from `text` and stay in `raw`. A clear-screen code
 * sets `clearsScreen`. Memory stays flat: see `maxLineBytes`.
 * @throws ImportError `unknown-format` (from the first step of the walk) when the content is binary.
 */
export function readLines(bytes: Bytes): TextLines {
  let encoding: TextEncoding = 'utf-8'
  return {
    get encoding() {
      return encoding
    },
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const lines of batches()) for (const line of lines) yield copyLine(line)
    },
  }

  async function* batches(): AsyncGenerator<readonly Line[]> {
    const text = await openText(bytes)
    encoding = text.encoding
    const withoutPrefix = createPrefixRemover()
    let number = 0
    let lines: Line[] = []
    const splitter = new LineSplitter((raw, tooLong, isPlain) => {
      number++
      const cleaned = withoutPrefix(isPlain ? raw : cleanText(raw))
      const clearsScreen = !isPlain && clearScreen.test(raw)
      if (!clearsScreen && !tooLong) lines.push({ number, text: cleaned, raw })
      else
        lines.push({ number, text: cleaned, raw, ...(clearsScreen && { clearsScreen }), ...(tooLong && { tooLong }) })
    })
    for await (const chunk of text.bytes) {
      splitter.push(chunk)
      yield* takeLines()
    }
    splitter.finish()
    yield* takeLines()

    function* takeLines(): Generator<readonly Line[]> {
      if (encoding === 'utf-8') encoding = splitter.encoding
      if (lines.length === 0) return
      const taken = lines
      lines = []
      yield taken
    }
  }
}

/** The same line with its own copies of the texts. */
export function copyLine(line: Line): Line {
  const raw = copyText(line.raw)
  const text = line.text === line.raw ? raw : copyText(line.text)
  if (line.clearsScreen === undefined && line.tooLong === undefined) return { number: line.number, text, raw }
  return { ...line, text, raw }
}

const clearScreen = /(?:\u001b|\^\[|\\(?:x1b|033|u001b|e))\[[0-3]?J/
const escapeCodes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()#%*+][0-9A-Za-z]|[PX^_][^\u001b]*(?:\u001b\\)?|[0-~]|$)/g
const blanks = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g
const invisible = /[\u0000-\u0006\u000b-\u001f\u007f\u200b-\u200f\u2060\ufeff]/g

/** Removes escape codes and zero-width characters, applies backspaces, makes every kind of blank a space. Tabs stay. */
export function cleanText(raw: string): string {
  // Nearly every line is plain: one test instead of four replacements.
  const text = raw.includes('[') ? raw.replace(copiedEscapes, '').replace(/\^M$/, '') : raw
  if (!/[^\t -~]/.test(text)) return text
  const plain = text.includes('\u001b') ? text.replace(escapeCodes, '') : text
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
