/**
 * Locust's CSV (`--csv`), as https://github.com/locustio/locust/blob/2.42.0/locust/stats.py (StatsCSV) writes it once a second:
 * `_stats.csv`, a row for each name and one for all, and `_stats_history.csv`, a row for each second. Both lack the end
 * of a run, because they are not written when it ends.
 *
 *     Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,Max Response Time,…
 *     ,Aggregated,350,44,4,4.997570959985751,0.844670999867958,24.038989000018773,459.6,116.79,14.68,4,5,6,6,8,10,14,17,…
 *     Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,66%,75%,…,Total Request Count,Total Failure Count,…
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Target, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { truncatedProblem } from '../import-problem'
import { RowFaults } from '../samples/row-faults'
import { openText } from '../text/bytes'
import { CsvRecords } from '../text/csv-records'
import { parseCount, parseDecimal } from '../text/number'
import { decodeHead } from '../text/text-head'
import { describeLocust, selectTargets } from './locust-run'

/** Reads `_stats.csv`. */
export const locustCsv: RawImporter = {
  kind: 'raw',
  id: 'locust-csv',
  detect: (head) => /^\s*"?Type"?,"?Name"?,"?Request Count"?,/.test(decodeHead(head, 500)),
  stored: (bytes) => bytes,
  read: (bytes) => readLocust(bytes, 'locust-csv', createStatsRun),
}

/** Reads `_stats_history.csv` as far as it is about the whole run. */
export const locustHistory: RawImporter = {
  kind: 'raw',
  id: 'locust-history',
  detect: (head) => /^\s*"?Timestamp"?,"?User Count"?,"?Type"?,"?Name"?,/.test(decodeHead(head, 500)),
  stored: (bytes) => bytes,
  read: (bytes) => readLocust(bytes, 'locust-history', createHistoryRun),
}

const hint = "Upload Locust's JSON (--json) or its final text: these are whole."

type Row = Readonly<Record<string, string>>

async function* readLocust(
  bytes: Bytes,
  form: string,
  create: (rows: readonly Row[], form: string) => BlockRun | null,
): AsyncGenerator<BlockRun | ImportProblem> {
  let names: readonly string[] | null = null
  const rows: Row[] = []
  let users = 0
  let torn: number | null = null
  const faults = new RowFaults()
  const take = (fields: readonly string[], line: number) => {
    if (names === null) names = fields
    else if (fields.length === 1 && fields[0]?.trim() === '') return
    else if (fields.length !== names.length)
      faults.add(`${fields.length} columns where the heading has ${names.length}`, { line })
    else {
      const row = Object.fromEntries(names.map((name, at) => [name, fields[at] ?? '']))
      const fault = findFault(row)
      if (fault !== null) faults.add(fault, { line })
      if (fault !== null && uncounted(row)) return
      users = Math.max(users, Number(row['User Count'] ?? 0) || 0)
      // In a history only the last row of all requests counts.
      if (form === 'locust-history') {
        if (row['Name'] === 'Aggregated') rows.splice(0, rows.length, row)
      } else rows.push(row)
    }
  }
  const records = new CsvRecords(take)
  const { bytes: text } = await openText(bytes)
  const decoder = new TextDecoder()
  for await (const chunk of text) records.push(decoder.decode(chunk, { stream: true }))
  const last = records.finish()
  if (last !== null) torn = records.line
  const run = create(rows, form)
  const fault = faults.report(Infinity, hint)
  if (run === null && fault !== null) throw new ImportError('malformed', fault.message, { line: fault.line, hint })
  if (run === null) throw new ImportError('empty', "Locust's CSV counts no requests", { line: 1, hint })
  const isWhole = torn === null && fault === null && !run.warnings.some(({ code }) => code === noRowOfAll)
  const measures = users > 0 ? [{ name: 'max-users', value: users, unit: null, line: null }] : []
  yield { ...run, measures, complete: isWhole, warnings: [lacksTheEnd, ...run.warnings] }
  if (fault !== null) yield fault
  if (!isWhole && torn === null && fault === null)
    yield truncatedProblem(
      null,
      'the row of all requests (Aggregated) is missing: percentiles of names are not averaged',
    )
  if (torn !== null) yield truncatedProblem(torn, 'the file ends within a row: names or seconds are missing')
}

const lacksTheEnd: Warning = {
  code: 'lacks-the-end',
  message: 'Locust writes its CSV once a second and not as it ends: the requests of the last second are missing.',
  line: null,
}

const noRowOfAll = 'no-row-of-all'

const column = (row: Row, name: string) => parseDecimal(row[name] ?? '')

/** Columns of counts and times, in both forms. */
const figureColumn = / Count$|Response Time$|Content Size$|\/s$|^\d{1,3}(?:\.\d{1,4})?%$/

