/**
 * Writes and reads the V2 format of HdrHistogram (https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram
 * .encodeIntoByteBuffer, .decodeFromByteBuffer and ZigZagEncoding): a head of 40 bytes, then counts; deflated, with 8
 * bytes before it.
 *
 * Used alongside hdr-histogram-js for two reasons. Limits: the library allocates what the head of a foreign payload
 * demands, possibly gigabytes, and inflates without bound. Speed: values counted in a flat array at 2 ns each are
 * written in 0.3 ms; the library's histogram would first be filled value by value at 80 ns. The library is used where
 * neither matters: it reads stored payloads, written or checked by this file (histogram.ts), for pages that read
 * synchronously and use its iterators; and it writes summaries of text blocks synchronously
 * (importers/samples/number-samples.ts).
 */
const cookie = 0x1c849303
const compressedCookie = 0x1c849304
/** Older versions that are read: counts in words of 2, 4 or 8 bytes; V0 with a shorter head. */
const oldCookies = { v1: 0x1c849301, v1Compressed: 0x1c849302, v0: 0x1c849308, v0Compressed: 0x1c849309 } as const
const v0HeadBytes = 32
/** The word size in bits 4–7 is meaningless in V2; writers put 1. */
const cookieMask = 0xffffff0f
const wordSize = 0x10
const headBytes = 40
/** Five digits over 53 doublings, each count in its own byte, are under 7 MB. */
const maxPlainBytes = 8 * 1024 * 1024
/** The slots that a page would have to allocate to draw it. */
const maxSlots = 2_000_000

/** How values are grouped into slots. */
export interface HistogramLayout {
  /** Significant digits, 0–5. */
  readonly digits: number
  /** Smallest value that can be distinguished from 0; at least 1. */
  readonly lowest: number
}

/** The layout of our own histograms. */
export const threeDigits: HistogramLayout = { digits: 3, lowest: 1 }

/**
 * Encodes counts by slot as a base64 V2 payload, compressed. `largest`: largest value; `first`: no lower slot is used.
 */
export async function encodeHistogram(
  counts: Uint32Array | Float64Array,
  largest: number,
  layout: HistogramLayout = threeDigits,
  first = 0,
): Promise<string> {
  const compressed = await deflate(encodePlainly(counts, largest, layout, first))
  const payload = new Uint8Array(8 + compressed.length)
  const view = new DataView(payload.buffer)
  view.setInt32(0, compressedCookie | wordSize)
  view.setInt32(4, compressed.length)
  payload.set(compressed, 8)
  return toBase64(payload)
}

/** The payload before deflation. */
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
  view.setInt32(0, cookie | wordSize)
  view.setInt32(4, at - headBytes)
  view.setInt32(8, 0)
  view.setInt32(12, digits)
  view.setBigInt64(16, BigInt(lowest))
  view.setBigInt64(24, BigInt(Math.max(2 * lowest, largest)))
  view.setFloat64(32, 1)
  return bytes.slice(0, at)
}

/** A histogram as recorded; values are unitless. */
export interface DecodedHistogram extends HistogramLayout {
  /** Slot → number of values; every count is above 0. Rising. */
  readonly counts: ReadonlyMap<number, number>
}

/** Why a payload cannot be read, for an ImportError. */
export class HdrFormatError extends Error {
  constructor(
    readonly code: 'malformed' | 'truncated' | 'too-large' | 'unknown-format',
    message: string,
  ) {
    super(message)
  }
}

/** Decodes a payload of V2, V1 or V0 in base64. @throws HdrFormatError. */
export async function decodeHistogram(base64: string): Promise<DecodedHistogram> {
  const payload = fromBase64(base64)
  const view = viewOf(payload)
  if (payload.length < 8) throw new HdrFormatError('truncated', 'it ends within its head')
  const kind = (view.getInt32(0) & cookieMask) >>> 0
  if (kind === cookie || kind === oldCookies.v1 || kind === oldCookies.v0) return decodePlain(payload)
  if (kind !== compressedCookie && kind !== oldCookies.v1Compressed && kind !== oldCookies.v0Compressed)
    throw new HdrFormatError('malformed', 'it does not begin as a histogram')
  const length = view.getInt32(4)
  if (length < 0 || length > payload.length - 8) throw new HdrFormatError('truncated', 'its end is missing')
  return decodePlain(await inflate(payload.subarray(8, 8 + length)))
}

