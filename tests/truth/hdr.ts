import { z } from 'zod'
import type { ImportedRun, Latency } from '../../lib/run/run'
import { Differences } from './differences'

/** One histogram as recorded by hdr-histogram-js, before it wrote the file. */
export const hdrTruth = z.object({
  count: z.number(),
  recorded_unit: z.enum(['ns', 'us']),
  min_recorded: z.number(),
  max_recorded: z.number(),
  mean_recorded: z.number(),
  stddev_recorded: z.number(),
  /** Keys are percent. */
  percentiles_recorded: z.record(z.string(), z.number()),
  tag: z.string().nullish(),
  intervals: z.array(z.object({ start_s: z.number(), length_s: z.number(), count: z.number() })).optional(),
})

/** wrk2's spectrum, copied from its report. */
export const spectrumTruth = z.object({
  count: z.number(),
  rows: z.number(),
  mean_ms: z.number(),
  stdev_ms: z.number(),
  max_ms: z.number(),
  spectrum_ms: z.array(z.tuple([z.number(), z.number(), z.number(), z.number().nullable()])),
})

/** Where a run differs from the truth about a recorded histogram; empty if it does not. */
export function compareHdrRun(run: ImportedRun, truth: z.infer<typeof hdrTruth>): string[] {
  const differences = new Differences()
  const [latency] = run.latencies
  const unitMs = truth.recorded_unit === 'ns' ? 1e-6 : 1e-3
  differences.equal('tool', run.tool, 'hdr')
  differences.equal('complete', run.complete, true)
  differences.equal('count', latency?.count ?? null, truth.count)
  const isPrinted = run.form === 'hdr-percentiles' || run.form === 'hdr-percentiles-csv'
  // A printed file has a fixed number of decimals; a payload returns the histogram's own values.
  const placeMs = isPrinted ? placeOf(latency) : 1e-9
  for (const [percent, value] of Object.entries(truth.percentiles_recorded)) {
    if (Number(percent) === 100 && !isPrinted) continue
    const found = latency?.quantiles.find(({ q }) => Math.abs(q - Number(percent) / 100) < 1e-9)
    const isReached = isPrinted ? found !== undefined : truth.count * (1 - Number(percent) / 100) >= 1 - 1e-9
    differences.equal(`p${percent} is there`, found !== undefined, isReached)
    differences.rounded(`p${percent}`, found?.ms, value * unitMs, placeMs)
  }
  if (isPrinted)
    for (const percent of ['50', '75', '100'])
      differences.equal(`p${percent}`, latency?.quantiles.some(({ q }) => q * 100 === Number(percent)) ?? false, true)
  if (run.form === 'hdr-percentiles-csv') differences.equal('meanMs', latency?.meanMs, null)
  else {
    differences.rounded('meanMs', latency?.meanMs ?? NaN, truth.mean_recorded * unitMs, placeMs)
    differences.rounded('stdDevMs', latency?.stdDevMs ?? NaN, truth.stddev_recorded * unitMs, placeMs)
  }
  const max = truth.max_recorded * unitMs
  if (run.form === 'hdr-log') differences.rounded('maxMs', latency?.maxMs ?? NaN, max, 1e-3)
  if (run.form === 'hdr-percentiles') differences.rounded('maxMs', latency?.maxMs ?? NaN, max, placeMs)
  // A payload keeps the slot of the smallest and largest value: two digits here.
  if (run.form === 'hdr-v2-base64') differences.rounded('maxMs', latency?.maxMs ?? NaN, max, max / 64)
  if (!isPrinted)
    differences.rounded('minMs', latency?.minMs ?? NaN, truth.min_recorded * unitMs, (truth.min_recorded * unitMs) / 64)
  if (truth.intervals) compareIntervals(differences, run, truth.intervals, truth.tag ?? null)
  compareBuckets(differences, latency, truth.count)
  return differences.list
}

function compareIntervals(
  differences: Differences,
  run: ImportedRun,
  intervals: NonNullable<z.infer<typeof hdrTruth>['intervals']>,
  tag: string | null,
): void {
  const last = intervals.at(-1)
  const measure = (name: string) => run.measures.find((candidate) => candidate.name === name)?.value ?? null
  differences.equal('intervals', measure('intervals'), intervals.length)
  differences.equal('longest', measure('longest-interval'), Math.max(...intervals.map((one) => one.length_s)) * 1e3)
  differences.equal('durationMs', run.durationMs, last ? (last.start_s + last.length_s) * 1e3 : null)
  differences.equal('tag', run.proposal.scenario, tag)
  differences.equal('starts', run.startedAt !== null, true)
}

/** The same for a spectrum: every row as printed, and the counts between the rows. */
export function compareSpectrum(run: ImportedRun, truth: z.infer<typeof spectrumTruth>): string[] {
  const differences = new Differences()
  const [latency] = run.latencies
  differences.equal('complete', run.complete, true)
  differences.equal('count', latency?.count ?? null, truth.count)
  differences.equal('meanMs', latency?.meanMs, truth.mean_ms)
  differences.equal('stdDevMs', latency?.stdDevMs, truth.stdev_ms)
  differences.equal('maxMs', latency?.maxMs, truth.max_ms)
  differences.equal('rows', latency?.quantiles.length, truth.rows)
  differences.equal(
    'spectrum',
    latency?.quantiles.map(({ q, ms }) => [ms, q]),
    truth.spectrum_ms.map(([ms, q]) => [ms, q]),
  )
  const buckets = latency?.histogram?.kind === 'buckets' ? latency.histogram.buckets : []
  for (const [ms, q, count] of truth.spectrum_ms) {
    const below = buckets.filter(({ upperMs }) => upperMs !== null && upperMs <= ms)
    differences.equal(`count up to ${q}`, sum(below), count)
  }
  return differences.list
}

/** Counts of the buckets add up; a recorded histogram has no printed ones. */
function compareBuckets(differences: Differences, latency: Latency | undefined, count: number): void {
  const histogram = latency?.histogram
  if (histogram?.kind === 'buckets') differences.equal('buckets', sum(histogram.buckets), count)
  else differences.equal('histogram', histogram?.kind, 'hdr')
}

function sum(buckets: readonly { readonly count: number }[]): number {
  return buckets.reduce((total, { count }) => total + count, 0)
}

/** One unit in the last printed place, by the most decimals that a value has. */
function placeOf(latency: Latency | undefined): number {
  const places = latency?.quantiles.map(({ ms }) => String(ms).split('.')[1]?.length ?? 0) ?? []
  return 10 ** -Math.max(...places)
}
