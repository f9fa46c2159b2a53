import { toFastBytes, viewOf } from '../text/fast-bytes'
import type { HeaderAttributes } from './header-attributes'
import { maxHeaderBytes } from './header-figures'

const lineFeed = 10
const carriageReturn = 13
const colon = 58
const space = 32
/** Lines of a block that are read. */
const maxLines = 200

/** Twelve bits of two base64 characters, by the number that their bytes are; 65,535: others. Made when first used. */
let pairs: Uint16Array | null = null

function makePairs(): Uint16Array {
  const made = new Uint16Array(65_536).fill(65_535)
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((one) =>
    one.charCodeAt(0),
  )
  alphabet.forEach((first, high) =>
    alphabet.forEach((second, low) => {
      made[first | (second << 8)] = (high << 6) | low
    }),
  )
  return made
}

const text = toFastBytes(new Uint8Array(maxHeaderBytes + 8))
const textView = viewOf(text)

/** Takes all headers of a block in base64 at `from`…`to`, no longer than `maxHeaderBytes`. */
export function takeBase64Headers(attributes: HeaderAttributes, view: DataView, from: number, to: number): void {
  takeLines(attributes, decode(view, from, to))
}

/** Decodes whole groups into `text`; returns their size. A block ends with an empty line, so padding is not needed. */
function decode(view: DataView, from: number, to: number): number {
  const words = (pairs ??= makePairs())
  let size = 0
  for (let at = from; at + 4 <= to; at += 4) {
    const first = words[view.getUint16(at, true)] ?? 0
    const second = words[view.getUint16(at + 2, true)] ?? 0
    if ((first | second) > 4_095) break
    const word = (first << 12) | second
    text[size] = word >> 16
    text[size + 1] = (word >> 8) & 255
    text[size + 2] = word & 255
    size += 3
  }
  return size
}

function takeLines(attributes: HeaderAttributes, size: number): void {
  let from = 0
  for (let lines = 0; from < size && lines < maxLines; lines++) {
    let at = from
    while (at < size && text[at] !== lineFeed) at++
    takeLineOf(attributes, text, textView, from, at > from && text[at - 1] === carriageReturn ? at - 1 : at)
    from = at + 1
  }
}

/** Takes the header of the line at `from`…`to`, if it is one. */
export function takeLineOf(
  attributes: HeaderAttributes,
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
): void {
  let nameTo = from
  while (nameTo < to && bytes[nameTo] !== colon) nameTo++
  if (nameTo === from || nameTo === to) return
  let valueFrom = nameTo + 1
  let valueTo = to
  while (valueFrom < valueTo && bytes[valueFrom] === space) valueFrom++
  while (valueTo > valueFrom && bytes[valueTo - 1] === space) valueTo--
  attributes.take(bytes, view, from, nameTo, valueFrom, valueTo)
}
