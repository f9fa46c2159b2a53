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

/** A hand-made zip file, so that it can lie. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let place = 0
  for (const entry of entries) {
    const content = Buffer.from(entry.content)
    const packed = deflateRawSync(content)
    const name = Buffer.from(entry.name)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(entry.flags ?? 0x800, 2)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(entry.crc ?? crc32(content), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(entry.claimedBytes ?? content.length, 18)
    header.writeUInt16LE(name.length, 22)
    if (entry.sharesBytes !== true) {
      place = offset
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, packed])
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
