import { errorCountOf, errorRatioOf, failureKinds, leadingLatency, quantileMs, successCount } from '../run/figures'
import { isAtTimeout, tools } from '../run/tools'
import { formatCount, formatMs, formatNumber as show, formatPercent, plural } from '../format'
import { splitModes } from '../stats/modes'
import { minAbove, quantileName } from '../stats/quantile'
import type { ImportedRun, Latency } from '../run/run'

/**
 * Something that a careful reader would notice in a run. inconsistent: the figures contradict each other or their
 * command. caution: they are correct, but not what they seem. explain: expected of this tool. note: by design.
 */
export interface Finding {
  readonly id: string
  readonly severity: 'inconsistent' | 'caution' | 'explain' | 'note'
  /** The figures it rests on, by name with unit. */
  readonly numbers: Readonly<Record<string, number>>
  /** One sentence, without a full stop. */
  readonly sentence: string
  /** The explanation page's name; null: the sentence is sufficient. */
  readonly learn:
    'littles-law' | 'coordinated-omission' | 'percentile-plot' | 'one-run' | 'open-and-closed-loop' | 'warm-up' | null
}

const severities = ['inconsistent', 'caution', 'explain', 'note'] as const
/** By how much rounding may move a printed figure before it contradicts another. */
const tolerance = 1.02
/** By how much rounding may move printed times. */
const rounding = 1.01

/** All findings of a run, most severe first. Pure: the same run gives the same list. */
export function findingsOf(run: ImportedRun): readonly Finding[] {
  const found = rules.flatMap((rule) => rule(run) ?? [])
  return severities.flatMap((severity) => found.filter((finding) => finding.severity === severity))
}

type Rule = (run: ImportedRun) => Finding | null

function addsValues(run: ImportedRun): boolean {
  const { treatment } = tools[run.tool].coordinatedOmission
  return treatment === 'values-added' || (treatment === 'by-options' && leadingLatency(run)?.of === 'recorded')
}

/** Mean requests in flight = rate × mean latency (Little 1961): this cannot exceed the connections that carry them. */
const littlesLaw: Rule = (run) => {
  const meanMs = leadingLatency(run)?.meanMs
  if (run.load.kind !== 'closed' || !run.load.connections || !run.requestsPerSecond || !meanMs) return null
  if (tools[run.tool].inFlight === 'many-a-connection') return null
  const pipelining = run.measures.find(({ name }) => name === 'pipelining')?.value ?? 1
  const connections = run.load.connections * pipelining
  const underWay = (run.requestsPerSecond * meanMs) / 1000
  if (underWay <= connections * tolerance) return null
  const largestMeanMs = (connections / run.requestsPerSecond) * 1000
  const numbers = { requestsPerSecond: run.requestsPerSecond, meanMs, connections, underWay, largestMeanMs }
  const law = `${show(run.requestsPerSecond)} requests/s × ${show(meanMs)} ms mean are ${show(underWay)} requests in flight on ${show(connections)} connections`
  if (addsValues(run)) {
    const sentence = `${law}: ${tools[run.tool].name} added values for coordinated omission, so its mean and percentiles read high; a measured mean is at most ${show(largestMeanMs)} ms`
    return { id: 'littles-law', severity: 'explain', numbers, sentence, learn: 'littles-law' }
  }
  return {
    id: 'littles-law',
    severity: 'inconsistent',
    numbers,
    sentence: `${law}: these figures cannot all be right`,
    learn: 'littles-law',
  }
}

