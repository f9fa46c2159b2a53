import zlib from 'node:zlib'

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function ownCrc32(bytes: Uint8Array, before = 0): number {
  let value = ~before
  for (let at = 0; at < bytes.length; at++) value = (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (value >>> 8)
  return ~value >>> 0
}

/** The CRC-32 of zip and gzip (polynomial edb88320), continued from `before`. */
export const crc32: (bytes: Uint8Array, before?: number) => number =
  // Node has its own from 20.15 on.
  (zlib as Partial<typeof zlib>).crc32 ?? ownCrc32
