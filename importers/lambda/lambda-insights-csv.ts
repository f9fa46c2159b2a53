/**
 * CloudWatch Logs Insights, "Export results" as CSV:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData-discoverable-fields.html (closed source).
 * Newest first; memory in bytes and in Java's notation; empty fields are unknown.
 *
 *     @timestamp,@requestId,@duration,@billedDuration,@memorySize,@maxMemoryUsed,@initDuration
 *     2026-11-21 02:00:29.026,ba934c95-cbe7-4839-bafb-d873ce1063f7,11.17,12.0,1.28E8,7.1E7,
 *     2026-11-21 02:00:28.959,64c74123-9be0-4e8d-b230-2a644da94c64,12.23,13.0,1.28E8,5.2E7,
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { openText } from '../text/bytes'
import { CsvRecords } from '../text/csv-records'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { LambdaEvents, nowhere } from './lambda-events'
import { LambdaLog } from './lambda-log'
import type { Wanted } from '../rows/wanted'
import { truncatedProblem } from '../import-problem'
import { RowFaults } from '../samples/row-faults'
import { decodeHead } from '../text/text-head'

/** Reads rows of Logs Insights with a duration or a message. */
export const lambdaInsightsCsv: RawImporter = {
  kind: 'raw',
  id: 'lambda-insights-csv',
  detect: (head) => {
    const [line = ''] = /^[^\r\n]*/.exec(decodeHead(head, 4_000)) ?? []
    const fields = line.split(/[,;\t]/).map((field) => field.trim().replace(/^"|"$/g, ''))
    return (
      fields.length < 100 && fields.some((field) => /^(?:@duration|@message|record\.metrics\.durationMs)$/.test(field))
    )
  },
  read: readInsightsCsv,
}

const hint =
  'Query "filter @type = \'REPORT\' | fields @timestamp, @requestId, @duration, …" and export its results as CSV.'

async function* readInsightsCsv(bytes: Bytes, wanted?: Wanted): AsyncGenerator<BlockRun | ImportProblem> {
  const log = new LambdaLog(wanted)
  const events = new LambdaEvents(log, () => undefined)
  const faults = new RowFaults()
  let heading: readonly string[] | null = null
  let rows = 0
  let lastLength = 0
  const takeRecord = (fields: readonly string[], line: number) => {
    lastLength = fields.at(-1)?.length ?? 0
    if (heading === null) heading = fields
    else if (fields.length === 1 && fields[0] === '') return
    else if (fields.length !== heading.length)
      faults.add(`${fields.length} fields where the heading has ${heading.length}`, { line })
    else {
      rows++
      events.readInsights(new Map(heading.map((name, index) => [name, fields[index] ?? ''])), { ...nowhere, line })
    }
  }
  const records = new CsvRecords(takeRecord)
  const decoder = new TextDecoder()
  for await (const chunk of (await openText(bytes)).bytes) records.push(decoder.decode(chunk, { stream: true }))
  records.push(decoder.decode())
  const last = records.finish()
  // Without a line feed a number may have lost digits; an id or a time as long as the one above is complete.
  const end = last?.fields.at(-1) ?? ''
  const isTorn = last !== null && (last.isTruncated || end.length !== lastLength || /^[\d.E]*$/.test(end))
  if (last !== null && !isTorn) takeRecord(last.fields, records.line)
  const fault = faults.report(rows, hint)
  if (log.isEmpty)
    throw new ImportError(isTorn ? 'truncated' : 'empty', 'it contains no row of an invocation', { line: 1, hint })
  yield* log.toRuns(lambdaInsightsCsv.id, fault === null && !isTorn)
  yield* log.listProblems(null)
  if (fault !== null) yield fault
  if (isTorn) yield truncatedProblem(records.line, 'the file ends within a row: more rows are missing')
}
