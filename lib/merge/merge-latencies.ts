import { errorCountOf, leadingLatency, successCount } from '../run/figures'
import type { ImportedRun, Latency, LatencyHistogram } from '../run/run'
import { addPrinted, addRecorded, encodeSum, quantilesOfSum, quantilesWithin } from './merge-histograms'

/** A run to be merged, with the name that people know it by. */
export interface MergePart {
  readonly name: string
  readonly run: ImportedRun
}

/** Why runs cannot be merged: sentences with a full stop. */
export interface MergeRefusal {
  readonly kind: 'refused'
  readonly reason: string
  readonly hint: string
}

/** The combined distributions of all parts, or why there are none. `isExact`: no value was moved to another slot. */
export type MergedLatencies =
  | {
      readonly kind: 'merged'
      readonly latencies: readonly Latency[]
      readonly isExact: boolean
      readonly lost: readonly string[]
    }
  | MergeRefusal

/** Percentiles read from the sum of the histograms. */
const qs = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999] as const
const isReached = (q: number, count: number) => q === 0.5 || count * (1 - q) >= 1 - 1e-9

const rawHint =
  'Percentiles of several runs cannot be averaged: merge runs of raw results (vegeta encode, hey -o csv, k6 --out json …) or of recorded histograms.'

/** Adds the distributions of the parts: the leading ones, which all must have, and those of kinds that all provide. */
export async function mergeLatencies(parts: readonly MergePart[]): Promise<MergedLatencies> {
  const leading = parts.map(({ run }) => leadingLatency(run))
  const answered = parts.filter(({ run }, at) => !isSilent(run, leading[at] ?? null))
  const of = leading.find((latency) => latency !== null)?.of ?? null
  if (of === null) return { kind: 'merged', latencies: [], isExact: true, lost: [] }
  for (const { name, run } of answered) {
    const latency = leadingLatency(run)
    if (latency === null) return refuse(`${name} has no latencies.`, rawHint)
    if (latency.of !== of)
      return refuse(
        `${name} has latencies of ${kindWords[latency.of]} requests, the others of ${kindWords[of]} ones.`,
        'Merge runs whose output was made by the same options.',
      )
    if (latency.histogram === null)
      return refuse(`${name} has percentiles only: there is no histogram that could be added.`, rawHint)
  }
  const main = await addUp(
    of,
    answered.map(({ run }) => latencyOf(run, of)),
  )
  if (main === null) {
    const names = answered.map(({ name }) => name).join(', ')
    return refuse(`The histograms of ${names} have no bounds in common, so their counts cannot be added.`, rawHint)
  }
  const latencies = [main.latency]
  const lost: string[] =
    main.latency.quantiles.length > 0 || !answered.some(({ run }) => leadingLatency(run)?.quantiles.length)
      ? []
      : ['percentiles']
  let { isExact } = main
  for (const kind of otherKinds(parts, of)) {
    const sides = parts.map(({ run }) => latencyOf(run, kind))
    // None of them has this kind.
    if (sides.every((side) => side === 'none')) continue
    const sum = await addUp(kind, sides)
    if (sum === null) {
      if (parts.some(({ run }) => run.latencies.some((latency) => latency.of === kind)))
        lost.push(`latencies of ${kindWords[kind]} requests`)
    } else {
      latencies.push(sum.latency)
      isExact &&= sum.isExact
    }
  }
  // All of one kind, so they are the leading ones.
  const told =
    latencies.some(({ of: kind }) => kind === 'success') && latencies.some(({ of: kind }) => kind === 'failure')
  return {
    kind: 'merged',
    latencies: told ? latencies : latencies.filter(({ of: kind }) => kind !== 'success' && kind !== 'failure'),
    isExact,
    lost,
  }
}

const refuse = (reason: string, hint: string): MergeRefusal => ({ kind: 'refused', reason, hint })

const kindWords = {
  all: 'all',
  success: 'successful',
  failure: 'failed',
  recorded: 'recorded',
  uncorrected: 'uncorrected',
} as const satisfies Readonly<Record<Latency['of'], string>>

/** No answers, from a tool that measures answers: contributes requests and errors, but no latency. */
const isSilent = (run: ImportedRun, leading: Latency | null): boolean =>
  leading === null && (run.requests === 0 || successCount(run) === 0)

/** Kinds that any run has; both successes and failures if runs with only one of these are merged. */
function otherKinds(parts: readonly MergePart[], leading: Latency['of']): readonly Latency['of'][] {
  const found = new Set(parts.flatMap(({ run }) => run.latencies.map((latency) => latency.of)))
  if (leading === 'all' && parts.some(({ run }) => errorCountOf(run) !== 0)) found.add('success').add('failure')
  return (['success', 'failure', 'uncorrected'] as const).filter((kind) => kind !== leading && found.has(kind))
}

