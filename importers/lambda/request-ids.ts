const dash = 0x2d
const uuidLength = 36

/** Value of a hex digit's byte; −1: not one. */
const nibbles = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  const code = digit.toString(16).charCodeAt(0)
  nibbles[code] = digit
  if (digit > 9) nibbles[code - 32] = digit
}

/**
 * A request id as 64 bits, in two numbers that the next one overwrites: no object and no string per line. UUIDs are
 * mixed down from their 128 bits, other texts hashed: two of 1,000,000 random ids collide in 1 log of 37,000,000.
 */
export class RequestKey {
  high = 0
  low = 0
  private readonly scratch = new Uint8Array(uuidLength)

  /** Reads the UUID whose 36 bytes are at `at`; false: none, or a single repeated digit in place of a removed one. */
  readUuid(bytes: Uint8Array, at: number): boolean {
    if (bytes[at + 8] !== dash || bytes[at + 13] !== dash || bytes[at + 18] !== dash || bytes[at + 23] !== dash)
      return false
    const a = readHex(bytes, at)
    const b = readHex(bytes, at + 4)
    const c = readHex(bytes, at + 9)
    const d = readHex(bytes, at + 14)
    const e = readHex(bytes, at + 19)
    const f = readHex(bytes, at + 24)
    const g = readHex(bytes, at + 28)
    const h = readHex(bytes, at + 32)
    if ((a | b | c | d | e | f | g | h) < 0 || a % 0x1111 === 0) return false
    this.mix((a << 16) | b, (c << 16) | d, (e << 16) | f, (g << 16) | h)
    return true
  }

  /** Reads an id of any form. */
  readText(id: string): void {
    const { scratch } = this
    if (id.length === uuidLength) {
      for (let index = 0; index < uuidLength; index++) scratch[index] = Math.min(255, id.charCodeAt(index))
      if (this.readUuid(scratch, 0)) return
    }
    let high = 0x811c9dc5
    let low = 0x9e3779b9
    // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) in two lanes with different starts and primes.
    for (let index = 0; index < id.length; index++) {
      const code = id.charCodeAt(index)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0x010001af)
    }
    this.set(finish(high), finish(low))
  }

  /** Two lanes over the same words, each one-to-one in any single word. */
  private mix(a: number, b: number, c: number, d: number): void {
    this.set(
      finish(turn(turn(turn(a, b, 0xcc9e2d51), c, 0x1b873593), d, 0x85ebca6b)),
      finish(turn(turn(turn(d, c, 0x9e3779b1), b, 0xc2b2ae35), a, 0x27d4eb2f)),
    )
  }

  private set(high: number, low: number): void {
    this.high = high >>> 0
    // All zeros marks a free place where ids are stored.
    this.low = high === 0 && low === 0 ? 1 : low >>> 0
  }
}

/** Four hex digits; negative: at least one is not. */
function readHex(bytes: Uint8Array, at: number): number {
  return (nibble(bytes, at) << 12) | (nibble(bytes, at + 1) << 8) | (nibble(bytes, at + 2) << 4) | nibble(bytes, at + 3)
}

function nibble(bytes: Uint8Array, at: number): number {
  return nibbles[bytes[at] ?? 0] ?? -1
}

function turn(hash: number, word: number, factor: number): number {
  const turned = Math.imul((hash << 13) | (hash >>> 19), 5) ^ Math.imul(word, factor)
  return turned ^ (turned >>> 15)
}

/** A word of a key, changed by two whole numbers; never 0, which marks a free place. */
export function mixKey(word: number, one: number, other: number): number {
  return finish(turn(word, one, 0xcc9e2d51) ^ Math.imul(other, 0x9e3779b1)) >>> 0 || 1
}

/**
 * Murmur3's last step (https://github.com/aappleby/smhasher, fmix32): every bit of the word decides half of the others.
 */
