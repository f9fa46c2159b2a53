import { deflate, inflate } from '../stats/hdr-codec'
import { bucketCount } from '../cube/buckets'
import { cubeVersion, type BucketCounts, type Cube, type CubeAttribute } from '../cube/cube'

/**
 * A cube as bytes: a version, a JSON head with everything but counts, and the counts as variable-length integers, gaps
 * between filled buckets apart from the counts in them; deflated. The most frequent value of an attribute is what the
 * others leave of all rows, so its histogram is not written.
 */
export async function encodeCube(cube: Cube): Promise<Uint8Array> {
  const { all, slices, attributes, numbers, ...facts } = cube
  const head = {
    ...facts,
    slices: slices.length,
    attributes: attributes.map(({ name, values, restValues }) => ({
      ...{ name, restValues },
      values: values.map(({ value, sumMs, statusClasses }) => [value, Math.round(sumMs * 1e6) / 1e6, statusClasses]),
    })),
    numbers: numbers.map(({ name, negative }) => [name, negative]),
  }
  const text = encoder.encode(JSON.stringify(head))
  const gaps = new Varints()
  const counts = new Varints()
  const filled = filledRange(cube.all)
  for (const histogram of histogramsOf(cube)) putHistogram(histogram, filled, gaps, counts)
  for (const histogram of histogramsOfNumbers(cube)) putHistogram(histogram, everyBucket, gaps, counts)
  const lengths = new Varints()
  for (const size of [text.length, gaps.size]) lengths.put(size)
  const packed = await deflate(joined([lengths.bytes(), text, gaps.bytes(), counts.bytes()]))
  return joined([Uint8Array.of(cubeVersion), packed])
}

/** Histograms of rows that are written, in order: whole, slices but the first, values but the first. */
const histogramsOf = ({ all, slices, attributes }: Cube): readonly BucketCounts[] => [
  all,
  ...slices.slice(1),
  ...attributes.flatMap(({ values }) => values.slice(1).map(({ counts }) => counts)),
]

/** What a server states may be more or less than any latency. */
const histogramsOfNumbers = ({ numbers }: Cube): readonly BucketCounts[] =>
  numbers.flatMap(({ counts, restCounts, clientCounts }) => [counts, restCounts, clientCounts])

interface BucketRange {
  readonly low: number
  readonly high: number
}

const everyBucket: BucketRange = { low: 0, high: bucketCount - 1 }

/** Where there are rows. */
function filledRange(all: BucketCounts): BucketRange {
  let low = 0
  let high = bucketCount - 1
  while (low < high && all[low] === 0) low++
  while (high > low && all[high] === 0) high--
  return { low, high }
}

/** Buckets beyond `low`…`high` are empty. */
function putHistogram(histogram: BucketCounts, { low, high }: BucketRange, gaps: Varints, counts: Varints): void {
  let filled = 0
  for (let bucket = low; bucket <= high; bucket++) if (histogram[bucket] !== 0) filled++
  counts.put(filled)
  let last = -1
  for (let bucket = low; bucket <= high; bucket++) {
    const count = histogram[bucket] ?? 0
    if (count === 0) continue
    gaps.put(bucket - last - 1)
    counts.put(count - 1)
    last = bucket
  }
}

/** Null: of another version. Throws HdrFormatError if they were not written here. */
export async function decodeCube(bytes: Uint8Array): Promise<Cube | null> {
  if (bytes[0] !== cubeVersion) return null
  const plain = await inflate(Uint8Array.from(bytes.subarray(1)))
  const lengths = new VarintReader(plain, 0)
  const [textSize, gapsSize] = [lengths.take(), lengths.take()]
  const head = JSON.parse(decoder.decode(plain.subarray(lengths.at, lengths.at + textSize))) as Head
  const gaps = new VarintReader(plain, lengths.at + textSize)
  const counts = new VarintReader(plain, lengths.at + textSize + gapsSize)
  const next = () => takeHistogram(gaps, counts)
  const all = next()
  const { slices: sliceTotal, attributes, numbers, ...facts } = head
  const slices = takeOthers(all, sliceTotal, next)
  return {
    ...facts,
    all,
    slices,
    attributes: attributes.map(({ name, values, restValues }): CubeAttribute => {
      const histograms = takeOthers(all, values.length, next)
      return {
        ...{ name, restValues },
        values: values.map(([value, sumMs, statusClasses], at) => ({
          ...{ value, sumMs, statusClasses, rows: statusClasses.reduce((sum, count) => sum + count, 0) },
          counts: histograms[at] ?? new Uint32Array(bucketCount),
        })),
      }
    }),
    numbers: numbers.map(([name, negative]) => {
      const [own, restCounts, clientCounts] = [next(), next(), next()]
      return { name, negative, rows: own.reduce((sum, count) => sum + count, 0), counts: own, restCounts, clientCounts }
    }),
  }
}

interface Head extends Omit<Cube, 'all' | 'slices' | 'attributes' | 'numbers'> {
  readonly slices: number
  readonly attributes: readonly {
    readonly name: string
    readonly restValues: number
    readonly values: readonly (readonly [value: string, sumMs: number, statusClasses: readonly number[]])[]
  }[]
  readonly numbers: readonly (readonly [name: string, negative: number])[]
}

/** So many histograms that add up to `all`: the first is what the others leave. */
function takeOthers(all: BucketCounts, total: number, next: () => BucketCounts): readonly BucketCounts[] {
  if (total === 0) return []
  const others = Array.from({ length: total - 1 }, next)
  const first = all.slice()
  for (const other of others) other.forEach((count, bucket) => (first[bucket] = (first[bucket] ?? 0) - count))
  return [first, ...others]
}

function takeHistogram(gaps: VarintReader, counts: VarintReader): BucketCounts {
  const histogram = new Uint32Array(bucketCount)
  let bucket = -1
  for (let filled = counts.take(); filled > 0; filled--) {
    bucket += gaps.take() + 1
    histogram[bucket] = counts.take() + 1
  }
  return histogram
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Whole numbers ≥ 0 in groups of seven bits, lowest first. */
class Varints {
  size = 0
  private buffer = new Uint8Array(1 << 16)

  put(value: number): void {
    if (this.size + 8 > this.buffer.length) {
      const larger = new Uint8Array(2 * this.buffer.length)
      larger.set(this.buffer)
      this.buffer = larger
    }
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.buffer[this.size++] = (rest % 128) | 128
    this.buffer[this.size++] = rest
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.size)
  }
}

class VarintReader {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}

  take(): number {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = this.bytes[this.at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
