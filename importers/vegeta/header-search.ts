import { type HeaderFigures, maxHeaderBytes, readHeaders } from './header-figures'

const lineFeed = 10
const quote = 34
const backslash = 92

/** A word of four characters that stands in a header's name, and where: bytes of text from the name's first to the word's. */
interface Place {
  readonly header: number
  readonly offset: number
}

/**
 * Words by which names are found, and a table that rules out nearly all others. A name is long enough to hold a word at
 * every place where the search stops, so that each is found exactly once, and most of what is no name is never looked at.
 */
class NameWords {
  private readonly places = new Map<number, Place[]>()
  private readonly table = new Uint8Array(1 << 14)

  /** The word in each case of its letters. */
  add(text: string, encode: (text: string) => string, place: Place): void {
    for (const variant of casesOf(text)) {
      const bytes = [...encode(variant)].map((character) => character.charCodeAt(0))
      const word = bytes.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0)
      const places = this.places.get(word) ?? []
      if (places.some(({ header, offset }) => header === place.header && offset === place.offset)) continue
      this.places.set(word, [...places, place])
      this.table[slotOf(word)] = 1
    }
  }

  /** First place from `from` on, by steps, at which such a word stands; −1: none does. */
  next(view: DataView, from: number, to: number, step: number): number {
    const { table } = this
    for (let at = from; at + 4 <= to; at += step)
      if (table[Math.imul(view.getInt32(at, true), 0x9e3779b1) >>> 18] === 1) return at
    return -1
  }

  placesOf(word: number): readonly Place[] {
    return this.places.get(word) ?? nowhere
  }
}

const nowhere: readonly Place[] = []

function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 18
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
const base64Words = new NameWords()
/** Characters of `"x-cache":[` at which a word of four begins. */
const jsonStep = 8
const jsonWords = new NameWords()

readHeaders.forEach((name, header) => {
  const line = `\r\n${name}: `
  // By the place of the name's first byte in its group.
  for (const first of [0, 1, 2])
    for (let group = 0; group < groups; group++) {
      const offset = group * 3 - first
      base64Words.add(line.slice(2 + offset, 5 + offset), btoa, { header, offset })
    }
  const key = `"${name}":[`
  for (let at = 0; at < jsonStep; at++) jsonWords.add(key.slice(at, at + 4), (text) => text, { header, offset: at - 1 })
})

const sextets = new Uint8Array(256).fill(64)
;[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((character, value) => {
  sextets[character.charCodeAt(0)] = value
})

/** The value that is being read: no longer than a response's headers. */
const text = new Uint8Array(maxHeaderBytes + 8)

/** Reads a block of headers as Go writes it (`Name: value` and CR LF each), in base64 at `from`…`to`. Only values of `readHeaders` are decoded. */
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
  for (
    let at = base64Words.next(view, from, to, base64Step);
    at >= 0;
    at = base64Words.next(view, at + base64Step, to, base64Step)
  )
    for (const { header, offset } of base64Words.placesOf(view.getInt32(at, true))) {
      const name = readHeaders[header] ?? ''
      const start = ((at - from) >> 2) * 3 - offset
      // From the line feed before it on.
      const group = start === 0 ? 0 : Math.floor((start - 1) / 3)
      const length = decodeLine(bytes, from + group * 4, to, start - group * 3)
      const nameAt = start - group * 3
      if ((start > 0 && text[nameAt - 1] !== lineFeed) || !isName(text, nameAt, name)) continue
      const valueAt = nameAt + name.length + 1
      if (text[valueAt - 1] === 58 && valueAt <= length) figures.take(header, text, valueAt, length)
    }
  figures.endResponse()
}

