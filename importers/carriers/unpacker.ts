import type { Bytes } from '../importer'
import type { ArchiveEntry } from './archive-entry'
import type { ExpansionBudget } from './expansion-budget'

/** Faults of a stream that leave what came before them valid. Filled when the stream has ended. */
export interface StreamFaults {
  /** The bytes break off. */
  isTruncated: boolean
  /** Offset from which bytes are no longer part of the packed file; absent: there are none. */
  trailingFrom?: number
}

/** Compressed streams that some place unpacks. */
export type Compression = 'gzip' | 'zstd'

/**
 * Unpacks one upload with the means of the place where it is read: `app/_server/archive` for Node. Every place throws
 * the same ImportErrors for the same bytes.
 */
export interface Unpacker {
  /** Whether this place reads zstd; gzip is read everywhere. */
  readonly readsZstd: boolean
  /**
   * The expanded bytes of a stream, as it arrives. A truncated one ends the stream, and so do bytes that are no member;
   * both are noted in `faults`. Damage throws ImportError `malformed`, too many bytes ExpansionError.
   */
  expand(bytes: Bytes, kind: Compression, budget: ExpansionBudget, faults: StreamFaults): AsyncGenerator<Uint8Array>
  /** The files of a tar as it arrives. Read each before asking for the next. */
  openTar(bytes: Bytes, faults: StreamFaults): AsyncIterable<ArchiveEntry>
  /** The files of the upload itself, a zip, whose bytes have all been read by now: its directory is at the end. */
  openZip(budget: ExpansionBudget): AsyncIterable<ArchiveEntry>
}