/** An unreadable figure in a row: `its Average Content Size "1,024" is no number`. Null: none. */
function findFault(row: Row): string | null {
  for (const [name, text] of Object.entries(row)) {
    if (!figureColumn.test(name)) continue
    const value = column(row, name)
    const isFigure = name.endsWith(' Count')
      ? parseCount(text) !== null
      : text === '' || text === 'N/A' || (value !== null && value < 1e15)
    if (!isFigure) return `${row['Name'] ?? ''}: its ${name} ${JSON.stringify(text.slice(0, 40))} is no number`
  }
  return null
}

/** A row without counts is useless. */
const uncounted = (row: Row) =>
  Object.entries(row).some(([name, text]) => name.endsWith(' Count') && parseCount(text) === null)

function createStatsRun(rows: readonly Row[], form: string): BlockRun | null {
  const all = rows.find((row) => row['Name'] === 'Aggregated' && row['Type'] === '') ?? null
  const named = rows.filter((row) => row !== all)
  const counted = all === null ? named : [all]
  const sum = (name: string) => counted.reduce((total, row) => total + (parseCount(row[name] ?? '') ?? 0), 0)
  const requests = sum('Request Count')
  if (requests === 0) return null
  const printed: Record<string, string> = {}
  const keep = (field: string, name: string, unit = ' ms') => {
    const value = all === null ? null : column(all, name)
    if (value !== null) printed[field] = `${all?.[name] ?? ''}${unit}`
    return value
  }
  const quantiles = Object.keys(all ?? {}).flatMap((name) => {
    const percent = /^(\d{1,2}(?:\.\d{1,4})?)%$/.exec(name)?.[1]
    const ms = percent === undefined ? null : keep(`latencies.0.p${percent}`, name)
    return percent === undefined || ms === null ? [] : [{ q: Number(`${percent}e-2`), ms }]
  })
  const successes = requests - sum('Failure Count')
  const selected = selectTargets(named.flatMap(targetOf))
  return {
    ...blankRun('locust', form),
    requests,
    successes,
    successRatio: successes / requests,
    requestsPerSecond: keep('requestsPerSecond', 'Requests/s', ''),
    latencies: describeLocust({
      requests,
      minMs: keep('latencies.0.minMs', 'Min Response Time'),
      meanMs: keep('latencies.0.meanMs', 'Average Response Time'),
      maxMs: keep('latencies.0.maxMs', 'Max Response Time'),
      quantiles,
      histogram: null,
    }),
    targets: named.length === 0 ? null : selected.targets,
    printed,
    warnings: [
      ...(all === null
        ? [
            {
              code: noRowOfAll,
              message: 'The row of all requests (Aggregated) is missing: percentiles of names are not averaged.',
              line: null,
            },
          ]
        : []),
      ...selected.warnings,
    ],
  }
}

function targetOf(row: Row): Target[] {
  const count = parseCount(row['Request Count'] ?? '') ?? 0
  const figures = ['Average Response Time', '50%', '95%', '99%', 'Max Response Time'].map((name) => column(row, name))
  const [meanMs = null, p50Ms = null, p95Ms = null, p99Ms = null, maxMs = null] = figures
  if (meanMs === null || p50Ms === null || p95Ms === null || p99Ms === null || maxMs === null) return []
  if (Math.min(meanMs, p50Ms, p95Ms, p99Ms, maxMs) < 0) return []
  // The mean of whole numbers gives back their sum.
  const bytesIn = Math.round((column(row, 'Average Content Size') ?? NaN) * count)
  if (!Number.isSafeInteger(bytesIn)) return []
  return [
    {
      method: row['Type'] === undefined || row['Type'] === '' ? null : row['Type'],
      url: row['Name'] ?? null,
      count,
      errors: parseCount(row['Failure Count'] ?? '') ?? 0,
      bytesIn,
      meanMs,
      p50Ms,
      p95Ms,
      p99Ms,
      maxMs,
    },
  ]
}

function createHistoryRun([last]: readonly Row[], form: string): BlockRun | null {
  if (last === undefined) return null
  const requests = parseCount(last['Total Request Count'] ?? '') ?? 0
  if (requests === 0) return null
  const median = column(last, 'Total Median Response Time')
  const successes = requests - (parseCount(last['Total Failure Count'] ?? '') ?? 0)
  return {
    ...blankRun('locust', form),
    requests,
    successes,
    successRatio: successes / requests,
    latencies: describeLocust({
      requests,
      minMs: column(last, 'Total Min Response Time'),
      meanMs: column(last, 'Total Average Response Time'),
      maxMs: column(last, 'Total Max Response Time'),
      // The percentile columns are of the last ten seconds.
      quantiles: median === null ? [] : [{ q: 0.5, ms: median }],
      histogram: null,
    }),
  }
}