/** A run's distribution of a kind. `none`: it had no such request. `unknown`: it had, or may have had. */
type Side = Latency | 'none' | 'unknown'

function latencyOf(run: ImportedRun, of: Latency['of']): Side {
  const own = run.latencies.find((latency) => latency.of === of)
  if (own) return own
  if (isSilent(run, leadingLatency(run))) return of === 'failure' && run.requests !== 0 ? 'unknown' : 'none'
  const all = run.latencies.find((latency) => latency.of === 'all')
  if (all === undefined || (of !== 'success' && of !== 'failure')) return 'unknown'
  // A distribution of every request, all of which succeeded, or all of which failed.
  if (all.count === null || all.count !== run.requests) return 'unknown'
  const failed = errorCountOf(run)
  if (failed === 0) return of === 'success' ? all : 'none'
  return failed === run.requests ? (of === 'failure' ? all : 'none') : 'unknown'
}

/** The sum of several distributions; null: one is unknown, or has no histogram to add. */
async function addUp(
  of: Latency['of'],
  sides: readonly Side[],
): Promise<{ readonly latency: Latency; readonly isExact: boolean } | null> {
  const found = sides.filter((side) => side !== 'none')
  const known = found.filter((side) => side !== 'unknown')
  if (known.length === 0 || known.length < found.length) return null
  const maxMs = extreme(
    known.map((one) => one.maxMs),
    Math.max,
  )
  const figures = { of, ...momentsOf(known), maxMs, withinOneStdDevRatio: null } as const
  const histograms = known.map((one) => one.histogram)
  const recorded = histograms.filter((one) => one?.kind === 'hdr')
  if (recorded.length === known.length) {
    const sum = await addRecorded(recorded)
    const isOfSamples = known.every((one) => one.origin === 'samples')
    const reached = qs.filter((q) => isReached(q, sum.total))
    const latency: Latency = {
      ...figures,
      quantiles: quantilesOfSum(sum, reached, maxMs),
      histogram: await encodeSum(sum, maxMs),
      origin: isOfSamples ? 'samples' : 'buckets',
      method: 'hdr',
    }
    return { latency, isExact: sum.isExact }
  }
  const printed = histograms.filter(
    (one): one is Extract<LatencyHistogram, { kind: 'buckets' }> => one?.kind === 'buckets',
  )
  const histogram = printed.length === known.length ? addPrinted(printed) : null
  if (histogram === null) return null
  // Wide buckets bound a percentile but do not determine it.
  const isWithin = known.every(({ method }) => method === 'within-buckets')
  const reached = qs.filter((q) => isReached(q, figures.count ?? 0))
  const quantiles = isWithin ? quantilesWithin(histogram, reached) : []
  const method = isWithin ? 'within-buckets' : 'buckets'
  return { latency: { ...figures, quantiles, histogram, origin: 'buckets', method }, isExact: true }
}

/** Count, min and mean, and the deviation if all know theirs, by the sum of squares about the common mean. */
function momentsOf(parts: readonly Latency[]): Pick<Latency, 'count' | 'minMs' | 'meanMs' | 'stdDevMs'> {
  const minMs = extreme(
    parts.map((one) => one.minMs),
    Math.min,
  )
  const counted = parts.flatMap(({ count, meanMs, stdDevMs, origin }) =>
    count === null ? [] : [{ count, meanMs, stdDevMs, origin }],
  )
  if (counted.length < parts.length) return { count: null, minMs, meanMs: null, stdDevMs: null }
  const count = counted.reduce((sum, one) => sum + one.count, 0)
  const means = counted.flatMap(({ meanMs, ...one }) => (meanMs === null ? [] : [{ ...one, meanMs }]))
  if (means.length < parts.length || count === 0) return { count, minMs, meanMs: null, stdDevMs: null }
  const meanMs = sumOf(means.map((one) => one.meanMs * one.count)) / count
  // The deviation of samples is the sample's (n − 1); that of a histogram recorded by a tool is the population's.
  const isSample = means.every(({ origin }) => origin === 'samples')
  const freedom = (n: number) => (isSample ? n - 1 : n)
  const squares = means.map((one) => {
    if (one.stdDevMs === null && one.count > 1) return null
    const own = one.stdDevMs === null ? 0 : one.stdDevMs ** 2 * freedom(one.count)
    return own + one.count * (one.meanMs - meanMs) ** 2
  })
  const known = squares.filter((one) => one !== null)
  const isKnown = known.length === squares.length && freedom(count) > 0
  return { count, minMs, meanMs, stdDevMs: isKnown ? Math.sqrt(sumOf(known) / freedom(count)) : null }
}

/** Adds from the smallest on, so that the order of the parts does not change the last digit. */
export const sumOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b).reduce((a, b) => a + b, 0)

function extreme(values: readonly (number | null)[], of: (...values: number[]) => number): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === values.length && known.length > 0 ? of(...known) : null
}