function decodePlain(bytes: Uint8Array<ArrayBuffer>): DecodedHistogram {
  if (bytes.length < v0HeadBytes) throw new HdrFormatError('truncated', 'it ends within its head')
  const view = viewOf(bytes)
  const kind = (view.getInt32(0) & cookieMask) >>> 0
  if (kind === oldCookies.v0) {
    const [digits, lowest] = [view.getInt32(4), Number(view.getBigInt64(8))]
    return checked(digits, lowest, () => decodeWords(bytes.subarray(v0HeadBytes), view.getInt32(0)))
  }
  if (bytes.length < headBytes) throw new HdrFormatError('truncated', 'it ends within its head')
  if (kind !== cookie && kind !== oldCookies.v1)
    throw new HdrFormatError('malformed', 'what was compressed is not a histogram')
  const length = view.getInt32(4)
  const offset = view.getInt32(8)
  const digits = view.getInt32(12)
  const lowest = Number(view.getBigInt64(16))
  // hdr-histogram-js writes 1 and means 0; real shifts are by many slots.
  if (offset !== 0 && offset !== 1)
    throw new HdrFormatError('unknown-format', 'its slots are shifted, which is not read')
  if (length < 0 || headBytes + length > bytes.length) throw new HdrFormatError('truncated', 'its end is missing')
  const payload = bytes.subarray(headBytes, headBytes + length)
  return checked(digits, lowest, () =>
    kind === cookie ? decodeCounts(payload) : decodeWords(payload, view.getInt32(0)),
  )
}

function checked(digits: number, lowest: number, decode: () => Map<number, number>): DecodedHistogram {
  if (digits < 0 || digits > 5 || lowest < 1 || lowest > 2 ** 40)
    throw new HdrFormatError('malformed', 'its head holds figures that no histogram has')
  const counts = decode()
  const decoded = { digits, lowest, counts }
  const last = lastSlotOf(decoded)
  if (last >= 0 && highestOfSlot(decoded, last) > Number.MAX_SAFE_INTEGER)
    throw new HdrFormatError('too-large', 'it holds values beyond 2^53')
  return decoded
}

/** ZigZag LEB128 of 64 bits: 2n for a count, 2n − 1 for a run of n empty slots. */
function decodeCounts(bytes: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>()
  let slot = 0
  let at = 0
  while (at < bytes.length) {
    let value = 0
    let scale = 1
    for (let read = 0; ; read++) {
      const byte = bytes[at++]
      if (byte === undefined) throw new HdrFormatError('truncated', 'it ends within a count')
      // The ninth byte holds eight bits.
      value += (read < 8 ? byte & 127 : byte) * scale
      if (byte < 128 || read === 8) break
      scale *= 128
    }
    if (value > Number.MAX_SAFE_INTEGER) throw new HdrFormatError('malformed', 'a count in it is beyond 2^53')
    if (value % 2 === 1) slot += (value + 1) / 2
    else {
      if (value > 0) counts.set(slot, value / 2)
      slot++
    }
    if (slot > maxSlots) throw new HdrFormatError('too-large', `it has more than ${maxSlots} slots`)
  }
  return counts
}

/** Counts of V0 and V1, each in a word of the size given by the cookie. */
function decodeWords(bytes: Uint8Array, cookieWord: number): Map<number, number> {
  const size = (cookieWord & 0xf0) >> 4
  if (size !== 2 && size !== 4 && size !== 8) throw new HdrFormatError('malformed', 'its counts have no known size')
  if (bytes.length % size !== 0) throw new HdrFormatError('truncated', 'it ends within a count')
  if (bytes.length / size > maxSlots) throw new HdrFormatError('too-large', `it has more than ${maxSlots} slots`)
  const view = viewOf(bytes)
  const counts = new Map<number, number>()
  for (let slot = 0; slot * size < bytes.length; slot++) {
    const at = slot * size
    const count = size === 2 ? view.getInt16(at) : size === 4 ? view.getInt32(at) : Number(view.getBigInt64(at))
    if (count < 0 || count > Number.MAX_SAFE_INTEGER)
      throw new HdrFormatError('malformed', 'a count in it is below 0 or beyond 2^53')
    if (count > 0) counts.set(slot, count)
  }
  return counts
}