const outOfOrder: Rule = (run) => {
  for (const latency of run.latencies) {
    const rising = [...latency.quantiles].sort((a, b) => a.q - b.q)
    // A percentile table beside printed percentiles: these are rounded, its rows are not.
    const off = latency.method === 'hdr' && latency.origin === 'summary' ? rounding : 1
    const at = rising.findIndex((quantile, index) => index > 0 && quantile.ms * off < (rising[index - 1]?.ms ?? 0))
    const lower = rising[at - 1]
    const upper = rising[at]
    if (at < 1 || !lower || !upper) continue
    const sentence = `${quantileName(lower.q)} (${show(lower.ms)} ms) is above ${quantileName(upper.q)} (${show(upper.ms)} ms)`
    return {
      id: 'percentiles-out-of-order',
      severity: 'inconsistent',
      numbers: { lowerMs: lower.ms, upperMs: upper.ms },
      sentence,
      learn: null,
    }
  }
  return null
}

const codesDoNotSum: Rule = (run) => {
  const counts = Object.values(run.statusCodes)
  if (counts.length === 0 || run.requests === null) return null
  const answered = counts.reduce((sum, count) => sum + count, 0)
  const isCoded = tools[run.tool].failures.errorsAre === 'among-codes'
  const failed = isCoded ? 0 : run.errors.reduce((sum, error) => sum + (error.count ?? 0), 0)
  if (
    answered + failed === run.requests ||
    run.warnings.some(({ code }) => code === 'sample-cap' || code === 'samples-without-code')
  )
    return null
  const numbers = { requests: run.requests, answered, failed }
  const sentence = `${answered} status codes${failed > 0 ? ` and ${failed} errors` : ''} do not add up to ${run.requests} requests`
  return { id: 'codes-do-not-sum', severity: 'inconsistent', numbers, sentence, learn: null }
}

/** Two decimals of a percent are printed. */
const largestShareError = 0.000_051

/** The printed share of successes must match the codes below it. */
const successAgainstCodes: Rule = (run) => {
  const { failures } = tools[run.tool]
  const counts = Object.values(run.statusCodes)
  if (failures.errorsAre !== 'among-codes' || failures.badStatus !== 'fails' || counts.length === 0) return null
  const { successRatio, successes, requests } = run
  if (successRatio === null || successes === null || !requests) return null
  const ofCodes = successes / requests
  if (Math.abs(successRatio - ofCodes) <= largestShareError) return null
  return inconsistent(
    'success-contradicts-codes',
    { successRatio, successes, requests },
    `${formatPercent(successRatio)} succeeded as printed, but the status codes say ${show(successes)} of ${show(requests)}`,
  )
}

const rateContradicts: Rule = (run) => {
  if (run.load.kind !== 'open' || !run.load.ratePerSecond || !run.requestsPerSecond) return null
  const target = run.load.ratePerSecond
  const off = run.requestsPerSecond / target
  if (off > 0.95 && off < 1.05) return null
  const numbers = { targetPerSecond: target, requestsPerSecond: run.requestsPerSecond }
  const sentence = `${show(run.requestsPerSecond)} requests/s were sent, not ${show(target)} as the command says`
  return {
    id: 'command-contradicts-output',
    severity: 'inconsistent',
    numbers,
    sentence,
    learn: 'open-and-closed-loop',
  }
}

const clipped: Rule = (run) => {
  const { timeoutMs } = tools[run.tool]
  const latency = leadingLatency(run)
  if (!timeoutMs || latency?.maxMs == null) return null
  const near = (value: number | null) => value !== null && isAtTimeout(run.tool, value)
  const p99Ms = quantileMs(latency, 0.99)
  if (!near(latency.maxMs) && !near(p99Ms)) return null
  const what = near(p99Ms) ? 'p99 and max are' : 'max is'
  const sentence = `${what} at ${tools[run.tool].name}'s ${timeoutMs / 1000} s timeout: without it these requests would have taken longer, so the tail is cut off there`
  return {
    id: 'clipped-at-timeout',
    severity: 'caution',
    numbers: { timeoutMs, maxMs: latency.maxMs },
    sentence,
    learn: null,
  }
}

