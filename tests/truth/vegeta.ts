import { z } from 'zod'
import type { ImportedRun } from '../../lib/run/run'
import { Differences } from './differences'

const counts = z.record(z.string(), z.number())

/** One text or JSON report of vegeta as an independent reader found it. */
export const vegetaTruth = z.object({
  latency_ns: counts,
  requests: z.number(),
  rate_per_s: z.number(),
  throughput_per_s: z.number().optional(),
  /** Text only; the JSON report has its parts. */
  total_duration_ns: z.number().optional(),
  attack_duration_ns: z.number(),
  wait_ns: z.number(),
  bytes_in_total: z.number(),
  bytes_in_mean: z.number(),
  bytes_out_total: z.number(),
  bytes_out_mean: z.number(),
  success_percent: z.number().optional(),
  success_ratio: z.number().optional(),
  status_codes: counts,
  error_set: z.array(z.string()),
  first_timestamp_ns: z.coerce.number().optional(),
  buckets: z.array(z.object({ from_ns: z.number(), count: z.number() })).optional(),
  /** From the text report, by label, as in the file. */
  printed: z.record(z.string(), z.object({ columns: z.array(z.string()), values: z.string() })).optional(),
})

/** Full-precision figures of the same attack, from its raw rows. */
export const vegetaExact = z.object({
  requests: z.number(),
  success_count: z.number(),
  rate_per_s: z.number(),
  throughput_per_s: z.number(),
  attack_duration_ns: z.number(),
  wait_ns: z.number(),
  latency_ns: z.object({ min: z.number(), max: z.number(), mean: z.number() }),
})

/** Where a run differs from the truth about vegeta's report; empty if it does not. */
export function compareVegetaRun(run: ImportedRun, truth: z.infer<typeof vegetaTruth>): string[] {
  const differences = new Differences()
  const latency = run.latencies[0]
  const measure = (name: string) => run.measures.find((candidate) => candidate.name === name)?.value
  differences.equal('tool', run.tool, 'vegeta')
  differences.equal('complete', run.complete, true)
  // The rate is the command's, if the document shows one.
  differences.equal('load', run.load.kind, 'open')
  differences.equal('requests', run.requests, truth.requests)
  differences.printed('requestsPerSecond', run.requestsPerSecond, truth.rate_per_s)
  differences.printed('throughputPerSecond', run.throughputPerSecond, truth.throughput_per_s)
  const totalNs = truth.total_duration_ns ?? truth.attack_duration_ns + truth.wait_ns
  differences.printed('durationMs', run.durationMs, totalNs / 1e6)
  differences.printed('attackMs', run.attackMs, truth.attack_duration_ns / 1e6)
  differences.printed('waitMs', run.waitMs, truth.wait_ns / 1e6)
  differences.equal('bytesIn', run.bytesIn, truth.bytes_in_total)
  differences.equal('bytesOut', run.bytesOut, truth.bytes_out_total)
  differences.printed('bytes-in-mean', measure('bytes-in-mean'), truth.bytes_in_mean)
  differences.printed('bytes-out-mean', measure('bytes-out-mean'), truth.bytes_out_mean)
  const ratio = truth.success_percent === undefined ? truth.success_ratio : truth.success_percent / 100
  differences.printed('successRatio', run.successRatio, ratio)
  differences.equal('statusCodes', run.statusCodes, truth.status_codes)
  differences.equal(
    'errors',
    run.errors,
    truth.error_set.map((message) => ({ message, count: null })),
  )
  compareLatency(differences, run, truth)
  if (truth.first_timestamp_ns !== undefined)
    differences.equal('startedAt', run.startedAt, new Date(Math.floor(truth.first_timestamp_ns / 1e6)).toISOString())
  if (latency?.histogram || truth.buckets)
    differences.equal(
      'buckets',
      latency?.histogram?.kind === 'buckets'
        ? latency.histogram.buckets.map(({ lowerMs, upperMs, count }) => [lowerMs, upperMs, count])
        : null,
      truth.buckets?.map(({ from_ns, count }, index, all) => {
        const next = all[index + 1]
        return [from_ns / 1e6, next ? next.from_ns / 1e6 : null, count]
      }),
    )
  if (truth.printed) comparePrinted(differences, run, truth.printed)
  return differences.list
}

