import type { Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import type { Samples } from '../samples/samples'
import type { HeaderFigures } from '../headers/header-figures'

/** How one form of vegeta's results stores texts, and what it reveals about its version. */
export interface ResultsForm {
  /** Id of the importer. */
  readonly form: string
  /** `6`, `>=8 <12.8`; null: not stated. */
  readonly toolVersion: string | null
  /** Text of an attack's name. */
  readonly decodeText: (bytes: Uint8Array) => string
  /** Text of an error. */
  readonly decodeError: (bytes: Uint8Array) => string
  readonly decodeTarget: (key: Uint8Array) => { method: string | null; url: string | null }
}

/**
 * The run made from vegeta's results, by vegeta's own definitions
 * (https://github.com/tsenart/vegeta/blob/v12.12.0/lib/metrics.go): success is 200 ≤ code < 400, rate is requests
 * divided by the time between the first and the last request's start, throughput is successes divided by the time to
 * the end of the last response; both are plain counts if that time is 0.
 */
export async function buildResultsRun(
  samples: Samples,
  headers: HeaderFigures,
  complete: boolean,
  form: ResultsForm,
): Promise<BlockRun> {
  const { attackNs, waitNs, totalNs } = samples.span() ?? { attackNs: 0, waitNs: 0, totalNs: 0 }
  const { count, successes } = samples
  const targets = samples.listTargets(form.decodeTarget)
  const [only] = targets?.length === 1 ? targets : []
  const attacks = samples.listAttacks(form.decodeText)
  return {
    ...blankRun('vegeta', form.form),
    toolVersion: form.toolVersion,
    name: attacks.length === 1 ? attacks[0]?.name || null : null,
    url: only?.url ?? null,
    method: only?.method ?? null,
    startedAt: samples.startedAt(),
    durationMs: totalNs / 1e6,
    attackMs: attackNs / 1e6,
    waitMs: waitNs / 1e6,
    requests: count,
    successes,
    successRatio: successes / count,
    requestsPerSecond: attackNs > 0 ? count / (attackNs / 1e9) : count,
    throughputPerSecond: attackNs > 0 ? successes / (totalNs / 1e9) : successes,
    bytesIn: samples.bytesIn,
    bytesOut: samples.bytesOut,
    statusCodes: samples.statusCodes(),
    errors: samples.errors.list(form.decodeError),
    latencies: await samples.latencies(),
    timeline: samples.buildTimeline(true),
    targets,
    phases: headers.phases(),
    measures: headers.measures(),
    complete,
    ...besideOf(samples, { tool: 'vegeta', resolutionMs: 0, isOpenLoop: true, ...form }),
    warnings: [...warnAboutZeros(samples), ...warnAboutAttacks(attacks), ...warnOfRows(samples), ...headers.warnings()],
  }
}

function warnAboutZeros(samples: Samples): Warning[] {
  const zeros = samples.failuresWithoutLatency
  if (zeros === 0) return []
  const message = `${zeros} failed requests have latency 0: vegeta 8 to 12.5.0 did not measure them, so the figures of all requests are too low. Those of the successes are right.`
  return [{ code: 'failures-without-latency', message, line: null }]
}

function warnAboutAttacks(attacks: readonly { readonly name: string | null; readonly count: number }[]): Warning[] {
  if (attacks.length < 2) return []
  const known = attacks.flatMap(({ name, count }) => (name === null ? [] : [{ name, count }]))
  const names = known.slice(0, 5).map(({ name, count }) => `${name === '' ? 'without name' : name} (${count})`)
  const size = known.length < attacks.length ? `more than ${known.length}` : `${known.length}`
  const first = names.length < known.length ? 'the first ' : ''
  const message = `Results of ${size} attacks together: ${first}${names.join(', ')}. Duration and rate span the time between them.`
  return [{ code: 'several-attacks', message, line: null }]
}
