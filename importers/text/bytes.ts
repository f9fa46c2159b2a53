import { ImportError } from '../../lib/errors'
import { readLatin1 } from './fast-bytes'
import { findForeignBytes } from '../foreign'
import type { Bytes } from '../importer'

/** The character encoding of a text. Null: not text. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Bytes examined before the first line is read; the result does not depend on the chunks. */
const headBytes = 4_096

/** Reads the first `size` bytes (or all, if fewer) of a stream. `bytes` gives the whole stream again, once. */
export async function readHead(bytes: Bytes, size: number): Promise<{ head: Uint8Array; bytes: Bytes }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < size) {
    const next = await iterator.next()
    if (next.done) break
    chunks.push(next.value)
    length += next.value.length
  }
  const joined = joinBytes(chunks, length)
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      if (joined.length > 0) yield joined
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: joined.subarray(0, size), bytes: whole() }
}

function joinBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    joined.set(chunk, at)
    at += chunk.length
  }
  return joined
}

/**
 * Detects a text's encoding from its first bytes: byte order mark, else the positions of NUL bytes. `utf-8` also means
 * "no wide encoding": whether such a text is windows-1252 is decided line by line. `bomBytes`: length of the mark.
 * @throws ImportError `unknown-format` with the byte offset when the bytes are not text.
 */
export function detectEncoding(head: Uint8Array): {
  encoding: Exclude<TextEncoding, 'windows-1252'>
  bomBytes: number
} {
  const [first, second, third] = head
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', bomBytes: 3 }
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', bomBytes: 2 }
  const part = head.subarray(0, headBytes)
  let evenNuls = 0
  let oddNuls = 0
  let controls = 0
  let firstBad = -1
  part.forEach((byte, index) => {
    if (byte === 0) {
      if (index % 2 === 0) evenNuls++
      else oddNuls++
    } else if (!isControl(byte)) return
    else controls++
    if (firstBad < 0) firstBad = index
  })
  const pairs = Math.max(1, part.length >> 1)
  if (oddNuls > pairs / 4 && evenNuls * 20 < oddNuls && controls === 0) return { encoding: 'utf-16le', bomBytes: 0 }
  if (evenNuls > pairs / 4 && oddNuls * 20 < evenNuls && controls === 0) return { encoding: 'utf-16be', bomBytes: 0 }
  // Terminal captures contain a few control bytes; with a NUL, or one in fifty, it is not text.
  if (evenNuls + oddNuls > 0 || controls * 50 > part.length) {
    const known = findForeignBytes(head)
    throw new ImportError(
      'unknown-format',
      known?.message ?? `this is not text: control bytes from byte ${firstBad} on`,
      {
        offset: firstBad,
        hint: known?.hint ?? 'Upload the text that the tool printed.',
      },
    )
  }
  return { encoding: 'utf-8', bomBytes: 0 }
}

/** Not tab, line feed, carriage return, form feed, backspace, bell or escape, which terminals write. */
function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && !((byte >= 0x07 && byte <= 0x0d) || byte === 0x1b))
}

/**
 * Opens a text: its encoding by the first bytes, and its bytes as UTF-8 (or unchanged, if the text is not wide), byte
 * order mark removed. Memory does not grow with the input.
 * @throws ImportError `unknown-format` for binary content.
 */
export async function openText(
  bytes: Bytes,
): Promise<{ encoding: Exclude<TextEncoding, 'windows-1252'>; bytes: Bytes }> {
  const { head, bytes: whole } = await readHead(bytes, headBytes)
  const { encoding, bomBytes } = detectEncoding(head)
  const body = bomBytes === 0 ? whole : dropBytes(whole, bomBytes)
  return { encoding, bytes: encoding === 'utf-8' ? body : transcode(body, encoding) }
}

async function* dropBytes(bytes: Bytes, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of bytes) {
    yield chunk.subarray(Math.min(left, chunk.length))
    left -= Math.min(left, chunk.length)
  }
}

async function* transcode(bytes: Bytes, encoding: 'utf-16le' | 'utf-16be'): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  const encoder = new TextEncoder()
  for await (const chunk of bytes) yield encoder.encode(decoder.decode(chunk, { stream: true }))
  // A last half unit is a truncation, not a character.
  const rest = decoder.decode().replace(/\ufffd$/, '')
  if (rest !== '') yield encoder.encode(rest)
}

/** Throws TypeError for bytes that are not UTF-8. */
export const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// What windows-1252 has at 80…9F. Some versions of Node decode it as Latin-1, which has control characters there.
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The text of windows-1252 bytes that were read as Latin-1. */
export function decodeWindows1252(latin1: string): string {
  return latin1.replace(/[\u0080-\u009f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80))
}

/**
 * Decodes one line: UTF-8, or windows-1252 if it is not valid UTF-8. With `atEnd`, a character torn apart by the end of
 * the bytes is left out. `legacy`: it was windows-1252.
 */
export function decodeLine(line: Uint8Array, atEnd: boolean): { text: string; legacy: boolean } {
  try {
    return { text: strictUtf8.decode(line), legacy: false }
  } catch {
    const whole = atEnd ? withoutTornCharacter(line) : line
    return whole.length < line.length
      ? decodeLine(whole, false)
      : { text: decodeWindows1252(readLatin1(line, 0, line.length)), legacy: true }
  }
}

function withoutTornCharacter(line: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= line.length; back++) {
    const byte = line[line.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? line.subarray(0, line.length - back) : line
  }
  return line
}
