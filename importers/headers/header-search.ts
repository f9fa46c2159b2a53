import { toFastBytes, viewOf } from '../text/fast-bytes'
import type { HeaderAttributes } from './header-attributes'
import { Base64Names, base64Step, NameWords } from './header-names'
import { takeBase64Headers, takeLineOf } from './header-lines'
import { type HeaderFigures, maxHeaderBytes, readHeaders } from './header-figures'

const lineFeed = 10
const quote = 34
const colon = 58
const backslash = 92

/** The names as bytes. */
const names = readHeaders.map((name) => Uint8Array.from(name, (character) => character.charCodeAt(0)))

const base64Words = new Base64Names(readHeaders)
/** Characters of `"x-cache":[` at which a word of four begins. */
const jsonStep = 8
const jsonWords = new NameWords(jsonStep)

for (const name of readHeaders) {
  const key = `"${name}":[`
  for (let at = 0; at < jsonStep; at++) jsonWords.add(key.slice(at, at + 4), String, at + 1)
}

const sextets = new Uint8Array(256).fill(64)
;[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((character, value) => {
  sextets[character.charCodeAt(0)] = value
})

/** The value being read: no longer than a response's headers. */
const text = toFastBytes(new Uint8Array(maxHeaderBytes + 8))
const textView = viewOf(text)

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
    if (base64Words.isName(view, at, from, to)) takeLine(figures, bytes, from, to, base64Words.startOf(view, at, from))
  figures.endResponse()
  if (figures.attributes !== null) takeBase64Attributes(figures.attributes, bytes, view, from, to)
}

/** Takes what headers say of the row: all of them while they are learned, then those that differ. */
function takeBase64Attributes(
  attributes: HeaderAttributes,
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
): void {
  if (attributes.begin()) {
    takeBase64Headers(attributes, view, from, to)
    attributes.end()
    return
  }
  const { searched } = attributes
  if (searched === null) return
  for (let at = searched.next(view, from, to); at >= 0; at = searched.next(view, at + searched.step, to)) {
    if (!searched.isName(view, at, from, to)) continue
    const line = decodeFrom(bytes, from, to, searched.startOf(view, at, from))
    if (line !== null) takeLineOf(attributes, text, textView, line.nameAt, line.end)
  }
}

/** Takes the value of the header that begins `start` bytes into the block at `from`…`to`. */
function takeLine(figures: HeaderFigures, bytes: Uint8Array, from: number, to: number, start: number): void {
  const line = decodeFrom(bytes, from, to, start)
  if (line === null) return
  for (let header = 0; header < names.length; header++) {
    const valueAt = line.nameAt + (names[header]?.length ?? 0) + 1
    if (valueAt > line.end || text[valueAt - 1] !== colon || !isName(text, line.nameAt, header)) continue
    figures.take(header, text, valueAt, line.end)
    return
  }
}

const line = { nameAt: 0, end: 0 }

/** Decodes the line whose name begins `start` bytes into the block; null: none begins there. */
function decodeFrom(bytes: Uint8Array, from: number, to: number, start: number): typeof line | null {
  // From the preceding line feed on.
  const group = start === 0 ? 0 : Math.floor((start - 1) / 3)
  line.nameAt = start - group * 3
  line.end = decodeLine(bytes, from + group * 4, to, line.nameAt)
  return start > 0 && text[line.nameAt - 1] !== lineFeed ? null : line
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
  const { attributes } = figures
  if (attributes?.begin(false) !== true) return
  takeJsonHeaders(attributes, bytes, view, from, to)
  attributes.end()
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

/** Takes the first value of every header that is written without escapes. */
function takeJsonHeaders(
  attributes: HeaderAttributes,
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
): void {
  const endOfText = (start: number) => {
    let at = start
    while (at < to && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
    return at
  }
  for (let at = from; at < to; at++) {
    if (bytes[at] !== quote) continue
    const nameTo = endOfText(at + 1)
    if (bytes[nameTo + 1] !== colon || bytes[nameTo + 2] !== 91 || bytes[nameTo + 3] !== quote) return
    const valueTo = endOfText(nameTo + 4)
    if (valueTo >= to) return
    attributes.take(bytes, view, at + 1, nameTo, nameTo + 4, valueTo)
    at = valueTo
    // Further values of the same header.
    while (bytes[at + 1] === 44 && bytes[at + 2] === quote) at = endOfText(at + 3)
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
  const { attributes } = figures
  const areTaken = attributes?.begin(false) === true
  for (const { name, texts } of entries) {
    if (areTaken && texts[0] !== undefined) attributes.takeText(name, texts[0])
    const header = readHeaders.findIndex((one) => one === name.toLowerCase())
    if (header < 0) continue
    for (const one of texts) {
      const bytes = encoder.encode(one)
      figures.take(header, bytes, 0, bytes.length)
    }
  }
  figures.endResponse()
  if (areTaken) attributes.end()
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
  const { attributes } = figures
  const attributesView = attributes?.begin(false) === true ? viewOf(bytes) : null
  let size = 0
  let place = endOfCount(bytes, from)
  for (let keys = countAt(bytes, from); keys > 0; keys--) {
    const length = countAt(bytes, place)
    place = endOfCount(bytes, place)
    const header = headerAt(bytes, place, length)
    const nameFrom = place
    place += length
    const nameTo = place
    let isFirst = true
    let values = countAt(bytes, place)
    for (place = endOfCount(bytes, place); values > 0; values--) {
      const valueFrom = endOfCount(bytes, place)
      const valueTo = valueFrom + countAt(bytes, place)
      place = valueTo
      if (place >= stop) return
      if (attributesView !== null && isFirst)
        attributes?.take(bytes, attributesView, nameFrom, nameTo, valueFrom, valueTo)
      isFirst = false
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
  if (attributesView !== null) attributes?.end()
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
