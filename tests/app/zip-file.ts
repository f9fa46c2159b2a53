import { deflateRawSync } from 'node:zlib'
import { crc32 } from '../../app/_server/archive/crc32'

/** An entry exactly as the test wants it written, lies included. */
export interface ZipEntry {
  readonly name: string
  readonly content: Uint8Array | string
  /** The file's Unix mode: 0o120777 is a symbolic link. */
  readonly mode?: number
  readonly flags?: number
  readonly crc?: number
  /** The size that the zip claims. */
  readonly claimedBytes?: number
  /** Shares the bytes of the entry before it: two entries, one location. */
  readonly sharesBytes?: boolean
}

interface Packed {
  readonly bytes: Buffer
  readonly sizeBytes: number
  readonly crc: number
}

/** Thousands of entries may have the same content. */
function packed(content: Uint8Array | string, known: Map<Uint8Array | string, Packed>): Packed {
  const found = known.get(content)
  if (found !== undefined) return found
  const plain = Buffer.from(content)
  const made = { bytes: deflateRawSync(plain), sizeBytes: plain.length, crc: crc32(plain) }
  known.set(content, made)
  return made
}

/** A hand-made zip file, so that it can lie. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const known = new Map<Uint8Array | string, Packed>()
  let offset = 0
  let place = 0
  for (const entry of entries) {
    const { bytes, sizeBytes, crc } = packed(entry.content, known)
    const name = Buffer.from(entry.name)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(entry.flags ?? 0x800, 2)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(entry.crc ?? crc, 10)
    header.writeUInt32LE(bytes.length, 14)
    header.writeUInt32LE(entry.claimedBytes ?? sizeBytes, 18)
    header.writeUInt16LE(name.length, 22)
    if (entry.sharesBytes !== true) {
      place = offset
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, bytes])
      parts.push(local)
      offset += local.length
    }
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
    tail.writeUInt32LE(place, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header, tail, name]))
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
