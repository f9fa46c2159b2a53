import { z } from 'zod'
import { normaliseError } from '../../importers/samples/error-texts'
import type { ImportedRun, Latency } from '../../lib/run/run'
import { Differences } from './differences'

const number = z.number().nullable().optional()
const counts = z.record(z.string(), z.number())

const latencyTruth = z.object({
  of: z.string(),
  count: number,
  min_ms: number,
  mean_ms: number,
  stddev_ms: number,
  max_ms: number,
  /** Percent → ms. */
  quantiles_ms: counts,
  neighbours_ms: z.record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()])).optional(),
  origin: z.string(),
  buckets: z
    .array(
      z.object({ upper_ms: number, upper_ms_printed: number, start_ms: number, end_ms: number, count: z.number() }),
    )
    .nullish(),
  bucket_counts_add_up: z.boolean().nullish(),
})

const targetTruth = z.object({
  method: z.string().nullish(),
  label: z.string().nullish(),
  count: z.number(),
  errors: number,
  mean_ms: number,
})

/**
 * One run of another load generator, as an independent reader found it. Null: its form does not say, so a reader must
 * not either. Absent: not checked.
 */
export const otherToolTruth = z.object({
  /** Null: nothing in the file names one. */
  tool: z.string().nullish(),
  requests: number,
  successes: number,
  failures: number,
  /** For ab: responses with a status outside 2xx, which are not among its failures. */
  non_2xx: number.optional(),
  status_codes: counts.nullish(),
  /** Requests without a response, if the tool gives them the code 0. */
  status_0: z.number().optional(),
  errors: z.array(z.object({ message: z.string(), count: z.number().nullable() })).nullish(),
  bytes_in: number,
  bytes_out: number,
  started_at: z.string().nullish(),
  duration_ms: number,
  span_ms: number,
  requests_per_s: number,
  latencies: z.array(latencyTruth),
  targets: z.array(targetTruth).nullish(),
  load: z.looseObject({ kind: z.string().nullish(), connections: number, rate_per_s: number }).nullish(),
  unknown: z.array(z.string()).optional(),
})
type RunTruth = z.infer<typeof otherToolTruth>

/** The name of a distribution of the truth here. */
const kinds: Readonly<Record<string, readonly Latency['of'][]>> = {
  all: ['all'],
  corrected: ['recorded', 'all'],
  success: ['success'],
  failure: ['failure'],
  'status-2xx': ['success'],
  'status-not-2xx': ['failure'],
  'status-2xx-3xx': ['success'],
  'status-4xx-5xx': ['failure'],
}

/** Where a run differs from the truth about it; empty if it does not. */
export function compareOtherTool(run: ImportedRun, truth: RunTruth): string[] {
  const differences = new Differences()
  const unknown = new Set(
    (truth.unknown ?? []).flatMap((one) =>
      /computa|computed|exactly/.test(one) ? [] : (/^[\w.]+/.exec(one)?.[0] ?? []),
    ),
  )
  if (typeof truth.tool === 'string') differences.equal('tool', run.tool, truth.tool)
  if (truth.requests !== undefined) differences.equal('requests', run.requests, truth.requests)
  if (truth.successes !== undefined) differences.equal('successes', run.successes, successesOf(truth))
  if (truth.status_codes) compareCodes(differences, run, truth.status_codes, truth.status_0)
  // The truth omits errors whose count is rounded: `20k errors`.
  const errors = run.errors.filter(({ count, message }) => count !== null || !/^\S{1,10}k \w+$/.test(message))
  if (truth.errors) differences.equal('errors', sumErrors(errors), sumErrors(truth.errors))
  // wrk's are rounded, and read as such.
  if (truth.bytes_in !== undefined && run.form !== 'wrk-text')
    differences.printed('bytesIn', run.bytesIn, truth.bytes_in)
  if (truth.bytes_out !== undefined) differences.printed('bytesOut', run.bytesOut, truth.bytes_out)
  if (truth.started_at) differences.equal('startedAt', run.startedAt, truth.started_at.replace(/(\.\d{3})\d+/, '$1'))
  if (typeof truth.duration_ms === 'number') differences.printed('durationMs', run.durationMs, truth.duration_ms)
  else if (typeof truth.span_ms === 'number' && run.durationMs !== null)
    differences.printed('durationMs', run.durationMs, truth.span_ms)
  // The truth stops at a thousands separator.
  const rate = run.printed['requestsPerSecond'] ?? ''
  const isTruthCut = rate.includes(',') && truth.requests_per_s === Number.parseFloat(rate)
  if (typeof truth.requests_per_s === 'number' && !isTruthCut)
    differences.printed('requestsPerSecond', run.requestsPerSecond, truth.requests_per_s)
  compareUnknown(differences, run, unknown)
  compareLoad(differences, run, truth.load)
  for (const latency of truth.latencies) compareLatency(differences, run, latency)
  const told = truth.latencies.flatMap(({ of }) => kinds[of] ?? [])
  // In rows with all and successes, failures are the difference; the truth omits the error cases of Fortio's text.
  const isRest = told.includes('success') && run.latencies[0]?.origin === 'samples'
  const known = isRest || run.form === 'fortio-text' ? [...told, 'failure'] : told
  if (truth.latencies.length > 0 && truth.successes !== undefined)
    differences.equal(
      'other latencies',
      run.latencies.flatMap(({ of }) => (known.includes(of) ? [] : [of])),
      [],
    )
  if (truth.targets) compareTargets(differences, run, truth.targets)
  return differences.list
}

