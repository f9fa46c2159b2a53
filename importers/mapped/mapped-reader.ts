import type { ColumnRef } from '../../lib/run/column-mapping'
import type { SampleReader } from '../samples/sample-file'

/** Reads the rows of a file by a mapping. */
export interface MappedReader extends SampleReader {
  /** Columns of the mapping that the file lacks; for JSON known at its end. */
  readonly missing: readonly ColumnRef[]
  /** Error columns that no row has: possibly none failed. */
  readonly absent: readonly ColumnRef[]
}
