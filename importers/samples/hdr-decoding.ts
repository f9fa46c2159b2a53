/**
 * Reads the V2 format of HdrHistogram (https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram.decodeFromByteBuffer
 * and ZigZagEncoding), compressed or not. Written here because hdr-histogram-js allocates what the head asks for, which
 * may be gigabytes, and inflates without a limit.
 */
const v2Cookie = 0x1c849303
const v2CompressedCookie = 0x1c849304
/** Older versions: named, not read. */
const oldCookies: readonly number[] = [0x1c849301, 0x1c849302, 0x1c849308, 0x1c849309]
/** The word size in bits 4–7 says nothing in V2. */
const cookieMask = 0xffffff0f
const headBytes = 40
/** Five digits over 53 doublings, each count in its own byte, are under 7 MB. */
const maxPlainBytes = 8 * 1024 * 1024
/** What a page would have to allocate to draw it. */
const maxSlots = 2_000_000

/** A histogram as it was recorded: values in no unit. */
export interface DecodedHistogram {
  /** Significant digits, 0–5. */
  readonly digits: number
  /** Smallest value that can be told from 0; at least 1. */
  readonly lowest: number
  /** Slot → values in it; every count is above 0. Rising. */
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

/** Decodes a V2 payload in base64. @throws HdrFormatError. */
export async function decodeHistogram(base64: string): Promise<DecodedHistogram> {
  const payload = fromBase64(base64)
  const view = viewOf(payload)
  if (payload.length < 8) throw new HdrFormatError('truncated', 'it ends within its head')
  const cookie = (view.getInt32(0) & cookieMask) >>> 0
  if (oldCookies.includes(cookie))
    throw new HdrFormatError('unknown-format', 'it is in an old format of HdrHistogram (V0 or V1); only V2 is read')
  if (cookie === v2Cookie) return decodePlain(payload)
  if (cookie !== v2CompressedCookie) throw new HdrFormatError('malformed', 'it does not begin as a histogram')
  const length = view.getInt32(4)
  if (length < 0 || length > payload.length - 8) throw new HdrFormatError('truncated', 'its end is missing')
  return decodePlain(await inflate(payload.subarray(8, 8 + length)))
}

function decodePlain(bytes: Uint8Array<ArrayBuffer>): DecodedHistogram {
  if (bytes.length < headBytes) throw new HdrFormatError('truncated', 'it ends within its head')
  const view = viewOf(bytes)
  if ((view.getInt32(0) & cookieMask) >>> 0 !== v2Cookie)
    throw new HdrFormatError('malformed', 'what was compressed is not a histogram of V2')
  const length = view.getInt32(4)
  const offset = view.getInt32(8)
  const digits = view.getInt32(12)
  const lowest = Number(view.getBigInt64(16))
  // hdr-histogram-js writes 1 and means 0; real shifts are of many slots.
  if (offset !== 0 && offset !== 1)
    throw new HdrFormatError('unknown-format', 'its slots are shifted, which is not read')
  if (digits < 0 || digits > 5 || lowest < 1 || lowest > 2 ** 40)
    throw new HdrFormatError('malformed', 'its head holds figures that no histogram has')
  if (length < 0 || headBytes + length > bytes.length) throw new HdrFormatError('truncated', 'its end is missing')
  const counts = decodeCounts(bytes.subarray(headBytes, headBytes + length))
  const decoded = { digits, lowest, counts }
  const last = [...counts.keys()].at(-1)
  if (last !== undefined && highestOfSlot(decoded, last) > Number.MAX_SAFE_INTEGER)
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

interface Layout {
  readonly digits: number
  readonly lowest: number
}

/** log2 of the slots of one doubling, and of the smallest unit. */
function layoutOf({ digits, lowest }: Layout): { readonly halfBits: number; readonly unitBits: number } {
  return {
    halfBits: Math.max(1, Math.ceil(Math.log2(2 * 10 ** digits))) - 1,
    unitBits: Math.floor(Math.log2(lowest)),
  }
}

/** Smallest value of a slot. */
export function lowestOfSlot(layout: Layout, slot: number): number {
  const { halfBits, unitBits } = layoutOf(layout)
  const half = 2 ** halfBits
  const bucket = Math.max(0, Math.floor(slot / half) - 1)
  return (slot - bucket * half) * 2 ** (bucket + unitBits)
}

/** Largest value of a slot. */
export function highestOfSlot(layout: Layout, slot: number): number {
  return lowestOfSlot(layout, slot + 1) - 1
}

/** Middle of a slot, as HdrHistogram's mean takes it. */
export function medianOfSlot(layout: Layout, slot: number): number {
  const low = lowestOfSlot(layout, slot)
  return low + Math.floor((lowestOfSlot(layout, slot + 1) - low) / 2)
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

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new DecompressionStream('deflate')
  const writer = stream.writable.getWriter()
  // What goes wrong shows on the readable side.
  void writer.write(bytes).catch(() => undefined)
  void writer.close().catch(() => undefined)
  const reader = stream.readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value)
      size += next.value.length
      if (size > maxPlainBytes) break
    }
  } catch {
    throw new HdrFormatError('malformed', 'its compressed part cannot be unpacked')
  }
  if (size > maxPlainBytes) {
    await reader.cancel().catch(() => undefined)
    throw new HdrFormatError('too-large', `it unpacks to more than ${maxPlainBytes} bytes`)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
