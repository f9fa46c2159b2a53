import type { CellNote } from '../run/run'

/** A cell note as stored. Null upload and line: the user wrote it. */
export interface StoredCellNote extends Omit<CellNote, 'line'> {
  readonly id: string
  readonly uploadId: string | null
  readonly line: number | null
}
