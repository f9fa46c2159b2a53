/**
 * The V2 format of HdrHistogram (https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram.encodeIntoByteBuffer and
 * ZigZagEncoding): a head of 40 bytes, then counts; deflated, with 8 bytes before it. Written here because
 * hdr-histogram-js would have to be filled value by value first.
 */
const cookie = 0x1c849313
const compressedCookie = 0x1c849314
const headBytes = 40

/** How values share slots. */
export interface HistogramLayout {
  /** Significant digits, 0–5. */
  readonly digits: number
  /** Smallest value that can be told from 0. */
  readonly lowest: number
}

/** The layout of our own histograms. */
export const threeDigits: HistogramLayout = { digits: 3, lowest: 1 }

/** Encodes counts by slot as a compressed V2 payload in base64. `largest`: largest value; `first`: no slot before it is used. */
export async function encodeHistogram(
  counts: Uint32Array | Float64Array,
  largest: number,
  layout: HistogramLayout = threeDigits,
  first = 0,
): Promise<string> {
  const compressed = await deflate(encodePlainly(counts, largest, layout, first))
  const payload = new Uint8Array(8 + compressed.length)
  const view = new DataView(payload.buffer)
  view.setInt32(0, compressedCookie)
  view.setInt32(4, compressed.length)
  payload.set(compressed, 8)
  return toBase64(payload)
}

/** The payload before it is deflated. */
export function encodePlainly(
  counts: Uint32Array | Float64Array,
  largest: number,
  { digits, lowest }: HistogramLayout,
  first: number,
): Uint8Array<ArrayBuffer> {
  let used = counts.length
  while (used > 0 && counts[used - 1] === 0) used--
  const bytes = new Uint8Array(headBytes + used * (counts instanceof Uint32Array ? 5 : 8))
  const view = new DataView(bytes.buffer)
  let at = headBytes
  const put = (value: number) => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128
    bytes[at++] = rest
  }
  for (let slot = 0; slot < used; slot++) {
    const count = counts[slot] ?? 0
    let zeros = slot === 0 ? Math.min(first, used) : 0
    while (slot + zeros < used && counts[slot + zeros] === 0) zeros++
    // Zigzag: 2n for a count, 2n − 1 for a run of n empty slots.
    put(zeros > 1 ? zeros * 2 - 1 : count * 2)
    if (zeros > 1) slot += zeros - 1
  }
  view.setInt32(0, cookie)
  view.setInt32(4, at - headBytes)
  view.setInt32(8, 0)
  view.setInt32(12, digits)
  view.setBigInt64(16, BigInt(lowest))
  view.setBigInt64(24, BigInt(Math.max(2 * lowest, largest)))
  view.setFloat64(32, 1)
  return bytes.slice(0, at)
}

interface Zlib {
  deflateSync(bytes: Uint8Array): Uint8Array
}

type BuiltinOf = (name: 'zlib') => Zlib | undefined

/** Node's own zlib where it can be asked for without an import: the web's stream takes 5 ms to load. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const builtinOf: BuiltinOf | undefined = globalThis.process?.getBuiltinModule
  const zlib = builtinOf?.('zlib')
  return zlib === undefined ? deflateInStream(bytes) : zlib.deflateSync(bytes)
}

async function deflateInStream(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new CompressionStream('deflate')
  const writer = stream.writable.getWriter()
  // What goes wrong shows on the readable side.
  void writer.write(bytes).catch(() => undefined)
  void writer.close().catch(() => undefined)
  const parts: Uint8Array[] = []
  const reader = stream.readable.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
