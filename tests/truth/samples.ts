import { z } from 'zod'
import { normaliseError } from '../../importers/samples/error-texts'
import type { ImportedRun, Latency } from '../../lib/run/run'
import { Differences } from './differences'

const counts = z.record(z.string(), z.number())
const block = z.object({
  count: z.number(),
  min: z.number(),
  max: z.number(),
  sum: z.number(),
  mean: z.number(),
  p50: z.number(),
  p75: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  p999: z.number(),
})

/** One run of vegeta's results as an independent reader found it. */
export const samplesTruth = z.object({
  requests: z.number(),
  status_codes: counts,
  success_count: z.number(),
  success_ratio: z.number(),
  errors: counts,
  bytes_in_total: z.number(),
  bytes_out_total: z.number(),
  first_timestamp_ns: z.string(),
  attack_duration_ns: z.number(),
  wait_ns: z.number(),
  rate_per_s: z.number(),
  throughput_per_s: z.number(),
  latency_ns: block,
  latency_ns_success_only: block.nullable(),
  attacks: counts,
  targets: counts,
  truncated: z.boolean().optional(),
})

/** The rows of hey's CSV: decimal strings, as printed. */
export const heyCsvTruth = z.object({
  rows: z.number(),
  response_time_s: z
    .object({
      count: z.number(),
      min: z.string(),
      max: z.string(),
      sum: z.string(),
      mean: z.number(),
      p50: z.string(),
      p75: z.string(),
      p90: z.string(),
      p95: z.string(),
      p99: z.string(),
      p999: z.string(),
    })
    .optional(),
  status_codes: counts.optional(),
  truncated: z.boolean().optional(),
})

/** Times since 1970 in ns are too long for a double, so they are strings. */
export function quoteTimestamps(json: string): string {
  return json.replace(/("\w+_timestamp_ns": *)(\d{17,})/g, '$1"$2"')
}

/** Where a run differs from the truth about its rows; empty if it does not. */
export function compareSamplesRun(run: ImportedRun, truth: z.infer<typeof samplesTruth>): string[] {
  const differences = new Differences()
  differences.equal('requests', run.requests, truth.requests)
  differences.equal('statusCodes', run.statusCodes, truth.status_codes)
  differences.equal('successes', run.successes, truth.success_count)
  differences.printed('successRatio', run.successRatio, truth.success_ratio)
  differences.equal('bytesIn', run.bytesIn, truth.bytes_in_total)
  differences.equal('bytesOut', run.bytesOut, truth.bytes_out_total)
  differences.equal('startedAt', run.startedAt, new Date(Number(truth.first_timestamp_ns.slice(0, -6))).toISOString())
  differences.equal('attackNs', nsOf(run.attackMs), truth.attack_duration_ns)
  differences.equal('waitNs', nsOf(run.waitMs), truth.wait_ns)
  differences.equal('durationNs', nsOf(run.durationMs), truth.attack_duration_ns + truth.wait_ns)
  differences.printed('requestsPerSecond', run.requestsPerSecond, truth.rate_per_s)
  differences.printed('throughputPerSecond', run.throughputPerSecond, truth.throughput_per_s)
  differences.equal('errors', sumErrors(run.errors), sumErrors(listErrors(truth.errors)))
  differences.equal('exact errors', exactErrors(run), exactTruth(truth.errors))
  differences.equal('complete', run.complete, truth.truncated !== true)
  compareTargets(differences, run, truth.targets)
  const [all, success] = [run.latencies[0], run.latencies.find(({ of }) => of === 'success')]
  compareLatency(differences, 'all', all, truth.latency_ns)
  const hasBoth = truth.success_count > 0 && truth.success_count < truth.requests
  if (hasBoth && truth.latency_ns_success_only)
    compareLatency(differences, 'success', success, truth.latency_ns_success_only)
  else differences.equal('latencies', run.latencies.length, 1)
  compareTimeline(differences, run)
  return differences.list
}

