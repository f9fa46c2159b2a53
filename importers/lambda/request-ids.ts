/** Ids that are remembered. */
const maxIds = 1_500_000
const shardBits = 6
const shardCount = 1 << shardBits
/** Ids that a shard of the first, small table takes. */
const firstRegion = 32
const lastRegion = 32_768
/** A shard this full is not filled further: searches would grow long. */
const maxShardIds = lastRegion * 0.9

/**
 * Remembers which keys of request ids were seen, up to 1,500,000 of them; later ones are taken as new. 64 hash tables
 * (linear probing, at most 3/4 full), each in a region of its own of one array: a table grows within its region, by
 * half, so that nothing is left for the garbage collector. Of the array only what is used takes memory, 8 to 16 bytes
 * an id: the system gives pages when they are written first.
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

  /** More ids came than are remembered: repeats among the later ones were not noticed. */
  get isFull(): boolean {
    return this.full
  }

  /** Adds a key (`RequestKey`); false when it was there already. */
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

  /** Gives every shard the region that the largest table needs. */
  private spread(): void {
    const { table, region } = this
    this.table = new Uint32Array(shardCount * lastRegion * 2)
    this.spare = new Uint32Array(lastRegion * 2)
    this.region = lastRegion
    for (let shard = 0; shard < shardCount; shard++)
      this.table.set(table.subarray(shard * region * 2, (shard + 1) * region * 2), shard * lastRegion * 2)
  }

  /** Writes a shard's keys anew, with places for `capacity`. */
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

/** Keys in order of `low` are in nearly that order: growing goes through memory from one end to the other. */
function homeOf(low: number, capacity: number): number {
  return Math.floor((low * capacity) / 0x100000000)
}
