interface BufferMaker {
  from(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array
}

/**
 * The same bytes as Node's Buffer if available: its `indexOf` is four times as fast as that of Uint8Array, and having
 * all chunks of one class keeps the parsers' code fast.
 */
export function toFastBytes(bytes: Uint8Array): Uint8Array {
  const maker: BufferMaker | undefined = globalThis.Buffer
  return maker === undefined ? bytes : maker.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A view to read the bytes as multi-byte numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** First position of a byte from `from` up to `end`; −1: none. */
export function findByte(bytes: Uint8Array, byte: number, from: number, end: number): number {
  const at = bytes.indexOf(byte, from)
  return at < end ? at : -1
}

interface SlicingBytes {
  latin1Slice(from: number, to: number): string
}

const latin1 = new TextDecoder('latin1')

/** Bytes `from`…`to` as text, one character per byte: for a Buffer, four times as fast as a TextDecoder. */
export function readLatin1(bytes: Uint8Array, from: number, to: number): string {
  return canSlice(bytes) ? bytes.latin1Slice(from, to) : latin1.decode(bytes.subarray(from, to))
}

function canSlice(bytes: Uint8Array): bytes is Uint8Array & SlicingBytes {
  return 'latin1Slice' in bytes
}
