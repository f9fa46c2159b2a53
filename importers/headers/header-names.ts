/**
 * Four-character words that identify names, as a table with the position of a word in a name; this rules out nearly
 * everything else. A name is long enough to contain a word wherever the search stops, so each is found exactly once,
 * and most other text is never examined.
 */
export class NameWords {
  private readonly table = new Uint8Array(1 << 14)
  /** Words at different positions of names share a place: some names are not found. */
  hasCollisions = false

  constructor(readonly step: number) {}

  /** The word in each case of its letters. `code`: from 1, its position in a name. */
  add(text: string, encode: (text: string) => string, code: number): void {
    for (const variant of casesOf(text)) {
      const word = [...encode(variant)].reduce((sum, one, index) => sum | (one.charCodeAt(0) << (8 * index)), 0)
      const slot = slotOfWord(word)
      const known = this.table[slot] ?? 0
      if (known !== 0 && known !== code) this.hasCollisions = true
      this.table[slot] = code
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

/** With this factor no two words at different positions of the names that are always read share a slot. */
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
export const base64Step = 4 * groups
/** Code of a word this many bytes after a name's first byte. */
const firstCode = 3
/** A shorter name, with the characters around it, does not fill three groups. */
const shortestName = 7

/** Finds names of headers in base64 blocks without decoding them. */
export class Base64Names extends NameWords {
  constructor(names: readonly string[]) {
    super(base64Step)
    for (const name of names) {
      const line = `\r\n${name}: `
      // By the position of the name's first byte in its group.
      for (const first of [0, 1, 2])
        for (let group = 0; group < groups; group++) {
          const offset = group * 3 - first
          this.add(line.slice(2 + offset, 5 + offset), btoa, offset + firstCode)
        }
    }
  }

  /** Null: one of them cannot be found that way. */
  static of(names: readonly string[]): Base64Names | null {
    if (names.some(({ length }) => length < shortestName)) return null
    const made = new Base64Names(names)
    return made.hasCollisions ? null : made
  }

  /** Whether the words around one match those around it in a name; the block begins and ends there. */
  isName(view: DataView, at: number, from: number, to: number): boolean {
    const code = this.codeAt(view, at)
    const first = at - 4 * Math.floor((code - 1) / 3)
    if (first < from || first + base64Step > to) return false
    const lowest = ((code - 1) % 3) + 1
    for (let group = 0; group < groups; group++)
      if (this.codeAt(view, first + 4 * group) !== lowest + 3 * group) return false
    return true
  }

  /** Bytes before the name in its block. */
  startOf(view: DataView, at: number, from: number): number {
    return ((at - from) >> 2) * 3 - this.codeAt(view, at) + firstCode
  }
}
