import { columnsOf, type ColumnMapping, type ColumnRef } from '../../lib/run/column-mapping'
import type { MappedField } from '../../lib/run/mapped-fields'
import { RowFaults } from '../samples/row-faults'
import { toFastBytes } from '../text/fast-bytes'
import { JsonObjects } from '../text/json-objects'
import type { MappedReader } from './mapped-reader'
import type { MappedRows } from './mapped-rows'

const openList = 91
const closeList = 93

/** Reads JSON by a mapping: consecutive objects, one per line or in one array. Nested values are not read. */
export class MappedJson implements MappedReader {
  readonly faults = new RowFaults()
  private readonly objects = new JsonObjects()
  private readonly columns: ReadonlyMap<MappedField, ColumnRef>
  /** Columns that no object has had so far. */
  private readonly unseen: Set<string>
  private object: Readonly<Record<string, unknown>> = {}
  private first = 0
  private last = 0

  constructor(
    mapping: ColumnMapping,
    private readonly rows: MappedRows,
  ) {
    this.columns = new Map(columnsOf(mapping).map(({ field, column }) => [field, column]))
    this.unseen = new Set([...this.columns.values()].map(String))
  }

  get line(): number {
    return this.objects.lines + 1
  }

  get missing(): readonly ColumnRef[] {
    return [...this.unseen].filter((name) => name !== this.columns.get('error'))
  }

  get absent(): readonly ColumnRef[] {
    return [...this.unseen].filter((name) => name === this.columns.get('error'))
  }

  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    this.noteEnds(bytes)
    let at = 0
    while (at < bytes.length) {
      const taken = this.objects.take(bytes, at, bytes.length)
      if (taken.found === 'bad') this.addFault(this.objects.start())
      if (taken.found === 'closed') {
        const text = this.objects.text()
        if (text === null || !this.takeObject(text)) this.addFault(text ?? this.objects.start())
      }
      at = taken.at
    }
  }

  finish(): boolean {
    return this.objects.isOpen || (this.first === openList && this.last !== closeList)
  }

  /** Notes the first and the last byte that is not white space: an array is complete if it is closed. */
  private noteEnds(bytes: Uint8Array): void {
    for (let at = 0; this.first === 0 && at < bytes.length; at++) if (!isBlank(bytes[at])) this.first = bytes[at] ?? 0
    for (let at = bytes.length - 1; at >= 0; at--) {
      if (isBlank(bytes[at])) continue
      this.last = bytes[at] ?? 0
      return
    }
  }

  private takeObject(text: string): boolean {
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value !== 'object' || value === null) return false
      this.object = { ...value }
    } catch (error) {
      if (error instanceof SyntaxError) return false
      throw error
    }
    if (this.unseen.size > 0)
      for (const name of this.unseen) if (Object.hasOwn(this.object, name)) this.unseen.delete(name)
    return this.rows.add(this.cell)
  }

  private readonly cell = (field: MappedField): string => {
    const column = this.columns.get(field)
    const value = column === undefined ? null : this.object[column]
    if (typeof value === 'string') return value.trim()
    if (typeof value === 'number') return String(value)
    // An error may be a flag.
    return value === true ? 'true' : ''
  }

  private addFault(text: string): void {
    const shown = text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')
    this.faults.add(`this is not a row of these samples: ${shown}`, { line: this.line })
  }
}

const isBlank = (byte: number | undefined) => byte === 32 || byte === 9 || byte === 10 || byte === 13