/** log2 of the slots per doubling, and of the smallest unit. */
function layoutOf({ digits, lowest }: HistogramLayout): { readonly halfBits: number; readonly unitBits: number } {
  return {
    halfBits: Math.max(1, Math.ceil(Math.log2(2 * 10 ** digits))) - 1,
    unitBits: Math.floor(Math.log2(lowest)),
  }
}

/** Smallest value of a slot. */
export function lowestOfSlot(layout: HistogramLayout, slot: number): number {
  const { halfBits, unitBits } = layoutOf(layout)
  const half = 2 ** halfBits
  const bucket = Math.max(0, Math.floor(slot / half) - 1)
  return (slot - bucket * half) * 2 ** (bucket + unitBits)
}

/** Largest value of a slot. */
export function highestOfSlot(layout: HistogramLayout, slot: number): number {
  return lowestOfSlot(layout, slot + 1) - 1
}

/** Middle of a slot, as used for HdrHistogram's mean. */
export function medianOfSlot(layout: HistogramLayout, slot: number): number {
  const low = lowestOfSlot(layout, slot)
  return low + Math.floor((lowestOfSlot(layout, slot + 1) - low) / 2)
}

/** The slot that holds a whole value (AbstractHistogram.countsArrayIndex). */
export function slotOfValue(layout: HistogramLayout, value: number): number {
  const { halfBits, unitBits } = layoutOf(layout)
  const half = 2 ** halfBits
  const inUnits = Math.floor(value / 2 ** unitBits)
  let bucket = 0
  while (Math.floor(inUnits / 2 ** bucket) >= 2 * half) bucket += 1
  return bucket * half + Math.floor(inUnits / 2 ** bucket)
}

/** Most values that pages can distinguish: three digits over 53 doublings have no more. */
export const maxRecordedValues = 60_000

/** The histogram itself; if it has more than `maxRecordedValues` values, reduced to three digits, within 0.1 %. */
export function withinThreeDigits(histogram: DecodedHistogram): DecodedHistogram {
  if (histogram.counts.size <= maxRecordedValues) return histogram
  const layout = { digits: threeDigits.digits, lowest: histogram.lowest }
  const counts = new Map<number, number>()
  for (const [slot, count] of histogram.counts) {
    const to = slotOfValue(layout, lowestOfSlot(histogram, slot))
    counts.set(to, (counts.get(to) ?? 0) + count)
  }
  return { ...layout, counts }
}

/** The largest used slot; -1: none. */
export function lastSlotOf({ counts }: DecodedHistogram): number {
  let last = -1
  for (const slot of counts.keys()) last = Math.max(last, slot)
  return last
}

/** A histogram as a payload. `largest`: its largest value. */
export async function encodeDecoded(histogram: DecodedHistogram, largest: number): Promise<string> {
  const bySlot = new Float64Array(lastSlotOf(histogram) + 1)
  for (const [slot, count] of histogram.counts) bySlot[slot] = count
  return encodeHistogram(bySlot, largest, histogram)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let binary: string
  try {
    binary = atob(text)
  } catch {
    throw new HdrFormatError('truncated', 'its base64 does not end as base64 does')
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** Throws HdrFormatError for bytes that are not deflated, and beyond 8 MB. */
export function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return sentThrough(new DecompressionStream('deflate'), bytes, maxPlainBytes).catch((error: unknown) => {
    throw error instanceof HdrFormatError
      ? error
      : new HdrFormatError('malformed', 'its compressed part cannot be unpacked')
  })
}

interface Zlib {
  deflateSync(bytes: Uint8Array): Uint8Array
}

type BuiltinOf = (name: 'zlib') => Zlib | undefined

/** Node's own zlib where available without an import: the web's stream takes 5 ms to load. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const builtinOf: BuiltinOf | undefined = globalThis.process?.getBuiltinModule
  return builtinOf?.('zlib')?.deflateSync(bytes) ?? sentThrough(new CompressionStream('deflate'), bytes)
}

/**
 * The stream's output for these bytes, up to `most`. Throws HdrFormatError beyond that, and the stream's own errors.
 */
async function sentThrough(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = stream.writable.getWriter()
  // Errors surface on the readable side.
  void writer.write(bytes).catch(() => undefined)
  void writer.close().catch(() => undefined)
  const reader = stream.readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value)
    size += next.value.length
    if (size <= most) continue
    await reader.cancel().catch(() => undefined)
    throw new HdrFormatError('too-large', `it unpacks to more than ${most} bytes`)
  }
  const whole = new Uint8Array(size)
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
