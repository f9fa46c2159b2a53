import { columnsOf, type ColumnMapping, type ColumnRef } from '../../lib/run/column-mapping'
import type { MappedField } from '../../lib/run/mapped-fields'
import { CsvRows } from '../samples/csv-rows'
import { decodeLine } from '../text/bytes'
import type { CsvFields } from '../text/csv-fields'
import { readLatin1 } from '../text/fast-bytes'
import type { MappedReader } from './mapped-reader'
import type { MappedRows } from './mapped-rows'

const quote = 34

/** Reads CSV by a mapping, one row at a time. */
export class MappedCsv extends CsvRows implements MappedReader {
  /** Columns of the mapping that the heading lacks. */
  readonly missing: ColumnRef[] = []
  readonly absent = []
  /** Number of fields in a row. */
  private width = 0
  private readonly places = new Map<MappedField, number>()
  private bytes: Uint8Array = new Uint8Array(0)
  private needed = 0

  constructor(
    private readonly mapping: ColumnMapping,
    private readonly rows: MappedRows,
  ) {
    super('row of these samples', mapping.separator.charCodeAt(0))
    if (!mapping.heading) this.hasHeading = this.heading([])
  }

  /** It has as many columns as the rows before it, and its last is not empty. */
  protected override isWhole({ count, from, to }: CsvFields): boolean {
    return count === this.width && (to[count - 1] ?? 0) > (from[count - 1] ?? 0)
  }

  protected heading(names: readonly string[]): boolean {
    if (this.missing.length > 0) return false
    this.width = names.length
    const trimmed = names.map((name) => name.trim())
    for (const { field, column } of columnsOf(this.mapping)) {
      const place = typeof column === 'number' ? column - 1 : trimmed.indexOf(column.trim())
      if (place < 0 || (this.mapping.heading && place >= names.length)) this.missing.push(column)
      this.places.set(field, place)
      if (place >= this.needed) this.needed = place + 1
    }
    return this.missing.length === 0
  }

  protected row(bytes: Uint8Array, _view: DataView, fields: CsvFields): boolean {
    if (this.width === 0) this.width = fields.count
    if (fields.count < this.needed) return false
    this.bytes = bytes
    return this.rows.add(this.cell)
  }

  private readonly cell = (field: MappedField): string => {
    const { fields, bytes } = this
    const place = this.places.get(field)
    if (place === undefined || place >= fields.count) return ''
    const from = fields.from[place] ?? 0
    const to = fields.to[place] ?? 0
    const latin1 = readLatin1(bytes, from, to)
    const text = /[\u0080-\u00ff]/.test(latin1) ? decodeLine(bytes.subarray(from, to), false).text : latin1
    return (from > 0 && bytes[from - 1] === quote ? text.replaceAll('""', '"') : text).trim()
  }
}
