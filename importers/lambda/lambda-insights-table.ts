/**
 * Rows of CloudWatch Logs Insights as a Markdown table, as copied from its console and pasted by authors:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData-discoverable-fields.html (closed source). A row
 * is an invocation; memory in bytes, empty cells are unknown.
 *
 *     | @timestamp              | @requestId                           | @duration | @billedDuration | @memorySize | @maxMemoryUsed |
 *     | ---                     | ---                                  | ---       | ---             | ---         | ---            |
 *     | 2026-11-21 02:00:29.026 | ba934c95-cbe7-4839-bafb-d873ce1063f7 | 11.17     | 12              | 128000000   | 71000000       |
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { isTableDelimiter } from '../document/markdown'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { RowFaults } from '../samples/row-faults'
import { LambdaEvents, nowhere } from './lambda-events'
import { LambdaLog } from './lambda-log'
import { readRowCells } from './lambda-table'
import { truncatedProblem } from '../import-problem'

/** Reads a Markdown table of Logs Insights with a column of durations: all rows are invocations of one run. */
export const lambdaInsightsTable: TextImporter = {
  kind: 'text',
  id: 'lambda-insights-table',
  detect: ({ text }) => text.includes('|') && text.includes('uration') && isHeading(readRowCells(text) ?? []),
  open: () => new InsightsTableReader(),
}

const isHeading = (cells: readonly string[]): boolean =>
  cells.length < 100 && cells.some((cell) => cell === '@duration' || cell === 'record.metrics.durationMs')

const hint = 'Query "filter @type = \'REPORT\' | fields @timestamp, @requestId, @duration, …" and copy all rows.'

class InsightsTableReader implements BlockReader {
  private readonly log = new LambdaLog()
  private readonly events = new LambdaEvents(this.log, () => undefined)
  private readonly faults = new RowFaults()
  private heading: readonly string[] | null = null
  private hasDelimiter = false
  private hasBorder = false
  private firstLine = 0
  private lastLine = 0
  private rows = 0
  /** The last row is shorter than the heading: truncated if the input ends with it. */
  private torn: readonly string[] | null = null

  push({ text, number }: Line): 'taken' | 'not-mine' {
    const cells = readRowCells(text)
    if (cells === null) return 'not-mine'
    if (this.heading === null) {
      this.heading = cells
      this.firstLine = number
      this.hasBorder = text.trimEnd().endsWith('|')
    } else if (!this.hasDelimiter) {
      if (!isTableDelimiter(text)) return 'not-mine'
      this.hasDelimiter = true
    } else this.takeRow(this.heading, cells, text, number)
    this.lastLine = number
    return 'taken'
  }

  private takeRow(heading: readonly string[], cells: readonly string[], text: string, line: number): void {
    this.addTorn()
    if (cells.every((cell) => cell === '')) return
    if (cells.length !== heading.length || this.hasBorder !== text.trimEnd().endsWith('|')) {
      this.torn = cells
      return
    }
    this.rows++
    this.events.readInsights(new Map(heading.map((name, at) => [name, cells[at] ?? ''])), { ...nowhere, line })
  }

  private addTorn(): void {
    const { torn, heading } = this
    if (torn !== null)
      this.faults.add(`${torn.length} cells where the heading has ${heading?.length ?? 0}`, { line: this.lastLine })
    this.torn = null
  }

  end(atEnd: boolean): Block | null {
    if (!this.hasDelimiter) return null
    const isTorn = atEnd && this.torn !== null
    if (!isTorn) this.addTorn()
    const lines = [this.firstLine, this.lastLine] as const
    const fault = this.faults.report(this.rows, hint)
    if (this.log.isEmpty)
      throw new ImportError(
        isTorn ? 'truncated' : 'malformed',
        'this is a table of Logs Insights, but no row of it has a duration',
        {
          line: this.firstLine,
          hint,
        },
      )
    const torn: ImportProblem = truncatedProblem(
      this.lastLine,
      'the last row of the table is truncated',
      'Upload the whole document.',
    )
    return {
      lines,
      runs: this.log.toRuns(lambdaInsightsTable.id, fault === null && !isTorn),
      problems: [...this.log.listProblems(lines), ...(fault === null ? [] : [fault]), ...(isTorn ? [torn] : [])],
    }
  }
}
