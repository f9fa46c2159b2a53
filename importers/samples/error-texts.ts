import type { ErrorCount } from '../../lib/run/run'

const urlEnds = ' \t\n\r"\'`<>()[]{}?#,;'
const urlOrDigits = /:\/\/[^\s"'`<>()[\]{}?#,;]*|\d+/g
const maxKeys = 1_000
const maxKeyBytes = 2_048
const tableSize = 4_096

/** One kind of error while it is being counted. */
interface ErrorKind {
  /** From 0, in order of appearance. */
  readonly index: number
  count: number
  /** Bytes with each run of digits as `#`. */
  readonly key: Uint8Array
  /** The first text of this kind, unchanged. */
  readonly exact: Uint8Array
  /** It contains a `#` of its own. */
  readonly hasHash: boolean
  /** No other text of this kind was seen. */
  isSame: boolean
}

/**
 * Counts error texts by kind: texts that differ only in numbers (ports, times) are one kind; the host and the path of a
 * URL stay unchanged. At most 1,000 kinds; the rest are counted together. Works on bytes, so that a million different
 * texts do not create a million strings.
 */
export class ErrorTexts {
  private readonly kinds: ErrorKind[] = []
  /** Open addressing, index + 1. */
  private readonly table = new Int32Array(tableSize)
  private readonly scratch = new Uint8Array(maxKeyBytes)
  private last: ErrorKind | null = null
  private others = 0

  /** Counts the text at `from`…`to`; returns the number of its kind. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const { last } = this
    if (last !== null && isEqual(last.exact, bytes, from, to)) {
      last.count++
      return last.index
    }
    const end = Math.min(to, from + maxKeyBytes)
    // Errors that differ only in numbers often follow each other: comparing is cheaper than looking up.
    const kind = last !== null && isOfKind(last, bytes, from, end) ? last : this.look(bytes, from, end)
    if (kind === null) {
      this.others++
      return maxKeys
    }
    kind.count++
    if (kind.isSame && !isEqual(kind.exact, bytes, from, end)) kind.isSame = false
    this.last = kind
    return kind.index
  }

  private look(bytes: Uint8Array, from: number, end: number): ErrorKind | null {
    const { scratch } = this
    let length = 0
    let sum = 0
    for (let at = from; at < end;) {
      const byte = bytes[at] ?? 0
      const kept = byteKinds[byte] === digit ? hash : byte
      scratch[length++] = kept
      sum = Math.imul(sum ^ kept, 0x01000193)
      at++
      if (kept !== byte) at = endOfDigits(bytes, at, end)
      else if (byte === colon)
        for (const pathEnd = endOfUrl(bytes, at, end); at < pathEnd; at++) {
          const inUrl = bytes[at] ?? 0
          scratch[length++] = inUrl
          sum = Math.imul(sum ^ inUrl, 0x01000193)
        }
    }
    return this.find(sum ^ (sum >>> 15), length, bytes, from, end)
  }

  private find(sum: number, length: number, bytes: Uint8Array, from: number, to: number): ErrorKind | null {
    const mask = tableSize - 1
    for (let place = sum & mask; ; place = (place + 1) & mask) {
      const kind = this.kinds[(this.table[place] ?? 0) - 1]
      if (kind === undefined) {
        if (this.kinds.length >= maxKeys) return null
        const exact = new Uint8Array(bytes.subarray(from, to))
        const hasHash = exact.includes(hash)
        const added = {
          index: this.kinds.length,
          count: 0,
          key: this.scratch.slice(0, length),
          exact,
          hasHash,
          isSame: true,
        }
        this.table[place] = this.kinds.push(added)
        return added
      }
      if (isEqual(kind.key, this.scratch, 0, length)) return kind
    }
  }

  /** The text of a kind; null: one of the others. */
  nameOf(kind: number, decode: (bytes: Uint8Array) => string): string | null {
    const found = this.kinds[kind]
    if (found === undefined) return null
    return found.isSame ? decode(found.exact) : normaliseError(decode(found.exact))
  }

  /** Most frequent first. `decode` converts the bytes of one error to text. */
  list(decode: (bytes: Uint8Array) => string): ErrorCount[] {
    const counts = new Map<string, number>()
    for (const { index, count } of this.kinds) {
      const message = this.nameOf(index, decode) ?? ''
      counts.set(message, (counts.get(message) ?? 0) + count)
    }
    const listed = [...counts].map(([message, count]) => ({ message, count })).sort((a, b) => b.count - a.count)
    return this.others === 0 ? listed : [...listed, { message: 'other errors', count: this.others }]
  }
}

const hash = 35
const colon = 58
const slash = 47
const digit = 1
const urlEnd = 2
/** Digits, and characters that end the host and the path of a URL: blanks, quotes, brackets, a query. */
const byteKinds = new Uint8Array(256)
for (const character of '0123456789') byteKinds[character.charCodeAt(0)] = digit
for (const character of urlEnds) byteKinds[character.charCodeAt(0)] = urlEnd

function endOfDigits(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && byteKinds[bytes[at] ?? 0] === digit) at++
  return at
}

/** The end of the host and the path after the colon before `from`; `from` if no URL begins. */
function endOfUrl(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] !== slash || bytes[from + 1] !== slash) return from
  let at = from
  while (at < end && byteKinds[bytes[at] ?? 0] !== urlEnd) at++
  return at
}

/** Whether the text at `from`…`end` has the key of this kind; also false if uncertain. */
function isOfKind({ key, hasHash }: ErrorKind, bytes: Uint8Array, from: number, end: number): boolean {
  if (hasHash) return false
  let at = from
  for (let index = 0; index < key.length; index++) {
    const kept = key[index]
    const byte = bytes[at]
    if (kept === byte) at++
    else if (kept === hash && at < end && byteKinds[byte ?? 0] === digit) at = endOfDigits(bytes, at, end)
    else return false
  }
  // The comparison may have gone beyond the text.
  return at === end
}

/**
 * The text of a kind of errors that differ in numbers: each run of digits is `#`, except in the host and path of a URL.
 */
export function normaliseError(text: string): string {
  return text.replace(urlOrDigits, (found) => (found.startsWith(':') ? found : '#'))
}

function isEqual(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[from + at]) return false
  return true
}
