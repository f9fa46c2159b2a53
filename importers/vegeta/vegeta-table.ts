import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import type { Block, BlockReader, BlockRun, Line } from '../importer'
import { truncatedProblem } from '../import-problem'
import { interimReport, passedReports } from './snapshots'

/** The layout of one of vegeta's tables (`hist`, `hdrplot`), and what its rows make. */
export interface VegetaTableForm<Row> {
  /** For messages: `vegeta's histogram`. */
  readonly name: string
  readonly hint: string
  isHeading(text: string): boolean
  /** Null: not a row, or a truncated one. */
  readRow(text: string): Row | null
  /** Whether the table ends with this row. */
  isLast(row: Row): boolean
  /** `rows`: at least one. `complete`: the last row was read, and the table is no snapshot. */
  build(rows: readonly Row[], complete: boolean, line: number): { run: BlockRun; problems: readonly ImportProblem[] }
}

interface Table<Row> {
  readonly firstLine: number
  lastLine: number
  readonly rows: Row[]
  readonly isSnapshot: boolean
  isClosed: boolean
}

/** None of vegeta's tables is longer; beyond this, it is something else. */
const maxRows = 10_000
const maxEmptyLines = 2

/** Reads one of vegeta's tables; in a `-every` capture the last one, which includes the counts of the others. */
export class VegetaTableReader<Row> implements BlockReader {
  private table: Table<Row> | null = null
  private firstLine = 0
  private passedSnapshots = 0
  private emptyLines = 0

  constructor(private readonly form: VegetaTableForm<Row>) {}

  push(line: Line): 'taken' | 'last' | 'not-mine' {
    const { form, table } = this
    const { text, number } = line
    if (text.trim() === '') return table?.isClosed === true && ++this.emptyLines <= maxEmptyLines ? 'taken' : 'not-mine'
    this.emptyLines = 0
    if (form.isHeading(text)) return this.open(line)
    if (table === null || table.isClosed || table.rows.length >= maxRows) return 'not-mine'
    const row = form.readRow(text)
    if (row === null) return 'not-mine'
    table.rows.push(row)
    table.lastLine = number
    table.isClosed = form.isLast(row)
    return table.isClosed && !table.isSnapshot ? 'last' : 'taken'
  }

  /** Only a snapshot may be followed by another table. */
  private open({ number, clearsScreen }: Line): 'taken' | 'not-mine' {
    const { table } = this
    if (table !== null && !(table.isClosed && table.isSnapshot)) return 'not-mine'
    if (table !== null) this.passedSnapshots++
    else this.firstLine = number
    this.table = { firstLine: number, lastLine: number, rows: [], isSnapshot: clearsScreen === true, isClosed: false }
    return 'taken'
  }

  end(atEnd: boolean): Block | null {
    const { form, table, firstLine } = this
    if (table === null) return null
    const { rows, isSnapshot, isClosed, lastLine } = table
    if (rows.length === 0) {
      if (!atEnd) return null
      throw new ImportError('truncated', `${form.name} ends before its first row`, { line: lastLine, hint: form.hint })
    }
    const lines = [table.firstLine, lastLine] as const
    const complete = isClosed && !isSnapshot
    const { run, problems } = form.build(rows, complete, table.firstLine)
    const ownLines = table.firstLine > firstLine ? { lines } : {}
    return {
      lines: [firstLine, lastLine],
      runs: [{ ...run, complete: run.complete && complete, ...ownLines }],
      problems: [
        ...problems,
        ...passedReports(this.passedSnapshots, firstLine, table.firstLine - 1),
        ...(isClosed
          ? []
          : [truncatedProblem(lines, `${form.name} is truncated: its last rows are missing`, form.hint)]),
        ...(isClosed && isSnapshot ? [interimReport(lines, form.hint)] : []),
      ],
    }
  }
}
