import { bucketCount, edgesNs } from '../../lib/cube/buckets'

/** Bits of a 32-bit float that are dropped: 8 of its fraction stay, so an entry is 0.4 % wide and meets two buckets. */
const droppedBits = 15
/** Entry of 1 ns: its exponent without the fraction. */
const firstEntry = 127 << (23 - droppedBits)
const entryCount = 43 << (23 - droppedBits)

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** A latency's bucket without a logarithm: by the first bits of the number as a float. */
export class BucketTable {
  private readonly lowest = new Uint16Array(entryCount)

  private constructor() {
    // From one edge to the next: an entry is narrower than a bucket.
    for (let bucket = 0, from = 0; bucket < bucketCount; bucket++) {
      // A float may have been rounded up into its entry.
      float[0] = bucket === bucketCount - 1 ? Infinity : (edgesNs[bucket] ?? 0) * (1 + 1e-6)
      const to = Math.min(entryCount, Math.max(from, ((bits[0] ?? 0) >>> droppedBits) - firstEntry + 1))
      this.lowest.fill(bucket, from, to)
      from = to
    }
  }

  /** The only one, made when the first cube is begun. */
  static get(): BucketTable {
    return (made ??= new BucketTable())
  }

  /** Bucket of a whole number of nanoseconds, 0…2^51. */
  bucketOf(ns: number): number {
    if (ns < 1) return 0
    float[0] = ns
    const entry = ((bits[0] ?? 0) >>> droppedBits) - firstEntry
    let bucket = this.lowest[entry < entryCount ? entry : entryCount - 1] ?? 0
    while (bucket < bucketCount - 1 && ns > (edgesNs[bucket] ?? Infinity)) bucket++
    return bucket
  }
}

let made: BucketTable | null = null