/** Decodes groups into `text` as far as the line feed behind `after`; returns where the line ends in it. */
function decodeLine(bytes: Uint8Array, from: number, to: number, after: number): number {
  let size = 0
  for (let at = from; at + 4 <= to; at += 4) {
    const first = sextets[bytes[at] ?? 0] ?? 64
    const second = sextets[bytes[at + 1] ?? 0] ?? 64
    const third = sextets[bytes[at + 2] ?? 0] ?? 64
    const fourth = sextets[bytes[at + 3] ?? 0] ?? 64
    text[size] = (first << 2) | (second >> 4)
    text[size + 1] = (second << 4) | (third >> 2)
    text[size + 2] = (third << 6) | fourth
    for (let index = 0; index < 3; index++)
      if (text[size + index] === lineFeed && size + index >= after) return endOfLine(size + index)
    size += 3
    if (third === 64 || fourth === 64) return endOfLine(size - (third === 64 ? 2 : 1))
  }
  return endOfLine(size)
}

function endOfLine(size: number): number {
  return size > 0 && text[size - 1] === 13 ? size - 1 : size
}

function isName(bytes: Uint8Array, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const byte = bytes[at + index] ?? 0
    const isLetter = byte >= 65 && byte <= 90
    if ((isLetter ? byte | 32 : byte) !== name.charCodeAt(index)) return false
  }
  return true
}

/** Reads an object of headers as vegeta writes it: `{"Name":["value"]}` at `from`…`to`, without spaces. */
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
  for (
    let at = jsonWords.next(view, from, to, jsonStep);
    at >= 0;
    at = jsonWords.next(view, at + jsonStep, to, jsonStep)
  )
    for (const { header, offset } of jsonWords.placesOf(view.getInt32(at, true))) {
      const name = readHeaders[header] ?? ''
      const start = at - offset
      const before = bytes[start - 2]
      const end = start + name.length
      // A quote within a text has a backslash before it: this is a key.
      if (start - 2 < from || bytes[start - 1] !== quote || (before !== 123 && before !== 44)) continue
      if (!isName(bytes, start, name) || bytes[end] !== quote || bytes[end + 1] !== 58 || bytes[end + 2] !== 91)
        continue
      takeTexts(figures, header, bytes, end + 3, to)
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

/** Writes what stands between quotes into `text`; returns its length. Escaped characters beyond ASCII become `?`. */
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

/** Takes the headers of an object that `JSON.parse` gave. */
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

/** Header, from, to of each value that the last map of a gob had. */
let found: number[] = []
let place = 0

/** Reads a map of headers as Go's gob has it, at the end of a message that ends at `stop`. What is none is left out. */
export function readGobHeaders(figures: HeaderFigures, bytes: Uint8Array, from: number, stop: number): void {
  if (stop - from > maxHeaderBytes) {
    figures.leaveOut()
    return
  }
  if (found.length > 0) found = []
  place = from
  for (let keys = readCount(bytes, stop); keys > 0; keys--) {
    const length = readCount(bytes, stop)
    const header = headerAt(bytes, place, length)
    place += length
    for (let values = readCount(bytes, stop); values > 0; values--) {
      const size = readCount(bytes, stop)
      if (header >= 0) found.push(header, place, place + size)
      place += size
      if (place >= stop) return
    }
    if (place >= stop) return
  }
  // The message ends behind its last field.
  if (place !== stop - 1 || bytes[place] !== 0) return
  for (let index = 0; index < found.length; index += 3)
    figures.take(found[index] ?? 0, bytes, found[index + 1] ?? 0, found[index + 2] ?? 0)
  figures.endResponse()
}

/** Place in `readHeaders` of the name at `at`; −1: it is of another header. */
function headerAt(bytes: Uint8Array, at: number, length: number): number {
  for (let header = 0; header < readHeaders.length; header++) {
    const name = readHeaders[header] ?? ''
    if (name.length === length && isName(bytes, at, name)) return header
  }
  return -1
}

/** A number at `place`, which it moves; beyond the message's end it moves it there. */
function readCount(bytes: Uint8Array, stop: number): number {
  const first = bytes[place++] ?? 0
  if (first < 128) return first
  let value = 0
  const width = 256 - first
  if (width > 3) {
    place = stop
    return 0
  }
  for (let index = 0; index < width; index++) value = value * 256 + (bytes[place++] ?? 0)
  return value
}