const sampleCap: Rule = (run) => {
  const { limit } = tools[run.tool].sampleCap
  if (limit === null || run.form !== limit.form || (leadingLatency(run)?.count ?? 0) < limit.count) return null
  const { count, sentence } = limit
  return { id: 'sample-cap', severity: 'caution', numbers: { sampleCap: count }, sentence, learn: null }
}

const beyondCount: Rule = (run) => {
  const latency = leadingLatency(run)
  const count = latency?.count ?? null
  if (!latency || count === null || count <= 1) return null
  const beyond = latency.quantiles.filter(({ q }) => q < 1 && (1 - q) * count < minAbove - 1e-9)
  const first = beyond[0]
  if (!first) return null
  const above = Math.floor((1 - first.q) * count + 1e-9)
  const [lowest = '', ...higher] = beyond.map(({ q }) => quantileName(q))
  // A percentile table has dozens.
  const names = higher.length > 4 ? `${lowest} and ${higher.length} higher percentiles` : listed([lowest, ...higher])
  const few = above === 0 ? 'none' : above === 1 ? 'only one' : `only ${above}`
  const where = beyond.length > 1 ? lowest : 'it'
  const sentence = `few samples beyond ${names}: ${few} of ${plural(count, 'value')} ${above > 1 ? 'lie' : 'lies'} above ${where}, too few to rely on`
  return {
    id: 'percentile-beyond-count',
    severity: 'caution',
    numbers: { count, q: first.q, above },
    sentence,
    learn: 'percentile-plot',
  }
}

/** `p99`, `p99 and p99.9`, `p99, p99.9 and p99.99`. */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

const singleSample: Rule = (run) => {
  if (run.requests !== 1 && leadingLatency(run)?.count !== 1) return null
  const sentence = 'one measurement (n = 1): no information about spread or tail'
  return { id: 'one-sample', severity: 'caution', numbers: { n: 1 }, sentence, learn: 'one-run' }
}

const allFailed: Rule = (run) => {
  const successes = successCount(run)
  if (successes !== 0 || !run.requests) return null
  const codes = Object.keys(run.statusCodes).join(', ')
  const sentence = `no request succeeded${codes ? ` (status ${codes})` : ''}: throughput is 0 and the latencies are those of failures, which may be intended`
  return {
    id: 'all-failed',
    severity: 'note',
    numbers: { requests: run.requests, successes: 0 },
    sentence,
    learn: null,
  }
}

/** A smaller share of failures is no caution: it changes no figure. */
const rareRatio = 1e-5

/** Some requests failed: leads all findings except figures that contradict each other. */
const someFailed: Rule = (run) => {
  const [failed, failedRatio] = [errorCountOf(run), errorRatioOf(run)]
  if (!failed || failedRatio === null || failedRatio >= 1) return null
  const attempts = Math.round(failed / failedRatio)
  const kinds = failureKinds(run)
  const others = kinds.slice(4).reduce((sum, { count }) => sum + count, 0)
  const shown = kinds.slice(0, 4).map(({ words, count }) => `${formatCount(count)} ${words}`)
  const what = tools[run.tool].counts === 'invocation' ? 'invocations' : 'requests'
  const served =
    run.throughputPerSecond !== null &&
    run.requestsPerSecond !== null &&
    run.throughputPerSecond < 0.99 * run.requestsPerSecond
      ? `; ${show(run.throughputPerSecond)}/s were served of ${show(run.requestsPerSecond)}/s`
      : ''
  if (others > 0) shown.push(`${formatCount(others)} otherwise`)
  const list = shown.length === 0 ? '' : `: ${shown.join(', ')}`
  const sentence = `${formatPercent(failedRatio)} of ${formatCount(attempts)} ${what} failed${list}${served}`
  const severity = failedRatio < rareRatio ? ('note' as const) : ('caution' as const)
  return { id: 'some-failed', severity, numbers: { failed, attempts, failedRatio }, sentence, learn: null }
}

