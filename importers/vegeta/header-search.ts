import { toFastBytes } from '../text/fast-bytes'
import { type HeaderFigures, maxHeaderBytes, readHeaders } from './header-figures'

const lineFeed = 10
const quote = 34
const colon = 58
const backslash = 92

/** The names as bytes. */
const names = readHeaders.map((name) => Uint8Array.from(name, (character) => character.charCodeAt(0)))

/**
 * Four-character words that identify names, as a table with the position of a word in a name; this rules out nearly
 * everything else. A name is long enough to contain a word wherever the search stops, so each is found exactly once,
 * and most other text is never examined.
 */
class NameWords {
  private readonly table = new Uint8Array(1 << 14)

  constructor(private readonly step: number) {}

  /** The word in each case of its letters. `code`: from 1, its position in a name. */
  add(text: string, encode: (text: string) => string, code: number): void {
    for (const variant of casesOf(text)) {
      const word = [...encode(variant)].reduce((sum, one, index) => sum | (one.charCodeAt(0) << (8 * index)), 0)
      this.table[slotOfWord(word)] = code
    }
  }

  /** First position from `from` on, by steps, with such a word; −1: none. */
  next(view: DataView, from: number, to: number): number {
    const { table, step } = this
    for (let at = from; at + 4 <= to; at += step) if (table[slotOfWord(view.getInt32(at, true))] !== 0) return at
    return -1
  }

  /** Code of the word at a position; 0: not one. */
  codeAt(view: DataView, at: number): number {
    return this.table[slotOfWord(view.getInt32(at, true))] ?? 0
  }
}

/** With this factor no two words at different positions of names share a slot. */
function slotOfWord(word: number): number {
  return Math.imul(word, 0x85ebca6b) >>> 18
}

function casesOf(text: string): string[] {
  return [...text].reduce<string[]>(
    (texts, character) =>
      [...new Set([character.toLowerCase(), character.toUpperCase()])].flatMap((one) =>
        texts.map((each) => each + one),
      ),
    [''],
  )
}

/** Groups of three bytes that a name fills, wherever it begins; in base64 each is a word. */
const groups = 3
const base64Step = 4 * groups
const base64Words = new NameWords(base64Step)
/** Code of a word this many bytes after a name's first byte. */
const base64Code = 3
/** Characters of `"x-cache":[` at which a word of four begins. */
const jsonStep = 8
const jsonWords = new NameWords(jsonStep)

for (const name of readHeaders) {
  const line = `\r\n${name}: `
  // By the position of the name's first byte in its group.
  for (const first of [0, 1, 2])
    for (let group = 0; group < groups; group++) {
      const offset = group * 3 - first
      base64Words.add(line.slice(2 + offset, 5 + offset), btoa, offset + base64Code)
    }
  const key = `"${name}":[`
  for (let at = 0; at < jsonStep; at++) jsonWords.add(key.slice(at, at + 4), String, at + 1)
}

