import { Inflate } from 'pako'

/** Bits of pako's window: of a gzip member, and of a stream without a head. */
export const windows = { gzip: 31, raw: -15 } as const

/** A stream is not what it should be, in the words of zlib. */
export class InflateError extends Error {}

/** One compressed stream, piece by piece. */
export function createInflater(windowBits: number) {
  const inflater = new Inflate({ windowBits, chunkSize: 256 * 1024 })
  const parts: Uint8Array[] = []
  inflater.onData = (part) => void parts.push(part)
  return {
    /**
     * What the bytes expand to; `rest`: those behind the end of the stream, null before it. Throws InflateError.
     */
    push(bytes: Uint8Array): { readonly parts: readonly Uint8Array[]; readonly rest: Uint8Array | null } {
      inflater.push(bytes, 2)
      if (inflater.err !== 0) throw new InflateError(inflater.msg || 'unexpected end of file')
      const given = parts.splice(0)
      return { parts: given, rest: inflater.ended ? bytes.subarray(bytes.length - inflater.strm.avail_in) : null }
    },
  }
}
