/** What is used of pako 1, which HdrHistogram brings: zlib with the words of zlib. */
declare module 'pako' {
  export class Inflate {
    constructor(options: { readonly windowBits: number; readonly chunkSize?: number })
    /** 0: the stream goes on, or has ended well. */
    readonly err: number
    readonly msg: string
    /** The stream has ended, well or not. */
    readonly ended: boolean
    /** Bytes that follow the stream in what was pushed last. */
    readonly strm: { readonly avail_in: number }
    onData: (chunk: Uint8Array) => void
    /** 2: gives out all that there is. */
    push(bytes: Uint8Array, mode: 2): boolean
  }
  export function deflate(bytes: Uint8Array, options: { readonly level: 9 }): Uint8Array
  export function inflate(bytes: Uint8Array): Uint8Array
}

declare module 'pako/lib/zlib/crc32' {
  export default function crc32(before: number, bytes: Uint8Array, count: number, from: number): number
}