/** From this share of the configured memory on, an invocation is about to be killed for it. */
const nearLimitRatio = 0.99

/**
 * Memory at its limit: an invocation that needs more is killed, and one close to it spends its time collecting garbage.
 */
const memoryAtLimit: Rule = ({ lambda }) => {
  const usedMb = lambda?.maxMemoryUsedMb?.max ?? null
  const sizes = Object.keys(lambda?.memorySizeMb ?? {}).map(Number)
  const sizeMb = sizes.length === 0 ? null : Math.min(...sizes)
  if (usedMb === null || sizeMb === null || usedMb < nearLimitRatio * sizeMb) return null
  const outOfMemory = Object.entries(lambda?.errorTypes ?? {}).reduce(
    (sum, [type, count]) => (/out ?of ?memory/i.test(type) ? sum + count : sum),
    0,
  )
  const ended = outOfMemory === 0 ? '' : `; ${plural(outOfMemory, 'invocation')} ran out of memory`
  const sentence = `${show(usedMb)} MB of ${show(sizeMb)} MB memory used: at its limit${ended}`
  const numbers = { usedMb, sizeMb, outOfMemory }
  return { id: 'memory-at-limit', severity: 'caution', numbers, sentence, learn: null }
}

/** Latency still moves when the run ends (lib/judge/warm-up.ts). */
const neverSteady: Rule = ({ timeline }) => {
  if (timeline?.warmUp?.isSteady !== false) return null
  const sentence =
    'never steady: latency still changes at the end of the run, so its figures describe a transition; a longer run shows where it settles'
  const numbers = { bins: timeline.requests.length, binMs: timeline.binMs }
  return { id: 'never-steady', severity: 'caution', numbers, sentence, learn: 'warm-up' }
}

const noBodies: Rule = (run) => {
  if (run.bytesIn !== 0 || !/-max-body[= ]0\b/.test(run.command ?? '')) return null
  const sentence = 'bytes in are 0 because -max-body=0 drops bodies; this is not what was transferred'
  return { id: 'bodies-dropped', severity: 'explain', numbers: { bytesIn: 0 }, sentence, learn: null }
}

const corrected: Rule = (run) => {
  if (!addsValues(run)) return null
  const sentence = `${tools[run.tool].name} adds values for coordinated omission to its latencies: mean and percentiles cover more than real responses`
  return { id: 'wrk-corrected', severity: 'explain', numbers: {}, sentence, learn: 'coordinated-omission' }
}

const percent = (ratio: number): string => `${Number((ratio * 100).toPrecision(2))} %`

const twoModes: Rule = (run) => {
  const latency = leadingLatency(run)
  const histogram: Latency['histogram'] = latency?.histogram ?? null
  // Rows of a percentile table are equal shares, not equal widths: their counts show no humps.
  if (histogram?.kind !== 'buckets' || latency?.method === 'hdr') return null
  const modes = splitModes(histogram.buckets)
  if (!modes) return null
  const { fastCount, slowCount, fastUpToMs, slowFromMs, slowRatio } = modes
  const likely = slowRatio <= 0.2 && slowFromMs >= 3 * fastUpToMs ? ', likely cold starts or connection set-up' : ''
  const fast = `${formatCount(fastCount)} fast (up to ${formatMs(fastUpToMs)})`
  const slow = `${formatCount(slowCount)} slow (from ${formatMs(slowFromMs)}, ${percent(slowRatio)})`
  const sentence = `two groups: ${fast} and ${slow}${likely}`
  return {
    id: 'two-modes',
    severity: 'caution',
    numbers: { fastCount, slowCount, fastUpToMs, slowFromMs, slowRatio },
    sentence,
    learn: null,
  }
}

const inconsistent = (id: string, numbers: Finding['numbers'], sentence: string): Finding => ({
  id,
  severity: 'inconsistent',
  numbers,
  sentence,
  learn: null,
})

