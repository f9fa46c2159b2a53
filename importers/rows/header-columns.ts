import type { BucketRange } from './bucket-range'
import { batchRows } from './sample-batch'
import { TextColumn } from './text-column'
import { addCounted, ValueColumn, type CountedRows, type CountedValue } from './value-column'

/** Most headers that are looked at. */
const maxHeaders = 24

/**
 * Columns of headers. One that has the same value in every response is not counted row by row: all rows with headers
 * have it until `endConstant`.
 */
export class HeaderColumns {
  readonly columns: TextColumn[] = []
  /** Rows of the batch with headers (1), and those without. */
  private readonly hasHeaders = new Uint8Array(batchRows)
  private readonly bare = new Int32Array(batchRows)
  /** Rows without headers, as one value. */
  private readonly headless: ValueColumn

  /** `range`: of all buckets that rows lie in. `counted`: all rows counted so far. */
  constructor(
    private readonly range: BucketRange,
    private readonly counted: () => CountedValue,
  ) {
    this.headless = new ValueColumn('', range)
  }

  /** A column for an attribute, `header:NAME`; null: there are too many. */
  add(name: string): TextColumn | null {
    if (this.columns.length >= maxHeaders) return null
    const column = new TextColumn(name, this.range)
    this.columns.push(column)
    return column
  }

  /** The row's response has headers. */
  begin(row: number): void {
    if (this.columns.length > 0) this.hasHeaders[row] = 1
  }

  /** A header that had one value in all responses has others from this row of the batch on. */
  endConstant(column: TextColumn, row: number): void {
    if (column.endSteady(this.withHeaders))
      for (let before = 0; before < row; before++)
        column.codes[before] = this.hasHeaders[before] === 1 ? column.constant : -1
    column.constant = -1
  }

  /** Number of a header's value in a row of the batch being filled; −1: it has none. */
  codeOf(column: TextColumn, row: number): number {
    if (!column.isSteady) return column.codes[row] ?? -1
    return this.hasHeaders[row] === 1 ? column.constant : -1
  }

  /** Counts the rows of a batch whose other attributes are counted. */
  take(rows: CountedRows): void {
    const { columns, hasHeaders, bare, headless } = this
    let bareCount = 0
    for (let row = 0; row < rows.size; row++) if (hasHeaders[row] === 0) bare[bareCount++] = row
    hasHeaders.fill(0, 0, rows.size)
    headless.codes.fill(0, 0, rows.size)
    headless.takeSome(bare, bareCount, rows)
    for (const column of columns) {
      if (column.isSteady) column.codes.fill(-1, 0, rows.size)
      else column.take(rows)
      if (column.constant >= 0 && !column.isSteady) column.beginSteady(this.withHeaders())
    }
  }

  /** Counts what is left; no rows follow. */
  end(): void {
    for (const column of this.columns) column.endSteady(this.withHeaders)
  }

  private readonly withHeaders = (): CountedValue => {
    const counted = this.counted()
    addCounted(counted, this.headless.total(), this.range, -1)
    return counted
  }
}
