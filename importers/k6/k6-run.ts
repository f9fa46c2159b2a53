import { ImportError } from '../../lib/errors'
import type { ImportProblem, Measure, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { cutProblem } from '../import-problem'
import type { RowFaults } from '../samples/row-faults'
import { warnOfRows } from '../samples/row-warnings'
import type { Samples } from '../samples/samples'
import type { K6Rows } from './k6-rows'

/** How one form of k6's rows writes texts, and what was found in a file of it. */
export interface K6RowsForm {
  readonly form: string
  /** What wrote it: `k6 run --out json`. */
  readonly command: string
  readonly decode: (bytes: Uint8Array) => string
  /** Times are whole seconds, so no span can be computed from them. */
  readonly isCoarse: boolean
  readonly faults: RowFaults
  readonly isTorn: boolean
  /** The rows before the first one are missing. */
  readonly lacksBeginning: boolean
  readonly line: number
}

/**
 * The run made from k6's rows, and the problems of the file.
 * @throws ImportError when it contains no request.
 */
export async function buildRowsRun(
  samples: Samples,
  rows: K6Rows,
  form: K6RowsForm,
): Promise<readonly (BlockRun | ImportProblem)[]> {
  const hint = `Upload what "${form.command}" wrote, unchanged.`
  if (samples.count === 0) throw nothingIn(rows, form, hint)
  const fault = form.faults.report(rows.points, hint)
  const run = await buildRun(samples, rows, form, fault === null && !form.isTorn && !form.lacksBeginning)
  return [
    run,
    ...(fault === null ? [] : [fault]),
    ...(form.lacksBeginning ? [lostBeginning] : []),
    ...(form.isTorn ? [cutProblem(form.line, 'the file ends within a line: more of the run is missing')] : []),
  ]
}

const lostBeginning: ImportProblem = {
  ...cutProblem(1, 'the beginning of the file is missing, and requests with it'),
  hint: 'Upload the whole file to get all.',
}

function nothingIn(rows: K6Rows, { faults, isTorn, line }: K6RowsForm, hint: string): ImportError {
  if (rows.points > 0)
    return new ImportError('empty', 'k6 sent no HTTP request in this run', {
      line: 1,
      hint: 'Upload a run that sends some.',
    })
  faults.report(0, hint)
  return new ImportError(isTorn ? 'truncated' : 'empty', 'k6 wrote no point of a request into this file', {
    line,
    hint,
  })
}

async function buildRun(samples: Samples, rows: K6Rows, form: K6RowsForm, complete: boolean): Promise<BlockRun> {
  const { count } = samples
  const span = form.isCoarse ? null : samples.span()
  const spanMs = span === null ? null : span.totalNs / 1e6
  const targets = samples.listTargets((key) => targetOf(form.decode(key)))
  const [only] = targets?.length === 1 ? targets : []
  const isUrl = only?.url != null && /^https?:\/\//.test(only.url)
  // Only http_reqs counts requests: without its rows it is unknown whether one of the others is missing.
  const requests = rows.counted === 0 ? null : Math.max(count, form.isTorn ? count : rows.counted)
  const successes = rows.judged === count ? rows.judged - rows.failed : samples.successes
  return {
    ...blankRun('k6', form.form),
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
    errors: rows.listErrors(form.decode),
    latencies: await samples.latencies(),
    phases: rows.listPhases(),
    timeline: samples.buildTimeline(true),
    // Its bytes are counted per connection, not per request.
    targets: targets?.map((one) => ({ ...one, bytesIn: null })) ?? null,
    measures: measuresOf(rows),
    complete,
    warnings: [...warningsOf(rows, count), ...(form.isCoarse ? [] : warnOfRows(samples))],
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
