import zlib from 'node:zlib'
import * as z from 'zod'
import { crc32 } from './crc32'

/** The complete members of a gzip file (RFC 1952). */
export interface WholeMembers {
  readonly expanded: Buffer
  /** Where the last of them ends. */
  readonly packedBytes: number
}

const trailerSize = 8
const outcomeSchema = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) })

/** Null: not even the first member is complete, or together they are longer than `maxBytes`. */
export function readWholeMembers(packed: Buffer, maxBytes: number): WholeMembers | null {
  const parts: Buffer[] = []
  let size = 0
  let at = 0
  for (let start = findData(packed, 0); start !== null; start = findData(packed, at)) {
    const member = inflate(packed.subarray(start), maxBytes - size)
    if (member === null) break
    const end = start + member.packedBytes + trailerSize
    if (end > packed.length || packed.readUInt32LE(end - trailerSize) !== crc32(member.expanded)) break
    parts.push(member.expanded)
    size += member.expanded.length
    at = end
  }
  return at === 0 ? null : { expanded: Buffer.concat(parts), packedBytes: at }
}

/** Where the data of the member at `at` begins; null: none begins here. */
function findData(packed: Buffer, at: number): number | null {
  if (packed[at] !== 0x1f || packed[at + 1] !== 0x8b || packed[at + 2] !== 8) return null
  const flags = packed[at + 3] ?? 0
  let data = at + 10
  if ((flags & 4) !== 0) data += 2 + (data + 2 <= packed.length ? packed.readUInt16LE(data) : 0)
  for (const flag of [8, 16])
    if ((flags & flag) !== 0) data = packed.indexOf(0, data) < 0 ? packed.length : packed.indexOf(0, data) + 1
  if ((flags & 2) !== 0) data += 2
  return data < packed.length ? data : null
}

function inflate(packed: Buffer, maxBytes: number): { expanded: Buffer; packedBytes: number } | null {
  try {
    const outcome = outcomeSchema.parse(
      zlib.inflateRawSync(packed, { info: true, maxOutputLength: Math.max(1, maxBytes) }),
    )
    return { expanded: outcome.buffer, packedBytes: outcome.engine.bytesWritten }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
