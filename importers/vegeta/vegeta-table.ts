import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import type { Block, BlockReader, BlockRun, Line } from '../importer'

/** The layout of one of vegeta's tables (`hist`, `hdrplot`), and what its rows make. */
export interface VegetaTableForm<Row> {
  /** For messages: `vegeta's histogram`. */
  readonly name: string
  readonly hint: string
  isHeading(text: string): boolean
  /** Null: not a row, or a cut one. */
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
export function createTableReader<Row>(form: VegetaTableForm<Row>): BlockReader {
  let table: Table<Row> | null = null
  let firstLine = 0
  let passedSnapshots = 0
  let emptyLines = 0

  return { push, end }

  function push(line: Line): 'taken' | 'last' | 'not-mine' {
    const { text, number } = line
    if (text.trim() === '') return table?.isClosed === true && ++emptyLines <= maxEmptyLines ? 'taken' : 'not-mine'
    emptyLines = 0
    if (form.isHeading(text)) {
      if (table !== null && !(table.isClosed && table.isSnapshot)) return 'not-mine'
      if (table !== null) passedSnapshots++
      else firstLine = number
      table = {
        firstLine: number,
        lastLine: number,
        rows: [],
        isSnapshot: line.clearsScreen === true,
        isClosed: false,
      }
      return 'taken'
    }
    if (table === null || table.isClosed || table.rows.length >= maxRows) return 'not-mine'
    const row = form.readRow(text)
    if (row === null) return 'not-mine'
    table.rows.push(row)
    table.lastLine = number
    table.isClosed = form.isLast(row)
    return table.isClosed && !table.isSnapshot ? 'last' : 'taken'
  }

  function end(cut: boolean): Block | null {
    if (table === null) return null
    const { rows, isSnapshot, isClosed, lastLine } = table
    if (rows.length === 0) {
      if (!cut) return null
      throw new ImportError('truncated', `${form.name} ends before its first row`, { line: lastLine, hint: form.hint })
    }
    const complete = isClosed && !isSnapshot
    const made = form.build(rows, complete, table.firstLine)
    const problems: ImportProblem[] = [...made.problems]
    const say = (
      code: string,
      severity: ImportProblem['severity'],
      lines: readonly [number, number],
      message: string,
    ) =>
      problems.push({
        code,
        severity,
        line: lines[0],
        lastLine: lines[1],
        message,
        hint: severity === 'error' ? form.hint : null,
      })
    if (passedSnapshots > 0)
      say(
        'not-imported',
        'info',
        [firstLine, table.firstLine - 1],
        `${passedSnapshots} interim ${passedSnapshots === 1 ? 'report' : 'reports'} of -every: the last report counts their requests too, and is the one that was read`,
      )
    if (!isClosed)
      say('truncated', 'error', [table.firstLine, lastLine], `${form.name} is truncated: its last rows are missing`)
    else if (isSnapshot)
      say(
        'truncated',
        'error',
        [table.firstLine, lastLine],
        'this is an interim report of -every, taken before the attack ended',
      )
    return {
      lines: [firstLine, lastLine],
      runs: [
        {
          ...made.run,
          complete: made.run.complete && complete,
          ...(table.firstLine > firstLine ? { lines: [table.firstLine, lastLine] as const } : {}),
        },
      ],
      problems,
    }
  }
}
