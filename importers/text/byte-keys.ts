/** Longest key that is counted separately; longer ones belong to the rest. */
const maxKeyBytes = 8_192
const maxArenaBytes = 1 << 20
const leastCacheBits = 8

/**
 * Numbers distinct byte strings 0, 1, 2 … in order of appearance, up to a limit; later ones are `rest`. Creates no
 * strings: a known key is recognised by its last bytes and compared word by word.
 */
export class ByteKeys {
  /** Index of every key beyond the limit. */
  readonly rest: number
  private arena = new Uint8Array(4_096)
  private view = new DataView(this.arena.buffer)
  private arenaSize = 0
  private readonly starts: Int32Array
  private readonly lengths: Int32Array
  private readonly cache: Int32Array
  /** A hash shifted by this many bits is a place in the cache. */
  private readonly cacheShift: number
  /** Open addressing, index + 1. */
  private readonly table: Int32Array
  private count = 0

  constructor(limit: number) {
    this.rest = limit
    this.starts = new Int32Array(limit)
    this.lengths = new Int32Array(limit)
    const cacheBits = Math.max(leastCacheBits, Math.ceil(Math.log2(limit)))
    this.cache = new Int32Array(2 ** cacheBits).fill(-1)
    this.cacheShift = 32 - cacheBits
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(limit * 2 + 2)))
  }

  get size(): number {
    return this.count
  }

  /** Bytes of a key. */
  key(index: number): Uint8Array {
    const start = this.starts[index] ?? 0
    return this.arena.subarray(start, start + (this.lengths[index] ?? 0))
  }

  /** Number of the key at `from`…`to` of `view`. */
  find(view: DataView, from: number, to: number): number {
    const recent = this.findRecent(view, from, to)
    if (recent >= 0) return recent
    const found = this.look(view, from, to)
    if (found !== this.rest && to - from >= 4) this.cache[this.cachePlace(view, from, to)] = found
    return found
  }

  /** The number of a known key; −1: new, and not added. */
  peek(view: DataView, from: number, to: number): number {
    const recent = this.findRecent(view, from, to)
    if (recent >= 0 || to - from > maxKeyBytes) return recent
    return (this.table[this.placeOf(view, from, to)] ?? 0) - 1
  }

  /** The same if the key was found recently; else −1. */
  findRecent(view: DataView, from: number, to: number): number {
    const length = to - from
    if (length < 4) return -1
    const index = this.cache[this.cachePlace(view, from, to)] ?? -1
    return index >= 0 && this.lengths[index] === length && this.isSame(index, view, from, to) ? index : -1
  }

  /** `to − from` is the key's length, and at least 4. */
  private isSame(index: number, view: DataView, from: number, to: number): boolean {
    const shift = (this.starts[index] ?? 0) - from
    const own = this.view
    for (let at = from; at < to - 4; at += 4)
      if (view.getInt32(at, true) !== own.getInt32(at + shift, true)) return false
    return view.getInt32(to - 4, true) === own.getInt32(to - 4 + shift, true)
  }

  private look(view: DataView, from: number, to: number): number {
    if (to - from > maxKeyBytes) return this.rest
    const place = this.placeOf(view, from, to)
    const index = (this.table[place] ?? 0) - 1
    return index < 0 ? this.insert(place, view, from, to) : index
  }

  /** The key's place in the table, present or not. */
  private placeOf(view: DataView, from: number, to: number): number {
    const length = to - from
    let hash = length
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193)
    hash ^= hash >>> 15
    const mask = this.table.length - 1
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const index = (this.table[place] ?? 0) - 1
      if (index < 0 || (this.lengths[index] === length && this.isSameBytes(index, view, from, to))) return place
    }
  }

  private isSameBytes(index: number, view: DataView, from: number, to: number): boolean {
    const shift = (this.starts[index] ?? 0) - from
    for (let at = from; at < to; at++) if (view.getUint8(at) !== this.arena[at + shift]) return false
    return true
  }

  private insert(place: number, view: DataView, from: number, to: number): number {
    const length = to - from
    if (this.count === this.rest || this.arenaSize + length > maxArenaBytes) return this.rest
    if (this.arenaSize + length > this.arena.length) {
      const larger = new Uint8Array(Math.max(this.arena.length * 2, this.arenaSize + length))
      larger.set(this.arena)
      this.arena = larger
      this.view = new DataView(larger.buffer)
    }
    for (let at = 0; at < length; at++) this.arena[this.arenaSize + at] = view.getUint8(from + at)
    this.starts[this.count] = this.arenaSize
    this.lengths[this.count] = length
    this.arenaSize += length
    this.table[place] = this.count + 1
    return this.count++
  }
  /** A key's place in the cache, by its length, which is at least 4, and its last bytes. */
  private cachePlace(view: DataView, from: number, to: number): number {
    return Math.imul(view.getInt32(to - 4, true) ^ (to - from), 0x9e3779b1) >>> this.cacheShift
  }
}
