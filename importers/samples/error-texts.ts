import type { ErrorCount } from '../../lib/run/run'

const urlEnds = ' \t\n\r"\'`<>()[]{}?#,;'
const urlOrDigits = /:\/\/[^\s"'`<>()[\]{}?#,;]*|\d+/g
const maxKeys = 1_000
const maxKeyBytes = 2_048
const tableSize = 4_096

/** One kind of error while it is being counted. */
interface ErrorKind {
  count: number
  /** Bytes with each run of digits as `#`. */
  readonly key: Uint8Array
  /** The first text of this kind, as it stood. */
  readonly exact: Uint8Array
  /** No other text of this kind was seen. */
  isSame: boolean
}

/**
 * Counts error texts by kind: texts that differ only in numbers (ports, times) are one; the host and the path of an URL
 * stay as they are. At most 1,000 kinds,
 * the rest is counted together. Works on bytes, so that a million different texts cost no million strings.
 */
export class ErrorTexts {
  private readonly kinds: ErrorKind[] = []
  /** Open addressing, index + 1. */
  private readonly table = new Int32Array(tableSize)
  private readonly scratch = new Uint8Array(maxKeyBytes)
  private last: ErrorKind | null = null
  private others = 0

  /** Counts the text at `from`…`to`. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const { last } = this
    if (last !== null && isEqual(last.exact, bytes, from, to)) {
      last.count++
      return
    }
    const { scratch } = this
    const end = Math.min(to, from + maxKeyBytes)
    let length = 0
    let hash = 0
    let isInUrl = false
    for (let at = from; at < end; at++) {
      let byte = bytes[at] ?? 0
      if (byte === 58 && bytes[at + 1] === 47 && bytes[at + 2] === 47) isInUrl = true
      else if (isInUrl && endsUrl[byte] === 1) isInUrl = false
      if (!isInUrl && byte >= 48 && byte <= 57) {
        if (length > 0 && scratch[length - 1] === 35) continue
        byte = 35
      }
      scratch[length++] = byte
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
    const kind = this.find(hash ^ (hash >>> 15), length, bytes, from, end)
    if (kind === null) {
      this.others++
      return
    }
    kind.count++
    if (kind.isSame && !isEqual(kind.exact, bytes, from, end)) kind.isSame = false
    this.last = kind
  }

  private find(hash: number, length: number, bytes: Uint8Array, from: number, to: number): ErrorKind | null {
    const mask = tableSize - 1
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const kind = this.kinds[(this.table[place] ?? 0) - 1]
      if (kind === undefined) {
        if (this.kinds.length >= maxKeys) return null
        const exact = new Uint8Array(bytes.subarray(from, to))
        const added = { count: 0, key: this.scratch.slice(0, length), exact, isSame: true }
        this.table[place] = this.kinds.push(added)
        return added
      }
      if (isEqual(kind.key, this.scratch, 0, length)) return kind
    }
  }

  /** Most frequent first. `decode` makes text of the bytes of one error. */
  list(decode: (bytes: Uint8Array) => string): ErrorCount[] {
    const counts = new Map<string, number>()
    for (const { exact, count, isSame } of this.kinds) {
      const text = decode(exact)
      const message = isSame ? text : normaliseError(text)
      counts.set(message, (counts.get(message) ?? 0) + count)
    }
    const listed = [...counts].map(([message, count]) => ({ message, count })).sort((a, b) => b.count - a.count)
    return this.others === 0 ? listed : [...listed, { message: 'other errors', count: this.others }]
  }
}

/** What ends the host and the path of an URL: blanks, quotes, brackets, a query. */
const endsUrl = new Uint8Array(256)
for (const character of urlEnds) endsUrl[character.charCodeAt(0)] = 1

/** The text of a kind of errors that differ in their numbers: each run of digits is `#`, but in the host and path of an URL. */
export function normaliseError(text: string): string {
  return text.replace(urlOrDigits, (found) => (found.startsWith(':') ? found : '#'))
}

function isEqual(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[from + at]) return false
  return true
}