/** Fewer requests take so little time that its rounding explains any rate. */
const minRequests = 20
const largestRateError = 0.05
/** Half of the last place of the coarsest time printed with a rate (hey: 0.1 ms). */
const timeRoundingMs = 0.05

/** Requests and their time give a rate; if a different one is printed beside them, one of the three is wrong. */
const rateAgainstCount: Rule = (run) => {
  const { requests, requestsPerSecond } = run
  const timeMs = run[tools[run.tool].rateIsOver]
  if (requests === null || requests < minRequests || requestsPerSecond === null || !timeMs) return null
  const perSecond = (requests / timeMs) * 1_000
  if (Math.abs(requestsPerSecond / perSecond - 1) <= largestRateError + timeRoundingMs / timeMs) return null
  return inconsistent(
    'rate-contradicts-count',
    { requests, timeMs, requestsPerSecond, perSecond },
    `${show(requests)} requests in ${show(timeMs)} ms are ${show(perSecond)} requests/s, not ${show(requestsPerSecond)} as printed`,
  )
}

/** A printed histogram holds every response once. */
const histogramAgainstCount: Rule = (run) => {
  for (const { histogram, count } of run.latencies) {
    if (histogram?.kind !== 'buckets' || count === null) continue
    const counted = histogram.buckets.reduce((sum, bucket) => sum + bucket.count, 0)
    if (counted === count || run.warnings.some((warning) => warning.code === 'sample-cap')) continue
    const sentence = `the histogram holds ${show(counted)} responses, but ${show(count)} were counted`
    return inconsistent('histogram-does-not-sum', { counted, count }, sentence)
  }
  return null
}

/** Mean and percentiles must be between min and max, except where they are not from real answers alone. */
const figuresWithinRange: Rule = (run) => {
  const { treatment } = tools[run.tool].coordinatedOmission
  if (treatment === 'values-added' || treatment === 'from-due-time') return null
  const leading = leadingLatency(run)
  // The distribution of all requests first; successes and failures may contradict themselves as well.
  const ordered = [leading, ...run.latencies.filter((latency) => latency !== leading)]
  return ordered.reduce<Finding | null>((found, latency) => found ?? (latency && rangeOf(latency)), null)
}

function rangeOf(latency: Latency): Finding | null {
  const { minMs, maxMs, meanMs, quantiles } = latency
  if (minMs !== null && maxMs !== null && minMs > maxMs * rounding) {
    const sentence = `min (${show(minMs)} ms) is above max (${show(maxMs)} ms)`
    return inconsistent('figure-out-of-range', { minMs, maxMs }, sentence)
  }
  const known = [
    ...(meanMs === null ? [] : [{ name: 'mean', ms: meanMs }]),
    ...quantiles.map(({ q, ms }) => ({ name: quantileName(q), ms })),
  ]
  const beyond = known.find(
    ({ ms }) => (maxMs !== null && ms > maxMs * rounding) || (minMs !== null && ms * rounding < minMs),
  )
  if (beyond === undefined) return null
  const range = `${minMs === null ? '' : `from ${show(minMs)} `}${maxMs === null ? 'on' : `to ${show(maxMs)}`} ms`
  return inconsistent(
    'figure-out-of-range',
    { ms: beyond.ms, ...(minMs === null ? {} : { minMs }), ...(maxMs === null ? {} : { maxMs }) },
    `${beyond.name} (${show(beyond.ms)} ms) is not within the range ${range}`,
  )
}

const rules: readonly Rule[] = [
  littlesLaw,
  outOfOrder,
  codesDoNotSum,
  successAgainstCodes,
  rateAgainstCount,
  histogramAgainstCount,
  figuresWithinRange,
  rateContradicts,
  someFailed,
  memoryAtLimit,
  neverSteady,
  clipped,
  sampleCap,
  twoModes,
  beyondCount,
  singleSample,
  allFailed,
  noBodies,
  corrected,
]