function finish(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

/** Most ids that are remembered. */
const maxIds = 1_500_000
const shardBits = 6
const shardCount = 1 << shardBits
/** Ids that fit in a shard of the first, small table. */
const firstRegion = 32
const lastRegion = 32_768
/** A shard this full takes no more ids: searches would become slow. */
const maxShardIds = lastRegion * 0.9

/**
 * Remembers which keys of request ids were seen, up to 1,500,000 of them; later ones are treated as new. 64 hash tables
 * (linear probing, at most 3/4 full), each in its own region of one array: a table grows within its region, by half, so
 * that nothing is left for the garbage collector. Only the used part of the array takes memory, 8 to 16 bytes per id:
 * the system allocates pages when they are first written.
 */
export class RequestIds {
  private region = firstRegion
  private table = new Uint32Array(shardCount * firstRegion * 2)
  /** Holds a shard's keys while it grows. */
  private spare = new Uint32Array(0)
  private readonly capacities = new Int32Array(shardCount).fill(firstRegion)
  private readonly sizes = new Int32Array(shardCount)
  private size = 0
  private full = false

  /** Whether more ids came than can be remembered, so that repeats among the later ones were not detected. */
  get isFull(): boolean {
    return this.full
  }

  /** Adds a key (`RequestKey`); false: it was there already. */
  add(high: number, low: number): boolean {
    const shard = high >>> (32 - shardBits)
    const capacity = this.capacities[shard] ?? 0
    const { table } = this
    const start = shard * this.region
    let slot = homeOf(low, capacity)
    for (;;) {
      const at = (start + slot) * 2
      const a = table[at]
      const b = table[at + 1]
      if (a === high && b === low) return false
      if (a === 0 && b === 0) {
        this.insert(shard, at, high, low)
        return true
      }
      if (++slot === capacity) slot = 0
    }
  }

  private insert(shard: number, at: number, high: number, low: number): void {
    const size = (this.sizes[shard] ?? 0) + 1
    if (this.size >= maxIds || size > maxShardIds) {
      this.full = true
      return
    }
    this.table[at] = high
    this.table[at + 1] = low
    this.sizes[shard] = size
    this.size++
    const capacity = this.capacities[shard] ?? 0
    if (size * 4 > capacity * 3 && capacity < lastRegion) this.grow(shard)
  }

  private grow(shard: number): void {
    const wanted = Math.min(lastRegion, ((this.capacities[shard] ?? 0) * 3) >> 1)
    if (wanted > this.region) this.spread()
    const start = shard * this.region * 2
    const length = (this.capacities[shard] ?? 0) * 2
    this.spare.set(this.table.subarray(start, start + length))
    this.fill(shard, this.spare.subarray(0, length), wanted)
  }

  /** Gives every shard the region size that the largest table needs. */
  private spread(): void {
    const { table, region } = this
    this.table = new Uint32Array(shardCount * lastRegion * 2)
    this.spare = new Uint32Array(lastRegion * 2)
    this.region = lastRegion
    for (let shard = 0; shard < shardCount; shard++)
      this.table.set(table.subarray(shard * region * 2, (shard + 1) * region * 2), shard * lastRegion * 2)
  }

  /** Rewrites a shard's keys, with places for `capacity`. */
  private fill(shard: number, keys: Uint32Array, capacity: number): void {
    const { table } = this
    const start = shard * this.region
    table.fill(0, start * 2, start * 2 + keys.length)
    this.capacities[shard] = capacity
    for (let from = 0; from < keys.length; from += 2) {
      const high = keys[from] ?? 0
      const low = keys[from + 1] ?? 0
      if (high === 0 && low === 0) continue
      let slot = homeOf(low, capacity)
      while (table[(start + slot) * 2] !== 0 || table[(start + slot) * 2 + 1] !== 0) if (++slot === capacity) slot = 0
      table[(start + slot) * 2] = high
      table[(start + slot) * 2 + 1] = low
    }
  }
}

/** Keys sorted by `low` are almost sorted by place: growing goes through memory from one end to the other. */
function homeOf(low: number, capacity: number): number {
  return Math.floor((low * capacity) / 0x100000000)
}
