import { z } from 'zod'
import type { ImportedRun } from '../../lib/run/run'
import { Differences } from './differences'

const seconds = z.number().nullable()
const counts = z.record(z.string(), z.number())

/** One run in hey's summary as an independent reader found it. */
export const heyTruth = z.object({
  total_s: seconds,
  slowest_s: seconds,
  fastest_s: seconds,
  average_s: seconds,
  requests_per_s: seconds,
  total_data_bytes: z.number().nullable(),
  size_per_request_bytes: z.number().nullable(),
  histogram: z.array(z.object({ mark_s: z.number(), count: z.number() })),
  percentiles_s: counts,
  status_codes: counts,
  errors: counts,
  requests: z.number().nullable(),
  /** Where hey's own counts stop at a million. */
  true_requests: z.number().optional(),
  truncated: z.boolean().optional(),
  details_s: z.record(z.string(), z.array(seconds)).optional(),
})

/** Full-precision figures of the same run, from its raw rows. */
export const heyExact = z.object({
  requests: z.number(),
  requests_per_s: z.number(),
  total_duration_ns: z.number(),
  latency_ns: z.object({ min: z.number(), max: z.number(), mean: z.number() }).optional(),
  hey_percentiles_ns: counts.optional(),
})

/** Where a run differs from the truth about hey's summary; empty if it does not. */
export function compareHeyRun(run: ImportedRun, truth: z.infer<typeof heyTruth>): string[] {
  const differences = new Differences()
  const ms = (value: number | null | undefined) => (value === null || value === undefined ? null : value * 1_000)
  // Without responses, the tool's zeros mean absence.
  const empty = truth.average_s === null
  const latency = run.latencies[0]
  differences.equal('tool', run.tool, 'hey')
  differences.equal('complete', run.complete, truth.truncated !== true)
  differences.printed('durationMs', run.durationMs, ms(truth.total_s))
  differences.printed('requestsPerSecond', run.requestsPerSecond, truth.requests_per_s)
  differences.equal('requests', run.requests, truth.true_requests ?? truth.requests)
  differences.equal('bytesIn', run.bytesIn, truth.total_data_bytes)
  const size = run.measures.find(({ name }) => name === 'size-per-request')?.value
  differences.equal('size-per-request', size ?? null, truth.size_per_request_bytes)
  differences.equal('statusCodes', run.statusCodes, truth.status_codes)
  const errors = Object.fromEntries(run.errors.map(({ message, count }) => [message, count]))
  differences.equal('errors', errors, truth.errors)
  differences.printed('minMs', latency?.minMs, empty ? null : ms(truth.fastest_s))
  differences.printed('meanMs', latency?.meanMs, ms(truth.average_s))
  differences.printed('maxMs', latency?.maxMs, empty ? null : ms(truth.slowest_s))
  const percents = Object.keys(truth.percentiles_s)
    .map(Number)
    .sort((a, b) => a - b)
  differences.equal('quantiles', latency?.quantiles.map(({ q }) => Math.round(q * 100)) ?? [], percents)
  for (const percent of percents) {
    const found = latency?.quantiles.find(({ q }) => Math.abs(q * 100 - percent) < 1e-9)
    differences.printed(`p${percent}`, found?.ms, ms(truth.percentiles_s[percent]))
  }
  compareHistogram(differences, run, truth)
  comparePhases(differences, run, truth)
  return differences.list
}

function compareHistogram(differences: Differences, run: ImportedRun, truth: z.infer<typeof heyTruth>): void {
  const histogram = run.latencies[0]?.histogram ?? null
  if (truth.histogram.length === 0) return differences.equal('histogram', histogram, null)
  if (histogram?.kind !== 'buckets') return differences.equal('histogram', histogram?.kind ?? null, 'buckets')
  differences.equal(
    'histogram counts',
    histogram.buckets.map(({ count }) => count),
    truth.histogram.map(({ count }) => count),
  )
  // Rebuilt from figures with four decimals, the marks are more precise than their three printed ones.
  for (const [index, { mark_s }] of truth.histogram.entries())
    differences.rounded(`mark ${index}`, histogram.buckets[index]?.upperMs, mark_s * 1_000, 1.1)
}

function comparePhases(differences: Differences, run: ImportedRun, truth: z.infer<typeof heyTruth>): void {
  if (truth.details_s === undefined || truth.average_s === null) return
  differences.equal('phases', run.phases.map(({ name }) => name).sort(), Object.keys(truth.details_s).sort())
  for (const phase of run.phases) {
    const [mean, fastest, slowest] = truth.details_s[phase.name] ?? []
    const ms = (value: number | null | undefined) => (value ?? 0) * 1_000
    differences.printed(`${phase.name} mean`, phase.meanMs, ms(mean))
    // Up to 0.1.4 these two columns describe the whole request, so they are absent here.
    const isOverall = phase.name === 'DNS+dialup' && run.toolVersion !== '0.1.5' && run.toolVersion !== '0.1.0'
    differences.printed(`${phase.name} min`, phase.minMs, isOverall ? null : ms(fastest))
    differences.printed(`${phase.name} max`, phase.maxMs, isOverall ? null : ms(slowest))
  }
}

/** Where a printed figure differs from the exact one by more than half a unit in its last place. */
export function compareHeyExact(run: ImportedRun, exact: z.infer<typeof heyExact>): string[] {
  const differences = new Differences()
  const latency = run.latencies[0]
  const unitMs = 0.1
  differences.equal('requests', run.requests, exact.requests)
  differences.rounded('durationMs', run.durationMs, exact.total_duration_ns / 1e6, unitMs)
  differences.rounded('requestsPerSecond', run.requestsPerSecond, exact.requests_per_s, 1e-4)
  if (exact.latency_ns) {
    differences.rounded('minMs', latency?.minMs, exact.latency_ns.min / 1e6, unitMs)
    differences.rounded('meanMs', latency?.meanMs, exact.latency_ns.mean / 1e6, unitMs)
    differences.rounded('maxMs', latency?.maxMs, exact.latency_ns.max / 1e6, unitMs)
  }
  for (const { q, ms } of latency?.quantiles ?? []) {
    const ns = exact.hey_percentiles_ns?.[String(Math.round(q * 100))]
    differences.rounded(`p${q}`, ms, ns === undefined ? null : ns / 1e6, unitMs)
  }
  return differences.list
}
