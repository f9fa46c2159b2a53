/**
 * Samples written by a user's own program, read by a mapping that defines what each column is: CSV with or without a
 * heading, NDJSON, a JSON array. Nothing is guessed here: without a unit there is no mapping
 * (lib/run/column-mapping.ts).
 *
 *     started_at,endpoint,took_ms,code,err
 *     1795313434421,/api/items,3.098,200,
 */
import { ImportError } from '../../lib/errors'
import { mappingWords, type ColumnRef, type NamedMapping } from '../../lib/run/column-mapping'
import type { ImportProblem, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { truncatedProblem, errorAt } from '../import-problem'
import { warnOfRows } from '../samples/row-warnings'
import { besideOf } from '../samples/run-cube'
import { Samples } from '../samples/samples'
import type { Wanted } from '../rows/wanted'
import { openText } from '../text/bytes'
import { MappedCsv } from './mapped-csv'
import { MappedJson } from './mapped-json'
import type { MappedReader } from './mapped-reader'
import { MappedRows } from './mapped-rows'

/** A larger share of unreadable rows means that the mapping belongs to another file. */
const mostBadRatio = 0.01
/** Times before 2000 count from a start that the file does not name. */
const firstWallClockSeconds = 946_684_800

/** Reads a file by a mapping, which is only tried on request. All rows of the file are one run. */
export const mappedImporter = (named: NamedMapping): RawImporter => ({
  kind: 'raw',
  id: `mapped-${named.mapping.kind}`,
  detect: () => true,
  read: (bytes, wanted) => readMapped(bytes, named, wanted),
})

async function* readMapped(
  bytes: Bytes,
  named: NamedMapping,
  wanted?: Wanted,
): AsyncGenerator<BlockRun | ImportProblem> {
  const { name, mapping } = named
  const rows = new MappedRows(mapping, new Samples(wanted))
  const reader = mapping.kind === 'csv' ? new MappedCsv(mapping, rows) : new MappedJson(mapping, rows)
  const text = await openText(bytes)
  for await (const chunk of text.bytes) {
    reader.push(chunk)
    if (mapping.kind === 'csv') refuseMissing(reader, named)
  }
  const isTorn = reader.finish()
  rows.samples.flush()
  refuseMissing(reader, named)
  const hint = `Correct the mapping "${name}", or the file. It says: ${mappingWords(mapping)}.`
  if (rows.count === 0 && reader.faults.count === 0)
    throw new ImportError(isTorn ? 'truncated' : 'empty', 'it contains no complete row of samples', {
      line: reader.line,
      hint,
    })
  const fault = reportFaults(reader, rows, hint)
  yield await buildRun(rows, reader.absent, named, fault === null && !isTorn)
  if (fault !== null) yield fault
  if (isTorn) yield truncatedProblem(reader.line, 'the file ends within a row: more samples are missing')
}

/** Throws ImportError `malformed` if the file lacks a column that the mapping names. */
function refuseMissing({ missing }: MappedReader, { name, mapping }: NamedMapping): void {
  if (missing.length === 0) return
  const columns = missing.map((column) => (typeof column === 'number' ? String(column) : `"${column}"`)).join(', ')
  throw new ImportError('malformed', `the mapping "${name}" names columns that the file lacks: ${columns}`, {
    line: 1,
    hint: `Correct the mapping, or ask for another. It says: ${mappingWords(mapping)}.`,
  })
}

/** What to report of unreadable rows; null: there are none. Throws ImportError beyond one in a hundred. */
function reportFaults({ faults }: MappedReader, { count, reasons }: MappedRows, hint: string): ImportProblem | null {
  if (faults.count === 0) return null
  const first = faults.report(Infinity, hint)
  const total = count + faults.count
  const why = [...reasons].map(([reason, times]) => `${reason} (${times} times)`).join(', ')
  const lines = faults.firstLines.join(', ')
  const message = `${faults.count} of ${total} rows cannot be read, the first in ${faults.firstLines.length === 1 ? 'line' : 'lines'} ${lines}${why === '' ? '' : `: ${why}`}`
  const line = first?.line ?? null
  if (faults.count > mostBadRatio * total) throw new ImportError('malformed', message, { line, hint })
  return errorAt('malformed', line, message, hint)
}

async function buildRun(
  rows: MappedRows,
  absent: readonly ColumnRef[],
  named: NamedMapping,
  complete: boolean,
): Promise<BlockRun> {
  const { samples, count, time, knowsFailures } = rows
  const { mapping } = named
  const hasSamples = samples.count > 0
  const isWallClock = time !== null && !time.lacksZone && (samples.startSeconds() ?? 0) >= firstWallClockSeconds
  const span = time === null || time.isCoarse ? null : samples.span()
  const durationMs = span === null ? null : span.totalNs / 1e6
  const targets = mapping.label === null || !hasSamples ? null : samples.listTargets(decodeTarget)
  const [only] = targets?.length === 1 ? targets : []
  return {
    ...blankRun('mapped', `mapped-${mapping.kind}`),
    name: only?.url ?? null,
    startedAt: isWallClock && hasSamples ? samples.startedAt() : null,
    durationMs,
    requests: count,
    successes: knowsFailures ? samples.successes : null,
    successRatio: knowsFailures ? samples.successes / count : null,
    requestsPerSecond: durationMs !== null && durationMs > 0 ? count / (durationMs / 1e3) : null,
    bytesIn: rows.bytesIn,
    statusCodes: rows.statusCodes(),
    errors: samples.errors.list(decodeError),
    latencies: await samples.latencies(),
    timeline: time === null || !hasSamples ? null : samples.buildTimeline(isWallClock),
    targets,
    complete,
    ...besideOf(samples, { tool: 'mapped', resolutionMs: 0, isOpenLoop: false, decodeError, decodeTarget }),
    warnings: [sourceOf(named), ...listWarnings(rows, absent), ...(span === null ? [] : warnOfRows(samples))],
  }
}

const decoder = new TextDecoder()
const decodeError = (text: Uint8Array): string => decoder.decode(text)
const decodeTarget = (key: Uint8Array) => ({ method: null, url: decoder.decode(key) })

function sourceOf({ name, mapping }: NamedMapping): Warning {
  return { code: 'mapped', message: `Read by the mapping "${name}": ${mappingWords(mapping)}.`, line: null }
}

function listWarnings(rows: MappedRows, absent: readonly ColumnRef[]): Warning[] {
  const { time, knowsFailures, unanswered, uncoded } = rows
  const warn = (code: string, message: string): Warning => ({ code, message, line: null })
  return [
    ...(knowsFailures ? [] : [warn('no-statuses', 'No column says which requests failed: failures are unknown.')]),
    ...absent.map((column) => warn('no-errors', `No row has the field "${column}": no request failed by it.`)),
    ...(unanswered > 0
      ? [
          {
            ...warn(
              'failed-without-latency',
              `${unanswered} failed ${unanswered === 1 ? 'request has' : 'requests have'} no latency: counted, but in no percentile, target or bin of the timeline.`,
            ),
            numbers: { unanswered },
          },
        ]
      : []),
    ...(uncoded > 0
      ? [
          warn(
            'samples-without-code',
            `The status of ${uncoded} ${uncoded === 1 ? 'row' : 'rows'} is empty: counted as failed, and under no status.`,
          ),
        ]
      : []),
    ...(time?.isCoarse === true
      ? [warn('coarse-times', 'Times are whole seconds: duration and rate are unknown.')]
      : []),
    ...(time?.lacksZone === true ? [warn('no-time-zone', 'Times name no zone: the start is unknown.')] : []),
  ]
}
