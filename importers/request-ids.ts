/** Ids that are remembered: 32 MiB at most. */
const maxIds = 1_500_000
const wordsPerId = 4

/**
 * Remembers which request ids were seen: 128 bits each, exact for UUIDs, hashed for other texts. Memory grows with the
 * ids up to 1,500,000 of them; later ids are taken as new.
 */
export class RequestIds {
  private table = new Uint32Array(1_024 * wordsPerId)
  private mask = 1_023
  private size = 0
  private readonly words = new Uint32Array(wordsPerId)

  /** More ids came than are remembered: repeats among the later ones were not noticed. */
  get isFull(): boolean {
    return this.size >= maxIds
  }

  /** Adds an id; false when it was there already. */
  add(id: string): boolean {
    if (!readUuid(id, this.words)) hashText(id, this.words)
    // All zeros marks a free place.
    const { words } = this
    if (words[0] === 0 && words[1] === 0 && words[2] === 0 && words[3] === 0) words[0] = 1
    const place = this.find(this.table, this.mask, this.words)
    if (!this.isFree(place)) return false
    if (this.isFull) return true
    this.table.set(this.words, place)
    this.size++
    if (this.size * 4 > (this.mask + 1) * 3) this.grow()
    return true
  }

  private isFree(place: number): boolean {
    for (let word = 0; word < wordsPerId; word++) if (this.table[place + word] !== 0) return false
    return true
  }

  /** The place of these words, or the free one where they belong (linear probing). */
  private find(table: Uint32Array, mask: number, words: Uint32Array): number {
    // By index: taking a typed array apart goes through its iterator, which costs more than the search.
    const first = words[0] ?? 0
    const second = words[1] ?? 0
    const third = words[2] ?? 0
    const fourth = words[3] ?? 0
    let slot = (first ^ Math.imul(fourth, 0x9e3779b1)) & mask
    for (;;) {
      const at = slot * wordsPerId
      const a = table[at]
      if (a === first && table[at + 1] === second && table[at + 2] === third && table[at + 3] === fourth) return at
      if (a === 0 && table[at + 1] === 0 && table[at + 2] === 0 && table[at + 3] === 0) return at
      slot = (slot + 1) & mask
    }
  }

  private grow(): void {
    const mask = this.mask * 2 + 1
    const table = new Uint32Array((mask + 1) * wordsPerId)
    for (let place = 0; place < this.table.length; place += wordsPerId) {
      const words = this.table.subarray(place, place + wordsPerId)
      if (!this.isFree(place)) table.set(words, this.find(table, mask, words))
    }
    this.table = table
    this.mask = mask
  }
}

/** Reads a UUID's 32 hex digits into four words; false when the text is none. */
function readUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false
  let digits = 0
  let word = 0
  for (let index = 0; index < 36; index++) {
    const code = text.charCodeAt(index)
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (code !== 0x2d) return false
      continue
    }
    const digit = code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57
    if (digit < 0 || digit > 15 || (code > 0x39 && digit < 10)) return false
    word = ((word << 4) | digit) >>> 0
    digits++
    if (digits % 8 === 0) words[digits / 8 - 1] = word
  }
  return true
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) in four lanes with different starts and primes. */
function hashText(text: string, words: Uint32Array): void {
  let [a, b, c, d] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x01000197)
    c = Math.imul(c ^ code, 0x010001af)
    d = Math.imul(d ^ code, 0x010001bb)
  }
  words.set([a >>> 0, b >>> 0, c >>> 0, d >>> 0])
}
