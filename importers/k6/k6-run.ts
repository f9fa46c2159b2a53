import { ImportError } from '../../lib/errors'
import type { Measure, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, RawImporter } from '../importer'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import { createSampleImporter, type SampleFile, type SampleForm, type SampleReader } from '../samples/sample-file'
import type { K6Rows } from './k6-rows'

/** A reader of one form of k6's rows. */
interface K6Reader extends SampleReader {
  readonly rows: K6Rows
  /** Times are whole seconds, so no span can be computed from them. */
  readonly isCoarse: boolean
}

/** One form of k6's rows: what it is called, how it is opened, how it writes texts. */
interface K6Form<Reader extends K6Reader> extends Pick<
  SampleForm<Reader>,
  'id' | 'detect' | 'rowsOfEachKind' | 'open' | 'lostBeginning'
> {
  /** What wrote it: `k6 run --out json`. */
  readonly command: string
  readonly decode: (bytes: Uint8Array) => string
}

/** Makes the importer of one form of k6's rows. */
export function createK6Importer<Reader extends K6Reader>({ command, decode, ...form }: K6Form<Reader>): RawImporter {
  const hint = `Upload what "${command}" wrote, unchanged.`
  return createSampleImporter({
    ...form,
    hint,
    truncation: 'the file ends within a line: more of the run is missing',
    refuse: ({ rows }) =>
      rows.points === 0
        ? null
        : new ImportError('empty', 'k6 sent no HTTP request in this run', {
            line: 1,
            hint: 'Upload a run that sends some.',
          }),
    nothing: ({ reader: { line }, isTorn }) =>
      new ImportError(isTorn ? 'truncated' : 'empty', 'this file contains no request of k6', { line, hint }),
    build: (file) => buildRun(file, form.id, decode),
  })
}

async function buildRun(
  { samples, reader, isTorn, complete }: SampleFile<K6Reader>,
  id: string,
  decode: (bytes: Uint8Array) => string,
): Promise<BlockRun> {
  const { rows, isCoarse } = reader
  const { count } = samples
  const span = isCoarse ? null : samples.span()
  const spanMs = span === null ? null : span.totalNs / 1e6
  const decodeTarget = (key: Uint8Array) => targetOf(decode(key))
  const targets = samples.listTargets(decodeTarget)
  const [only] = targets?.length === 1 ? targets : []
  const isUrl = only?.url != null && /^https?:\/\//.test(only.url)
  // Only http_reqs counts requests: without its rows it is unknown whether one of the others is missing.
  const requests = rows.counted === 0 ? null : Math.max(count, isTorn ? count : rows.counted)
  const successes = rows.judged === count ? rows.judged - rows.failed : samples.successes
  return {
    ...blankRun('k6', id),
    name: only != null && !isUrl ? only.url : null,
    url: isUrl ? only.url : null,
    method: only?.method ?? null,
    startedAt: samples.startedAt(),
    durationMs: spanMs,
    requests,
    successes: requests === null ? null : successes,
    successRatio: requests === count ? successes / count : null,
    requestsPerSecond: requests !== null && spanMs !== null && spanMs > 0 ? requests / (spanMs / 1e3) : null,
    bytesIn: rows.bytesIn,
    bytesOut: rows.bytesOut,
    statusCodes: rows.statusCodes(),
    errors: rows.listErrors(decode),
    latencies: await samples.latencies(),
    phases: rows.listPhases(),
    timeline: samples.buildTimeline(true),
    // Its bytes are counted per connection, not per request.
    targets: targets?.map((one) => ({ ...one, bytesIn: null })) ?? null,
    measures: measuresOf(rows),
    complete,
    ...besideOf(samples, { tool: 'k6', resolutionMs: 0, isOpenLoop: false, decodeError: decode, decodeTarget }),
    warnings: [...warningsOf(rows, count), ...(isCoarse ? [] : warnOfRows(samples))],
  }
}

function targetOf(text: string): { method: string | null; url: string | null } {
  const space = text.indexOf(' ')
  return { method: text.slice(0, space) || null, url: text.slice(space + 1) || null }
}

function measuresOf({ iterations, droppedIterations, checks, failedChecks, maxUsers }: K6Rows): Measure[] {
  const measure = (name: string, value: number | null): Measure[] =>
    value === null ? [] : [{ name, value, unit: null, line: null }]
  return [
    ...measure('iterations', iterations),
    ...measure('dropped-iterations', droppedIterations > 0 ? droppedIterations : null),
    ...measure('checks', checks > 0 ? checks : null),
    ...measure('failed-checks', checks > 0 ? failedChecks : null),
    ...measure('max-users', maxUsers),
  ]
}

function warningsOf({ counted, droppedIterations }: K6Rows, count: number): Warning[] {
  const warnings: Warning[] = []
  if (counted === 0)
    warnings.push({
      code: 'requests-not-counted',
      message: `The rows of http_reqs are missing: the ${count} durations are those of requests, which were not counted.`,
      line: null,
    })
  else if (counted !== count)
    warnings.push({
      code: 'counts-differ',
      message: `http_reqs counts ${counted} requests, and ${count} have a duration: rows are missing.`,
      line: null,
      numbers: { counted, durations: count },
    })
  return droppedIterations > 0 ? [...warnings, warnOfDropped(droppedIterations)] : warnings
}

/** An open loop that could not keep its rate. */
export function warnOfDropped(dropped: number): Warning {
  const message = `k6 dropped ${dropped} iterations: there were too few users to start them on time, so its rate was missed.`
  return { code: 'dropped-iterations', message, line: null, numbers: { dropped } }
}