/** ab prints none, but if no request failed its counts show which were served. */
function successesOf({ tool, requests, successes, failures, non_2xx: bad }: RunTruth): number | null | undefined {
  if (tool !== 'ab' || successes !== null || failures !== 0 || typeof requests !== 'number') return successes
  return requests - (bad ?? 0)
}

function compareCodes(
  differences: Differences,
  { statusCodes }: ImportedRun,
  expected: Readonly<Record<string, number>>,
  unanswered: number | undefined,
): void {
  const { '0': none = 0, ...codes } = statusCodes
  differences.equal('statusCodes', codes, expected)
  if (unanswered !== undefined) differences.equal('statusCodes.0', none, unanswered)
}

/** Fields of the canonical run that must stay empty, as the truth names them. */
const emptyFields: Readonly<Record<string, (run: ImportedRun) => boolean>> = {
  startedAt: ({ startedAt }) => startedAt === null,
  url: ({ url }) => url === null,
  command: ({ command }) => command === null,
  toolVersion: ({ toolVersion }) => toolVersion === null,
  errors: ({ errors }) => errors.length === 0,
  requestsPerSecond: ({ requestsPerSecond }) => requestsPerSecond === null,
  durationMs: ({ durationMs }) => durationMs === null,
  bytesIn: ({ bytesIn }) => bytesIn === null,
  statusCodes: ({ statusCodes }) => Object.keys(statusCodes).length === 0,
  quantiles: ({ latencies }) => latencies.every(({ quantiles }) => quantiles.length === 0),
  timeline: ({ timeline }) => timeline === null,
  load: ({ load }) => numbersOf(load).connections === null && numbersOf(load).ratePerSecond === null,
  'load.connections': ({ load }) => numbersOf(load).connections === null,
  'load.ratePerSecond': ({ load }) => numbersOf(load).ratePerSecond === null,
}

function numbersOf(load: ImportedRun['load']) {
  return {
    connections: load.kind === 'closed' ? load.connections : null,
    ratePerSecond: load.kind === 'open' ? load.ratePerSecond : null,
  }
}

function compareUnknown(differences: Differences, run: ImportedRun, unknown: ReadonlySet<string>): void {
  const filled = [...unknown].filter((field) => emptyFields[field]?.(run) === false)
  differences.equal('fields that nothing tells', filled, [])
}

function compareLoad(differences: Differences, { load, form, measures }: ImportedRun, truth: RunTruth['load']): void {
  if (!truth) return
  const isLoop = truth.kind === 'open' || truth.kind === 'closed'
  if (isLoop) differences.equal('load.kind', load.kind, truth.kind)
  // For h2load, the truth has the clients of the first thread.
  const threads = (form === 'h2load-text' && measures.find(({ name }) => name === 'threads')?.value) || 1
  const connections = typeof truth.connections === 'number' ? truth.connections * threads : truth.connections
  if (load.kind === 'closed' && connections !== undefined)
    differences.equal('load.connections', load.connections, connections)
  if (load.kind === 'open') differences.equal('load.ratePerSecond', load.ratePerSecond, truth.rate_per_s ?? null)
}

function compareLatency(differences: Differences, run: ImportedRun, truth: z.infer<typeof latencyTruth>): void {
  const { of } = truth
  const latency = run.latencies.find((one) => kinds[of]?.includes(one.of))
  if (latency === undefined) {
    const isEmpty = Object.keys(truth.quantiles_ms).length === 0 && (truth.mean_ms ?? null) === null
    return isEmpty ? undefined : differences.equal(of, 'missing', 'there')
  }
  if (truth.count !== undefined) differences.equal(`${of}.count`, latency.count, truth.count)
  // For a recorded histogram, the truth has the values, and a reader has slots with that many digits.
  const digits = run.measures.find(({ name }) => name === 'significant-digits')?.value
  const slot = truth.origin === 'histogram' && digits !== undefined ? 2 * 10 ** -digits : null
  for (const [field, expected] of [
    ['minMs', truth.min_ms],
    ['meanMs', truth.mean_ms],
    ['stdDevMs', truth.stddev_ms],
    ['maxMs', truth.max_ms],
  ] as const)
    if (expected === undefined || (expected === null && isToldTwice(run))) continue
    else if (slot === null) differences.printed(`${of}.${field}`, latency[field], expected)
    else differences.rounded(`${of}.${field}`, latency[field], expected, (expected ?? 0) * slot)
  compareQuantiles(differences, latency, truth, { slot, isToldTwice: isToldTwice(run) })
  if (truth.buckets) compareBuckets(differences, latency, truth)
}

