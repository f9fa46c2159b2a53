import { z } from 'zod'
import type { ImportedRun, Latency } from '../../lib/run/run'
import { Differences } from './differences'

const figure = z.number().nullable()
const stats = z.object({ avg: figure, stdev: figure, max: figure, within_one_stdev_percent: figure })

/** One run of wrk or wrk2 as an independent reader found it. */
export const wrkTruth = z.object({
  tool: z.enum(['wrk', 'wrk2']),
  url: z.string(),
  threads: z.number(),
  connections: z.number(),
  latency_ns: stats,
  req_sec: stats,
  percentiles_ns: z.record(z.string(), z.number()).optional(),
  distributions: z
    .array(
      z.object({
        title: z.string(),
        percentiles_ns: z.record(z.string(), z.number()),
        spectrum_ms: z.array(z.array(z.number().nullable())),
        footer: z.object({ mean_ms: figure, stdev_ms: figure, max_ms: figure, total_count: figure }),
      }),
    )
    .optional(),
  requests: z.number(),
  runtime_ns: z.number(),
  bytes_read: z.number(),
  socket_errors: z.record(z.string(), z.number()).nullable(),
  non_2xx_3xx: z.number(),
  requests_per_s: z.number(),
  transfer_per_s_bytes: z.number(),
})

/** What wrk passed to a Lua `done()` in the same run, in microseconds. */
export const wrkExact = z.object({
  duration_us: z.number(),
  requests: z.number(),
  bytes: z.number(),
  latency_us: z.record(z.string(), z.number().nullable()),
})

/** Where a run differs from the truth about a report of wrk or wrk2; empty if it does not. */
export function compareWrkRun(run: ImportedRun, truth: z.infer<typeof wrkTruth>): string[] {
  const differences = new Differences()
  const measure = (name: string) => run.measures.find((candidate) => candidate.name === name)?.value ?? null
  differences.equal('tool', run.tool, truth.tool)
  differences.equal('complete', run.complete, true)
  differences.equal('url', run.url, truth.url)
  differences.equal('threads', measure('threads'), truth.threads)
  if (run.load.kind === 'closed') differences.equal('connections', run.load.connections, truth.connections)
  else differences.equal('connections', measure('connections'), truth.connections)
  differences.equal('load', run.load.kind, truth.tool === 'wrk' ? 'closed' : 'open')
  differences.equal('requests', run.requests, truth.requests)
  differences.printed('durationMs', run.durationMs, truth.runtime_ns / 1e6)
  differences.printed('bytesIn', run.bytesIn, truth.bytes_read)
  differences.printed('requestsPerSecond', run.requestsPerSecond, truth.requests_per_s)
  differences.printed('transfer-per-second', measure('transfer-per-second'), truth.transfer_per_s_bytes)
  differences.equal('successes', run.successes, truth.requests - truth.non_2xx_3xx)
  const errors = { ...truth.socket_errors, 'Non-2xx or 3xx responses': truth.non_2xx_3xx }
  differences.equal(
    'errors',
    Object.fromEntries(run.errors.map(({ message, count }) => [message, count])),
    Object.fromEntries(Object.entries(errors).filter(([, count]) => count > 0)),
  )
  compareRates(differences, measure, truth)
  compareLatency(differences, run.latencies[0], truth)
  for (const distribution of truth.distributions ?? [])
    compareDistribution(
      differences,
      run,
      distribution.title.includes('Uncorrected') ? 'uncorrected' : 'recorded',
      distribution,
    )
  return differences.list
}

type Truth = z.infer<typeof wrkTruth>

function compareRates(differences: Differences, measure: (name: string) => number | null, { req_sec }: Truth): void {
  // Without samples wrk prints zeros next to -nan.
  const empty = req_sec.avg === null || req_sec.within_one_stdev_percent === null
  const prefix = 'thread-requests-per-second'
  differences.printed('Req/Sec mean', measure(`${prefix}-mean`), empty ? null : req_sec.avg)
  differences.printed('Req/Sec stdev', measure(`${prefix}-stdev`), empty ? null : req_sec.stdev)
  differences.printed('Req/Sec max', measure(`${prefix}-max`), empty ? null : req_sec.max)
  const within = empty ? null : (req_sec.within_one_stdev_percent ?? 0) / 100
  differences.printed('Req/Sec within', measure(`${prefix}-within-one-stdev-ratio`), within)
}

