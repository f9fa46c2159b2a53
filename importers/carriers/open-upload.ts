import { readHead } from '../text/bytes'
import type { Bytes } from '../importer'
import type { ArchiveEntry } from './archive-entry'
import { carrierHeadBytes, findCarrier, refuseCarrier, refuseNested, type CarrierKind } from './carrier-kind'
import { createExpansionBudget, type ExpansionBudget } from './expansion-budget'
import type { StreamFaults, Unpacker } from './unpacker'

/** The unpacked form of an upload: one file, or the files of an archive. */
export type OpenedUpload =
  | { readonly kind: 'file'; readonly carrier: CarrierKind; readonly bytes: Bytes; readonly faults: StreamFaults }
  /** Read each entry before asking for the next. */
  | {
      readonly kind: 'archive'
      readonly carrier: CarrierKind
      readonly entries: AsyncIterable<ArchiveEntry>
      /** For the whole upload: what its entries unpack to counts, too. */
      readonly budget: ExpansionBudget
      readonly faults: StreamFaults
    }

/**
 * Unpacks an upload by its content, never by its name: gzip (and zstd where it is read) and tar as they arrive, a zip
 * once all bytes are there. Throws ImportError for unsupported carriers; the streams throw it for damage and limits, and
 * note a truncation in `faults`.
 */
export async function openUpload(bytes: Bytes, unpacker: Unpacker): Promise<OpenedUpload> {
  const faults: StreamFaults = { isTruncated: false }
  const budget = createExpansionBudget()
  const { head, bytes: whole } = await readHead(bytes, carrierHeadBytes)
  const carrier = findCarrier(head)
  if (carrier === 'plain') return { kind: 'file', carrier, bytes: whole, faults }
  if (carrier === 'tar')
    return { kind: 'archive', carrier, entries: unpacker.openTar(counted(whole, budget), faults), budget, faults }
  if (carrier === 'zip') {
    for await (const _chunk of whole) continue
    return { kind: 'archive', carrier, entries: unpacker.openZip(budget), budget, faults }
  }
  if (carrier !== 'gzip' && !(carrier === 'zstd' && unpacker.readsZstd)) throw refuseCarrier(carrier)
  const expanded = unpacker.expand(whole, carrier, budget, faults)
  const inner = await readHead(expanded, carrierHeadBytes)
  const innerCarrier = findCarrier(inner.head)
  if (innerCarrier === 'plain') return { kind: 'file', carrier, bytes: inner.bytes, faults }
  if (innerCarrier === 'tar')
    return { kind: 'archive', carrier, entries: unpacker.openTar(inner.bytes, faults), budget, faults }
  await expanded.return(undefined)
  throw refuseNested(innerCarrier, carrier)
}

/** A tar is as large as its contents; they count all the same. */
async function* counted(bytes: Bytes, budget: ExpansionBudget): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const chunk of bytes) {
    sum += chunk.byteLength
    budget.spend(chunk.byteLength, { packedBytes: sum, expandedBytes: sum })
    yield chunk
  }
}
