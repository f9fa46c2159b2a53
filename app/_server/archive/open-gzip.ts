import zlib from 'node:zlib'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'
import { expansionLimits, type ExpansionBudget } from '@/importers/carriers/expansion-budget'
import type { Compression, StreamFaults } from '@/importers/carriers/unpacker'
import { readWholeMembers, type WholeMembers } from './gzip-members'
import { createReaderWatch, feed } from './reader-watch'

const CHUNK_BYTES = 256 * 1024
/** Bytes of a gzip file that are kept in case it has trailing data. */
const KEPT_BYTES = 16 * 1024 * 1024

/** Whether this Node reads zstd (22.15 and later). */
export const readsZstd = 'createZstdDecompress' in zlib && typeof zlib.createZstdDecompress === 'function'

function createDecoder(kind: Compression): zlib.Gunzip {
  if (kind === 'gzip') return zlib.createGunzip({ chunkSize: CHUNK_BYTES })
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress')
  if (typeof create !== 'function') throw new Error('This Node has no zstd.')
  return create({ chunkSize: CHUNK_BYTES })
}

/**
 * The expanded bytes of a gzip (all its members) or zstd stream, as it arrives. A truncated one ends the stream, and so
 * do bytes that are no member; both are noted in `faults`. Wrong bytes or a wrong checksum throw ImportError
 * `malformed`, too many bytes ExpansionError.
 */
export async function* expand(
  bytes: Bytes,
  kind: Compression,
  budget: ExpansionBudget,
  faults: StreamFaults,
): AsyncGenerator<Uint8Array> {
  const decoder = createDecoder(kind)
  let packedBytes = 0
  let expandedBytes = 0
  /** As it arrived; null once it is too large. */
  let kept: Uint8Array[] | null = kind === 'gzip' ? [] : null
  const reader = createReaderWatch()
  const onChunk = (chunk: Uint8Array) => {
    packedBytes += chunk.byteLength
    if (packedBytes > KEPT_BYTES) kept = null
    kept?.push(chunk)
  }
  const source = feed(bytes, decoder, reader, { isIdle: () => decoder.writableLength === 0, onChunk })
  const chunks: AsyncIterator<Uint8Array, undefined> = decoder[Symbol.asyncIterator]()
  try {
    for (let next = await reader.watch(chunks.next()); next.done !== true; next = await reader.watch(chunks.next())) {
      const chunk = next.value
      expandedBytes += chunk.byteLength
      // Counts what was unpacked, not what was handed over: one chunk of a bomb holds a thousand.
      budget.spend(chunk.byteLength, { packedBytes: decoder.bytesWritten, expandedBytes })
      yield chunk
    }
  } catch (error) {
    if (source.error !== null) throw source.error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'Z_BUF_ERROR') return void (faults.isTruncated = true)
    if (!/^(?:Z_|ERR_|ZSTD_)/.test(code) || error instanceof ImportError) throw error
    const what = error instanceof Error ? error.message : String(error)
    const members = what === 'incorrect header check' ? membersOf(kept, packedBytes) : null
    if (members === null || members.expanded.length < expandedBytes) throw damaged(kind, what, packedBytes)
    const rest = members.expanded.subarray(expandedBytes)
    budget.spend(rest.length, { packedBytes, expandedBytes: members.expanded.length })
    faults.trailingFrom = members.packedBytes
    if (rest.length > 0) yield rest
  } finally {
    reader.stop()
    decoder.destroy()
  }
}

/**
 * The members before bytes that start no other: the decoder discarded what it had of the last one. Null: none is whole.
 */
function membersOf(kept: readonly Uint8Array[] | null, packedBytes: number): WholeMembers | null {
  const maxBytes = expansionLimits.ratio * packedBytes + expansionLimits.freeBytes
  return kept && readWholeMembers(Buffer.concat(kept), maxBytes)
}

const damaged = (kind: string, what: string, offset: number): ImportError =>
  new ImportError('malformed', `the ${kind} file is damaged (${what})`, {
    offset,
    hint: `Check it with "${kind} -t FILE" and send it again.`,
  })
