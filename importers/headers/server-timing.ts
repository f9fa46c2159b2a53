/**
 * Values of the header Server-Timing (https://www.w3.org/TR/server-timing/#the-server-timing-header-field):
 *
 *     cache;desc="Cache Read", db;dur=53, app;desc="a, b";dur=47.2
 */
const tab = 9
const space = 32
const quote = 34
const comma = 44
const semicolon = 59
const equals = 61
const backslash = 92

/** Takes a metric: the place of its name, and its duration in ms; NaN if that text is not a number. */
export type TakeMetric = (bytes: Uint8Array, nameFrom: number, nameTo: number, ms: number) => void

/** Passes on each metric of the header value at `from`…`to` that has a `dur`, in order. */
export function readServerTiming(bytes: Uint8Array, from: number, to: number, take: TakeMetric): void {
  for (let at = from; at < to; at++) {
    at = skipSpace(bytes, at, to)
    const nameFrom = at
    at = endOfToken(bytes, at, to)
    const nameTo = at
    let ms = -1
    for (at = endOfPart(bytes, at, to); at < to && bytes[at] === semicolon; at = endOfPart(bytes, at, to)) {
      at = skipSpace(bytes, at + 1, to)
      const end = ms === -1 ? endOfPlainDur(bytes, at, to) : -1
      if (end >= 0) {
        ms = readNumber(bytes, at + 4, end)
        at = end
        continue
      }
      const isDur = isNamedDur(bytes, at, to)
      at = skipSpace(bytes, endOfToken(bytes, at, to), to)
      if (bytes[at] !== equals || at >= to) continue
      at = skipSpace(bytes, at + 1, to)
      const isQuoted = at < to && bytes[at] === quote
      const valueFrom = isQuoted ? at + 1 : at
      at = isQuoted ? endOfQuoted(bytes, at, to) : endOfToken(bytes, at, to)
      // If there are several, the first one counts.
      if (isDur && ms === -1) ms = readNumber(bytes, valueFrom, isQuoted ? at - 1 : at)
    }
    if (ms !== -1 && nameTo > nameFrom) take(bytes, nameFrom, nameTo, ms)
  }
}

function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && (bytes[at] === space || bytes[at] === tab)) at++
  return at
}

const endsToken = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= space || [comma, semicolon, equals, quote].includes(byte) ? 1 : 0,
)

function endOfToken(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (endsToken[byte] === 1) return at
  }
  return to
}

/** The next semicolon or comma outside of quotes; `to` if there is none. */
function endOfPart(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === comma || byte === semicolon) return at
    if (byte === quote) at = endOfQuoted(bytes, at, to) - 1
  }
  return to
}

/** Position after the closing quote of the string that opens at `from`; `to` if there is none. */
function endOfQuoted(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] === quote) return at + 1
    if (bytes[at] === backslash) at++
  }
  return to
}

/** The end of `dur=12.5` in servers' usual form, before a comma, a semicolon or the end; −1: something else. */
function endOfPlainDur(bytes: Uint8Array, from: number, to: number): number {
  if (from + 4 >= to || bytes[from] !== 100 || bytes[from + 1] !== 117 || bytes[from + 2] !== 114) return -1
  if (bytes[from + 3] !== equals) return -1
  let at = from + 4
  while (at < to && isDigitOrPoint(bytes[at] ?? 0)) at++
  return at === to || bytes[at] === comma || bytes[at] === semicolon ? at : -1
}

function isDigitOrPoint(byte: number): boolean {
  return byte >= 46 && byte <= 57 && byte !== 47
}

function isNamedDur(bytes: Uint8Array, at: number, to: number): boolean {
  if (to - at < 3 || endOfToken(bytes, at, at + 4 < to ? at + 4 : to) !== at + 3) return false
  return ((bytes[at] ?? 0) | 32) === 100 && ((bytes[at + 1] ?? 0) | 32) === 117 && ((bytes[at + 2] ?? 0) | 32) === 114
}

const powersOfTen = Array.from({ length: 16 }, (_, power) => 10 ** power)
const maxDigits = 15

/** A decimal number ≥ 0; NaN: not one. */
export function readNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  let point = -1
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 48 && byte <= 57) value = value * 10 + byte - 48
    else if (byte === 46 && point < 0) point = at
    else return readRareNumber(bytes, from, to)
  }
  const digits = to - from - (point < 0 ? 0 : 1)
  if (digits < 1) return NaN
  if (digits > maxDigits) return readRareNumber(bytes, from, to)
  return point < 0 ? value : value / (powersOfTen[to - point - 1] ?? 1)
}

/** With an exponent or many digits. */
function readRareNumber(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 40) return NaN
  const text = String.fromCharCode(...bytes.subarray(from, to))
  return /^[\d.]+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
}