/** For a report with a script's JSON, the truth describes that JSON only. */
const isToldTwice = ({ form }: ImportedRun): boolean => form === 'wrk-text'

/** From samples, only those that the count reaches; from printed ones all, and no others. */
function compareQuantiles(
  differences: Differences,
  latency: Latency,
  truth: z.infer<typeof latencyTruth>,
  { slot, isToldTwice }: { readonly slot: number | null; readonly isToldTwice: boolean },
): void {
  const { of } = truth
  const expected = Object.entries(truth.quantiles_ms).map(([percent, ms]) => ({
    percent,
    q: Number(`${percent}e-2`),
    ms,
  }))
  const found = (q: number) => latency.quantiles.find((one) => Math.abs(one.q - q) < 1e-9)?.ms
  const isOfSamples = truth.origin === 'samples' || latency.origin === 'samples' || slot !== null
  for (const { percent, q, ms } of expected) {
    const own = found(q)
    const isReached = !isOfSamples || q === 0.5 || (latency.count ?? 0) * (1 - q) >= 1 - 1e-9
    differences.equal(`${of}.p${percent} is there`, own !== undefined, isReached)
    if (own === undefined) continue
    const [below, above] = truth.neighbours_ms?.[percent] ?? [null, null]
    if (latency.method === 'hdr' && isOfSamples) differences.rounded(`${of}.p${percent}`, own, ms, ms * (slot ?? 0.002))
    else if (latency.method === 'interpolated' && below !== null && above !== null)
      differences.equal(`${of}.p${percent} is between its neighbours`, own >= below && own <= above, true)
    else differences.printed(`${of}.p${percent}`, own, ms)
  }
  if (isOfSamples || isToldTwice) return
  const extra = latency.quantiles.filter(({ q }) => !expected.some((one) => Math.abs(one.q - q) < 1e-9))
  differences.equal(`${of}: other quantiles`, extra, [])
}

function compareBuckets(differences: Differences, latency: Latency, truth: z.infer<typeof latencyTruth>): void {
  const { of, buckets, bucket_counts_add_up: addUp } = truth
  const own = latency.histogram
  if (addUp === false) return differences.equal(`${of}.histogram`, own, null)
  if (own?.kind !== 'buckets') return differences.equal(`${of}.histogram`, own?.kind ?? null, 'buckets')
  differences.equal(
    `${of}.bucket counts`,
    own.buckets.map(({ count }) => count).filter((count) => count > 0),
    (buckets ?? []).map(({ count }) => count).filter((count) => count > 0),
  )
  if (own.buckets.length !== buckets?.length) return
  for (const [at, { upper_ms: upper, upper_ms_printed: printed }] of buckets.entries()) {
    const { upperMs = null } = own.buckets[at] ?? {}
    if (typeof upper === 'number') differences.printed(`${of}.bucket ${at}`, upperMs, upper)
    // Marks are printed with three decimals of a unit: at most seconds.
    if (typeof printed === 'number') differences.rounded(`${of}.bucket ${at}`, upperMs, printed, 1.01)
  }
}

function compareTargets(
  differences: Differences,
  { targets }: ImportedRun,
  truth: readonly z.infer<typeof targetTruth>[],
): void {
  if (targets === null || truth.length > 50) return
  const named = new Map(targets.map((target) => [`${target.method ?? ''} ${target.url}`, target]))
  differences.equal('targets', named.size, truth.length)
  for (const { method, label, count, errors, mean_ms: meanMs } of truth) {
    const own = named.get(`${method ?? ''} ${label}`) ?? named.get(` ${label}`)
    differences.equal(`targets.${label}.count`, own?.count, count)
    if (typeof errors === 'number') differences.equal(`targets.${label}.errors`, own?.errors, errors)
    if (typeof meanMs === 'number') differences.printed(`targets.${label}.mean`, own?.meanMs, meanMs)
  }
}

function sumErrors(errors: readonly { message: string; count: number | null }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { message, count } of errors) {
    const kind = normaliseError(message)
    sums[kind] = (sums[kind] ?? 0) + (count ?? 0)
  }
  return sums
}
