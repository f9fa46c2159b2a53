/**
 * Markdown tables of Lambda figures, as authors copy them from REPORT lines (no tool prints them; the figures are those
 * of https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html#node-logging-output). Columns by name, in any
 * order; units in the header or in the cells.
 *
 *     | Lambda            | Duration [ms] | Billed Duration [ms] | Max Memory Used [MB] | Init Duration [ms] |
 *     | ---               | ---           | ---                  | ---                  | ---                |
 *     | get_protobuf_data | 1.08          | 2                    | 44                   | 203.94             |
 */
import type { ImportProblem } from '../../lib/run/run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readHeader, type LambdaColumns } from './lambda-columns'
import { createRowRun } from './lambda-row'
import { isDelimiterRow, splitTableRow } from '../document/table-row'

/** Reads a Markdown table with a Duration column beside billed duration, init duration or memory: one run per row. */
export const lambdaTable: TextImporter = {
  kind: 'text',
  id: 'lambda-table',
  detect: ({ text }) => text.includes('|') && /duration/i.test(text) && readHeader(splitTableRow(text) ?? []) !== null,
  open: createReader,
}

/** Rows that are read; a longer table is no author's. */
const maxRows = 1_000

function createReader(): BlockReader {
  let columns: LambdaColumns | null = null
  let hasDelimiter = false
  let firstLine = 0
  let lastLine = 0
  let headerEnd = ''
  let lastRow = ''
  const runs: BlockRun[] = []
  const problems: ImportProblem[] = []

  return { push, end }

  function push(line: Line): 'taken' | 'not-mine' {
    const cells = splitTableRow(line.text)
    if (cells === null) return 'not-mine'
    if (columns === null) {
      columns = readHeader(cells)
      firstLine = line.number
      if (columns === null) return 'not-mine'
    } else if (!hasDelimiter) {
      if (!isDelimiterRow(cells)) return 'not-mine'
      hasDelimiter = true
    } else readRow(columns, cells, line)
    lastLine = line.number
    lastRow = line.text.trimEnd()
    if (headerEnd === '') headerEnd = lastRow.slice(-1)
    return 'taken'
  }

  function readRow(header: LambdaColumns, cells: readonly string[], line: Line): void {
    if (isDelimiterRow(cells) || cells.every((cell) => cell === '')) return
    if (runs.length >= maxRows) {
      if (runs.length === maxRows && problems.every(({ code }) => code !== 'too-large'))
        problems.push(
          createProblem('too-large', line.number, `the table has more than ${maxRows} rows: the rest is omitted`),
        )
      return
    }
    const { run, unreadable } = createRowRun(header, cells, line.number)
    for (const text of unreadable)
      problems.push(createProblem('malformed', line.number, `"${text}" is not a figure that can be read`))
    if (run !== null) runs.push(run)
    else if (unreadable.length === 0)
      problems.push(createProblem('not-understood', line.number, 'a row of the table without a duration'))
  }

  function end(cut: boolean): Block | null {
    if (columns === null || !hasDelimiter || (runs.length === 0 && problems.length === 0)) return null
    for (const name of columns.unread)
      problems.push({
        ...createProblem('not-imported', firstLine, `the column "${name}" is not read`),
        severity: 'info',
      })
    // The last row of a cut input may end inside a cell.
    const last = runs.at(-1)
    const isShort =
      (splitTableRow(lastRow)?.length ?? 0) < columns.width || (headerEnd === '|' && !lastRow.endsWith('|'))
    if (cut && isShort && last?.lines?.[0] === lastLine) {
      runs.splice(-1, 1, { ...last, complete: false })
      problems.push({
        ...createProblem('truncated', lastLine, 'the last row of the table is truncated'),
        hint: 'Upload the whole document.',
      })
    }
    return { lines: [firstLine, lastLine], runs, problems }
  }
}

function createProblem(code: ImportProblem['code'], line: number, message: string): ImportProblem {
  return { code, severity: 'error', line, lastLine: null, message, hint: null }
}