function compareLatency(differences: Differences, run: ImportedRun, truth: z.infer<typeof vegetaTruth>): void {
  const latency = run.latencies[0]
  const ms = (key: string) => {
    const ns = truth.latency_ns[key]
    return ns === undefined ? null : ns / 1e6
  }
  differences.equal('count', latency?.count, truth.requests)
  differences.printed('minMs', latency?.minMs, ms('min'))
  differences.printed('meanMs', latency?.meanMs, ms('mean'))
  differences.printed('maxMs', latency?.maxMs, ms('max'))
  const percents = Object.keys(truth.latency_ns)
    .flatMap((key) => /^p(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
  differences.equal('quantiles', latency?.quantiles.map(({ q }) => Math.round(q * 100)) ?? [], percents)
  for (const { q, ms: value } of latency?.quantiles ?? [])
    differences.printed(`p${Math.round(q * 100)}`, value, ms(`p${Math.round(q * 100)}`))
}

const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Requests: { total: 'requests', rate: 'requestsPerSecond', throughput: 'throughputPerSecond' },
  Duration: { total: 'durationMs', attack: 'attackMs', wait: 'waitMs' },
  Latencies: { min: 'latencies.0.minMs', mean: 'latencies.0.meanMs', max: 'latencies.0.maxMs' },
  'Bytes In': { total: 'bytesIn', mean: 'measures.bytes-in-mean' },
  'Bytes Out': { total: 'bytesOut', mean: 'measures.bytes-out-mean' },
  Success: { ratio: 'successRatio' },
}

/** The printed text of each figure is the same as in the file. */
function comparePrinted(
  differences: Differences,
  run: ImportedRun,
  printed: NonNullable<z.infer<typeof vegetaTruth>['printed']>,
): void {
  for (const [label, { columns, values }] of Object.entries(printed)) {
    const texts = values.split(', ')
    for (const [index, column] of columns.entries()) {
      const key = label === 'Latencies' && /^\d/.test(column) ? `latencies.0.p${column}` : fields[label]?.[column]
      if (key !== undefined) differences.equal(`printed ${key}`, run.printed[key], texts[index])
    }
  }
}

/** Where a printed figure differs from the exact one by more than half a unit in its last place. */
export function compareVegetaExact(run: ImportedRun, exact: z.infer<typeof vegetaExact>): string[] {
  const differences = new Differences()
  const latency = run.latencies[0]
  const isText = run.form === 'vegeta-text'
  differences.equal('requests', run.requests, exact.requests)
  differences.equal('successes', run.successes, exact.success_count)
  differences.rounded('successRatio', run.successRatio, exact.success_count / exact.requests, 1e-4)
  differences.rounded('requestsPerSecond', run.requestsPerSecond, exact.rate_per_s, 0.01)
  differences.rounded('throughputPerSecond', run.throughputPerSecond, exact.throughput_per_s, 0.01)
  const durations = [
    ['attackMs', run.attackMs, exact.attack_duration_ns],
    ['waitMs', run.waitMs, exact.wait_ns],
    ['minMs', latency?.minMs, exact.latency_ns.min],
    ['meanMs', latency?.meanMs, Math.floor(exact.latency_ns.mean)],
    ['maxMs', latency?.maxMs, exact.latency_ns.max],
  ] as const
  for (const [field, value, ns] of durations)
    differences.rounded(field, value, ns / 1e6, isText ? roundingMs(ns / 1e6) : 1e-9)
  return differences.list
}

/** vegeta 12.8 and later round each duration to the next smaller unit. */
function roundingMs(ms: number): number {
  return ms >= 1_000 ? 1 : ms >= 1 ? 1e-3 : 1e-6
}
