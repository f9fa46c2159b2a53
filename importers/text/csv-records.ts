/** Longer fields are shortened. */
const maxFieldLength = 64 * 1024
const maxFields = 100

/**
 * Splits CSV (RFC 4180) into records, from texts of any size; the separator is that of the first line: commas,
 * semicolons or tabs. For forms with small files; those of millions of rows have their own readers.
 */
export class CsvRecords {
  /** Line at which the next record begins, 1-based. */
  line = 1
  private fields: string[] = []
  private field = ''
  private state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  private lines = 1
  private separator: string | null = null
  private head = ''

  /** `onRecord` takes the fields of a record and its line. */
  constructor(private readonly onRecord: (fields: readonly string[], line: number) => void) {}

  push(text: string): void {
    if (this.separator !== null) return this.split(text, this.separator)
    this.head += text
    const end = this.head.search(/[\r\n]/)
    if (end < 0 && this.head.length < 65_536) return
    this.begin(end < 0 ? this.head.length : end)
  }

  private begin(end: number): void {
    const line = this.head.slice(0, end)
    this.separator = [',', ';', '\t'].find((separator) => line.includes(separator)) ?? ','
    const { head } = this
    this.head = ''
    this.split(head, this.separator)
  }

  /**
   * Ends the text. Returns the last record if it lacks its line feed, else null; `isTruncated`: it ends within quotes.
   * It may have lost its end and is not passed to `onRecord`.
   */
  finish(): { readonly fields: readonly string[]; readonly isTruncated: boolean } | null {
    if (this.separator === null) this.begin(this.head.length)
    if (this.state === 'start' && this.fields.length === 0) return null
    return { fields: [...this.fields, this.field], isTruncated: this.state === 'quoted' }
  }

  private split(text: string, separator: string): void {
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? ''
      if (character === '\n') this.lines++
      if (this.state === 'quoted') {
        if (character === '"') this.state = 'closed'
        else this.add(character)
      } else if (character === '"' && this.state === 'closed') {
        this.add('"')
        this.state = 'quoted'
      } else if (character === '"' && this.state === 'start') this.state = 'quoted'
      else if (character === separator) this.endField()
      else if (character === '\n') this.endRecord()
      else if (character !== '\r') {
        this.add(character)
        this.state = 'plain'
      }
    }
  }

  private add(character: string): void {
    if (this.field.length < maxFieldLength) this.field += character
  }

  private endField(): void {
    if (this.fields.length < maxFields) this.fields.push(this.field)
    this.field = ''
    this.state = 'start'
  }

  private endRecord(): void {
    this.endField()
    const { fields, line } = this
    this.fields = []
    this.line = this.lines
    this.onRecord(fields, line)
  }
}