const sextets = new Uint8Array(256).fill(64)
;[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((character, value) => {
  sextets[character.charCodeAt(0)] = value
})

/** The value being read: no longer than a response's headers. */
const text = toFastBytes(new Uint8Array(maxHeaderBytes + 8))

/**
 * Reads a block of headers in Go's format (`Name: value` and CR LF each), in base64 at `from`…`to`. Only values of
 * `readHeaders` are decoded.
 */
export function readBase64Headers(
  figures: HeaderFigures,
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
): void {
  if (to - from > maxHeaderBytes) {
    figures.leaveOut()
    return
  }
  for (let at = base64Words.next(view, from, to); at >= 0; at = base64Words.next(view, at + base64Step, to))
    if (areNeighbours(view, at, from, to)) {
      const start = ((at - from) >> 2) * 3 - base64Words.codeAt(view, at) + base64Code
      takeLine(figures, bytes, from, to, start)
    }
  figures.endResponse()
}

/** Whether the words around one match those around it in a name. */
function areNeighbours(view: DataView, at: number, from: number, to: number): boolean {
  const code = base64Words.codeAt(view, at)
  const first = at - 4 * Math.floor((code - 1) / 3)
  if (first < from || first + base64Step > to) return false
  const firstCode = ((code - 1) % 3) + 1
  for (let group = 0; group < groups; group++)
    if (base64Words.codeAt(view, first + 4 * group) !== firstCode + 3 * group) return false
  return true
}

/** Takes the value of the header that begins `start` bytes into the block at `from`…`to`. */
function takeLine(figures: HeaderFigures, bytes: Uint8Array, from: number, to: number, start: number): void {
  // From the preceding line feed on.
  const group = start === 0 ? 0 : Math.floor((start - 1) / 3)
  const nameAt = start - group * 3
  const length = decodeLine(bytes, from + group * 4, to, nameAt)
  if (start > 0 && text[nameAt - 1] !== lineFeed) return
  for (let header = 0; header < names.length; header++) {
    const valueAt = nameAt + (names[header]?.length ?? 0) + 1
    if (valueAt > length || text[valueAt - 1] !== colon || !isName(text, nameAt, header)) continue
    figures.take(header, text, valueAt, length)
    return
  }
}

/** Decodes groups into `text` up to the line feed after `after`; returns where the line ends in it. */
function decodeLine(bytes: Uint8Array, from: number, to: number, after: number): number {
  let size = 0
  for (let at = from; at + 4 <= to; at += 4) {
    const third = sextets[bytes[at + 2] ?? 0] ?? 64
    const fourth = sextets[bytes[at + 3] ?? 0] ?? 64
    const word =
      ((sextets[bytes[at] ?? 0] ?? 64) << 18) | ((sextets[bytes[at + 1] ?? 0] ?? 64) << 12) | (third << 6) | fourth
    const [first, second, last] = [(word >> 16) & 255, (word >> 8) & 255, word & 255]
    text[size] = first
    text[size + 1] = second
    text[size + 2] = last
    if (first === lineFeed && size >= after) return endOfLine(size)
    if (second === lineFeed && size + 1 >= after) return endOfLine(size + 1)
    if (last === lineFeed && size + 2 >= after) return endOfLine(size + 2)
    size += 3
    if (third === 64 || fourth === 64) return endOfLine(size - (third === 64 ? 2 : 1))
  }
  return endOfLine(size)
}

function endOfLine(size: number): number {
  return size > 0 && text[size - 1] === 13 ? size - 1 : size
}

function isName(bytes: Uint8Array, at: number, header: number): boolean {
  const name = names[header]
  if (name === undefined) return false
  for (let index = 0; index < name.length; index++) {
    const byte = bytes[at + index] ?? 0
    if ((byte >= 65 && byte <= 90 ? byte | 32 : byte) !== name[index]) return false
  }
  return true
}

/** Reads an object of headers in vegeta's format: `{"Name":["value"]}` at `from`…`to`, without spaces. */
export function readJsonHeaders(
  figures: HeaderFigures,
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
): void {
  if (to - from > maxHeaderBytes) {
    figures.leaveOut()
    return
  }
  for (let at = jsonWords.next(view, from, to); at >= 0; at = jsonWords.next(view, at + jsonStep, to)) {
    const start = at - jsonWords.codeAt(view, at) + 2
    const before = bytes[start - 2]
    // A quote within a text is preceded by a backslash, so this is a key.
    if (start - 2 < from || bytes[start - 1] !== quote || (before !== 123 && before !== 44)) continue
    for (let header = 0; header < names.length; header++) {
      const end = start + (names[header]?.length ?? 0)
      if (end + 3 > to || bytes[end] !== quote || !isName(bytes, start, header)) continue
      if (bytes[end + 1] === colon && bytes[end + 2] === 91) takeTexts(figures, header, bytes, end + 3, to)
    }
  }
  figures.endResponse()
}

/** Takes each text of a list, up to its end. */
function takeTexts(figures: HeaderFigures, header: number, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to && bytes[at] === quote; at++) {
    const valueFrom = ++at
    let hasEscapes = false
    for (; at < to && bytes[at] !== quote; at++)
      if (bytes[at] === backslash) {
        hasEscapes = true
        at++
      }
    if (at >= to) return
    if (hasEscapes) figures.take(header, text, 0, unescape(bytes, valueFrom, at))
    else figures.take(header, bytes, valueFrom, at)
    // A comma, or the end of the list.
    at++
    if (bytes[at] !== 44) return
  }
}