/** The same for hey's CSV. */
export function compareHeyCsvRun(run: ImportedRun, truth: z.infer<typeof heyCsvTruth>): string[] {
  const differences = new Differences()
  differences.equal('statusCodes', run.statusCodes, truth.status_codes ?? {})
  differences.equal('complete', run.complete, truth.truncated !== true)
  differences.equal('successes', run.latencies[0]?.count ?? 0, truth.rows)
  const times = truth.response_time_s
  if (times) {
    const { count, mean, ...printed } = times
    const ns = Object.fromEntries(Object.entries(printed).map(([key, value]) => [key, Math.round(Number(value) * 1e9)]))
    compareLatency(differences, 'all', run.latencies[0], block.parse({ ...ns, count, mean: mean * 1e9 }))
  } else differences.equal('latencies', run.latencies, [])
  compareTimeline(differences, run)
  return differences.list
}

function compareLatency(
  differences: Differences,
  of: string,
  latency: Latency | undefined,
  truth: z.infer<typeof block>,
): void {
  differences.equal(`${of}.count`, latency?.count, truth.count)
  differences.equal(`${of}.min`, nsOf(latency?.minMs), truth.min)
  differences.equal(`${of}.max`, nsOf(latency?.maxMs), truth.max)
  differences.printed(`${of}.mean`, (latency?.meanMs ?? NaN) * 1e6, truth.mean)
  const byQuantile = { 0.5: 'p50', 0.75: 'p75', 0.9: 'p90', 0.95: 'p95', 0.99: 'p99', 0.999: 'p999' } as const
  for (const [q, key] of Object.entries(byQuantile)) {
    const found = latency?.quantiles.find((quantile) => quantile.q === Number(q))
    const isReached = q === '0.5' || truth.count * (1 - Number(q)) >= 1 - 1e-9
    differences.equal(`${of}.${key} is there`, found !== undefined, isReached)
    if (found === undefined) continue
    if (latency?.method === 'nearest-rank') differences.equal(`${of}.${key}`, nsOf(found.ms), truth[key])
    else differences.rounded(`${of}.${key}`, found.ms * 1e6, truth[key], truth[key] * 0.002)
  }
}

/** What a timeline counts must be what the run counts. */
function compareTimeline(differences: Differences, { timeline, latencies, statusCodes }: ImportedRun): void {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const count = latencies[0]?.count ?? 0
  const failed = Object.entries(statusCodes).map(([code, codeCount]) => (code < '200' || code >= '400' ? codeCount : 0))
  if (timeline === null) return differences.equal('timeline', count, 0)
  differences.equal('timeline.requests', sum(timeline.requests), count)
  differences.equal('timeline.errors', sum(timeline.errors), sum(failed))
  differences.equal('timeline.heat', sum(timeline.heat.counts.flat()), count)
  const maxMs = latencies[0]?.maxMs ?? NaN
  differences.rounded('timeline.max', Math.max(...timeline.maxMs.map((ms) => ms ?? 0)), maxMs, maxMs * 1e-3)
}

function compareTargets(
  differences: Differences,
  { targets, requests }: ImportedRun,
  truth: Record<string, number>,
): void {
  const told = Object.entries(truth).filter(([name]) => name.trim() !== '')
  if (told.length === 0) return differences.equal('targets', targets, null)
  if (told.length <= 50) {
    const counted = targets?.map(({ method, url, count }): [string, number] => [`${method} ${url}`, count]) ?? []
    differences.equal('targets', Object.fromEntries(counted), Object.fromEntries(told))
  }
  differences.equal(
    'targets together',
    targets?.reduce((sum, { count }) => sum + count, 0),
    requests,
  )
}

function nsOf(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.round(ms * 1e6)
}

function listErrors(errors: Record<string, number>): { message: string; count: number }[] {
  return Object.entries(errors).map(([message, count]) => ({ message, count }))
}

function sumErrors(errors: readonly { message: string; count: number | null }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { message, count } of errors) {
    const kind = normaliseError(message)
    sums[kind] = (sums[kind] ?? 0) + (count ?? 0)
  }
  return sums
}

/** Texts that are unique in their kind are unchanged. */
function exactTruth(errors: Record<string, number>): string[] {
  const texts = Object.keys(errors)
  return texts
    .filter((text) => texts.filter((other) => normaliseError(other) === normaliseError(text)).length === 1)
    .sort()
}

function exactErrors({ errors }: ImportedRun): string[] {
  return errors
    .map(({ message }) => message)
    .filter((message) => !message.includes('#'))
    .sort()
}