function compareLatency(differences: Differences, latency: Latency | undefined, truth: Truth): void {
  const { avg, stdev, max, within_one_stdev_percent: within } = truth.latency_ns
  const empty = within === null
  const ms = (ns: number | null) => (ns === null || empty ? null : ns / 1e6)
  differences.printed('meanMs', latency?.meanMs, ms(avg))
  differences.printed('stdDevMs', latency?.stdDevMs, ms(stdev))
  differences.printed('maxMs', latency?.maxMs, ms(max))
  differences.printed('withinOneStdDevRatio', latency?.withinOneStdDevRatio, within === null ? null : within / 100)
  if (truth.distributions !== undefined) return
  const expected = empty ? [] : Object.entries(truth.percentiles_ns ?? {})
  differences.equal('quantiles', latency?.quantiles.length ?? 0, expected.length)
  for (const [percent, ns] of expected) compareQuantile(differences, latency, Number(percent) / 100, ns / 1e6)
}

function compareQuantile(differences: Differences, latency: Latency | undefined, q: number, ms: number): void {
  const found = latency?.quantiles.find((quantile) => Math.abs(quantile.q - q) < 1e-9)
  differences.printed(`${latency?.of ?? 'no latency'} q ${q}`, found?.ms, ms)
}

function compareDistribution(
  differences: Differences,
  run: ImportedRun,
  of: Latency['of'],
  truth: NonNullable<Truth['distributions']>[number],
): void {
  const latency = run.latencies.find((candidate) => candidate.of === of)
  const printed = Object.entries(truth.percentiles_ns).map(
    ([percent, ns]) => [Number(percent) / 100, ns / 1e6] as const,
  )
  for (const [q, ms] of printed) compareQuantile(differences, latency, q, ms)
  differences.equal(`${of} count`, latency?.count ?? null, truth.footer.total_count)
  const buckets = latency?.histogram?.kind === 'buckets' ? latency.histogram.buckets : []
  for (const [ms, q, count] of truth.footer.total_count ? truth.spectrum_ms : []) {
    const below = buckets.filter(({ upperMs }) => upperMs !== null && upperMs <= (ms ?? 0))
    const counted = below.reduce((total, bucket) => total + bucket.count, 0)
    differences.equal(`${of} count up to ${q}`, counted, count)
  }
  for (const [key, expected] of [
    ['mean', truth.footer.mean_ms],
    ['stdev', truth.footer.stdev_ms],
    ['max', truth.footer.max_ms],
  ] as const)
    differences.printed(
      `${of} ${key}`,
      run.measures.find(({ name }) => name === `${of}-latency-${key}`)?.value,
      expected,
    )
  for (const [ms, q] of truth.spectrum_ms) {
    if (printed.some(([printedQ]) => Math.abs(printedQ - (q ?? 0)) < 1e-9)) continue
    const found = latency?.quantiles.find((quantile) => Math.abs(quantile.q - (q ?? 0)) < 1e-9)
    differences.printed(`${of} spectrum ${q}`, found?.ms, ms)
  }
  // The eight percentiles are rounded to two decimals, the rows between them are not.
  const values = latency?.quantiles.map(({ ms }) => ms) ?? []
  const fallen = values.filter((ms, at) => ms * 1.01 < (values[at - 1] ?? 0))
  differences.equal(`${of} rising`, fallen, [])
}

/** Where a printed figure differs from the exact one by more than half a unit in its last place. */
export function compareWrkExact(run: ImportedRun, exact: z.infer<typeof wrkExact>): string[] {
  const differences = new Differences()
  differences.equal('requests', run.requests, exact.requests)
  differences.rounded('durationMs', run.durationMs, exact.duration_us / 1e3, unitMs(run.printed['durationMs']))
  const latency = run.latencies[0]
  // wrk2's done() gets a histogram with three digits, and the report rounds its values up.
  if (run.tool === 'wrk2' || latency?.meanMs === null) return differences.list
  const pairs = { mean: latency?.meanMs, stdev: latency?.stdDevMs, max: latency?.maxMs }
  for (const [key, value] of Object.entries(pairs)) {
    const printed = run.printed[`latencies.0.${key === 'stdev' ? 'stdDev' : key}Ms`]
    differences.rounded(key, value, (exact.latency_us[key] ?? NaN) / 1e3, unitMs(printed))
  }
  for (const { q, ms } of latency?.quantiles ?? []) {
    const key = `p${Math.round(q * 100)}`
    differences.rounded(key, ms, (exact.latency_us[key] ?? NaN) / 1e3, unitMs(run.printed[`latencies.0.${key}`]))
  }
  return differences.list
}

/** A hundredth of the printed unit, in ms. */
function unitMs(printed: string | undefined): number {
  const unit = /[a-z]+$/.exec(printed ?? '')?.[0] ?? ''
  return ({ us: 1e-3, ms: 1, s: 1e3, m: 60e3, h: 3_600e3 }[unit] ?? NaN) / 100
}