/** Writes what is between quotes into `text`; returns its length. Escaped characters beyond ASCII become `?`. */
function unescape(bytes: Uint8Array, from: number, to: number): number {
  let size = 0
  for (let at = from; at < to; at++) {
    let byte = bytes[at] ?? 0
    if (byte === backslash) {
      byte = bytes[++at] ?? 0
      if (byte === 117) {
        const code = Number.parseInt(String.fromCharCode(...bytes.subarray(at + 1, at + 5)), 16)
        byte = code < 128 ? code : 63
        at += 4
      } else byte = escaped[String.fromCharCode(byte)] ?? byte
    }
    text[size++] = byte
  }
  return size
}

const escaped: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** Takes the headers from an object returned by `JSON.parse`. */
export function takeParsedHeaders(figures: HeaderFigures, headers: object): void {
  const entries = Object.entries(headers).map(([name, value]: [string, unknown]) => ({
    name,
    texts: (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string'),
  }))
  const size = entries.reduce(
    (sum, { name, texts }) => texts.reduce((all, one) => all + one.length + 3, sum + name.length + 6),
    1,
  )
  if (size > maxHeaderBytes) {
    figures.leaveOut()
    return
  }
  for (const { name, texts } of entries) {
    const header = readHeaders.findIndex((one) => one === name.toLowerCase())
    if (header < 0) continue
    for (const one of texts) {
      const bytes = encoder.encode(one)
      figures.take(header, bytes, 0, bytes.length)
    }
  }
  figures.endResponse()
}

const encoder = new TextEncoder()

/** Header, from, to of each value of a map. */
let found = new Int32Array(48)

/**
 * Reads a map of headers in Go's gob format, at the end of a message that ends at `stop`. Anything else is left out.
 */
export function readGobHeaders(figures: HeaderFigures, bytes: Uint8Array, from: number, stop: number): void {
  if (stop - from > maxHeaderBytes) {
    figures.leaveOut()
    return
  }
  let size = 0
  let place = endOfCount(bytes, from)
  for (let keys = countAt(bytes, from); keys > 0; keys--) {
    const length = countAt(bytes, place)
    place = endOfCount(bytes, place)
    const header = headerAt(bytes, place, length)
    place += length
    let values = countAt(bytes, place)
    for (place = endOfCount(bytes, place); values > 0; values--) {
      const valueFrom = endOfCount(bytes, place)
      const valueTo = valueFrom + countAt(bytes, place)
      place = valueTo
      if (place >= stop) return
      if (header < 0) continue
      if (size + 3 > found.length) found = withRoom(found)
      found[size++] = header
      found[size++] = valueFrom
      found[size++] = valueTo
    }
    if (place >= stop) return
  }
  // The message ends right after its last field.
  if (place !== stop - 1 || bytes[place] !== 0) return
  for (let index = 0; index < size; index += 3)
    figures.take(found[index] ?? 0, bytes, found[index + 1] ?? 0, found[index + 2] ?? 0)
  figures.endResponse()
}

function withRoom(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}

/** Position in `readHeaders` of the name at `at`; −1: another header. */
function headerAt(bytes: Uint8Array, at: number, length: number): number {
  for (let header = 0; header < names.length; header++) {
    if (names[header]?.length === length && isName(bytes, at, header)) return header
  }
  return -1
}

/** The number at a position; a number of more than three bytes is too large for any map that is read, and ends it. */
function countAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 128) return first
  if (first < 253) return maxHeaderBytes
  let value = 0
  for (let place = at + 1; place <= at + 256 - first; place++) value = value * 256 + (bytes[place] ?? 0)
  return value
}

function endOfCount(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  return first < 128 ? at + 1 : at + 257 - first
}
