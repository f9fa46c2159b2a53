import type { StoredBytes } from '../archive/open-zip'

/** A file on its way into the store: invisible until `keep`. */
export interface RawWriter {
  /** Takes a chunk; resolves when there is room for another. The chunk must not change afterwards. */
  write(chunk: Uint8Array): Promise<void>
  /** The end of the bytes: when it resolves, all work that can precede `keep` is done. */
  sync(): Promise<void>
  /**
   * When it resolves, the file is durable and in place; after `sync`. `sha256`: of the bytes written, lower-case hex.
   */
  keep(sha256: string): Promise<{ sizeBytes: number }>
  /** The bytes written so far, readable at any position; nothing is written after it. Not after `keep`. */
  stored(): Promise<StoredBytes>
  /** Discards everything written. Safe after `keep`, too: it then does nothing. */
  discard(): Promise<void>
}

/** Those of these files, by their addresses, that a row names. */
export type FindNeeded = (sha256s: readonly string[]) => Promise<ReadonlySet<string>>

/** Files that are asked for at once. */
export const sweptAtOnce = 1_000

/**
 * The store of raw uploads, addressed by the SHA-256 of their bytes. Any method throws StoreError when the store is
 * away.
 */
export interface RawStore {
  create(): Promise<RawWriter>
  /** Bytes in chunks of at most 1 MiB. Throws when there is no such file. */
  read(sha256: string): AsyncIterable<Uint8Array>
  sizeBytes(sha256: string): Promise<number>
  has(sha256: string): Promise<boolean>
  /** The same bytes, readable at any position. Throws when there is no such file. */
  stored(sha256: string): Promise<StoredBytes>
  /**
   * Removes files that no row names and that are older than `olderThanMs` (uploads in progress are younger), and the
   * rest of uploads that never ended: a bucket does not show how long one has been silent, so these must be older than
   * `unfinishedMs`, a week by default. Asks for some files at a time, so that memory does not grow with their number.
   * Returns how many.
   */
  sweep(findNeeded: FindNeeded, olderThanMs: number, unfinishedMs?: number): Promise<number>
  /** Whether it has no files, finished or not. */
  isEmpty(): Promise<boolean>
  /** Throws when nothing can be stored at present. */
  check(): Promise<void>
}
