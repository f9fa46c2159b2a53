import type { ColumnRef } from '../../lib/run/column-mapping'
import type { RowFaults } from '../samples/row-faults'

/** Reads the rows of a file by a mapping, chunk by chunk. */
export interface MappedReader {
  readonly faults: RowFaults
  /** Line of the next row, 1-based. */
  readonly line: number
  /** Columns of the mapping that the file lacks; for JSON known at its end. */
  readonly missing: readonly ColumnRef[]
  /** Error columns that no row has: possibly none failed. */
  readonly absent: readonly ColumnRef[]
  push(chunk: Uint8Array): void
  /** Reads the remaining bytes. True: the file ends within a row, which was not read. */
  finish(): boolean
}
