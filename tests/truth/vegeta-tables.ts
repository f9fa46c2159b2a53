import { z } from 'zod'
import type { ImportedRun } from '../../lib/run/run'
import { Differences } from './differences'

/** A vegeta histogram as an independent reader found it. */
export const vegetaHistTruth = z.object({
  requests: z.number(),
  buckets: z.array(z.object({ from_ns: z.number(), to_ns: z.number().nullable(), count: z.number() })),
})

/** vegeta's HDR plot. Keys of `percentiles_ms` are percent. */
export const vegetaHdrplotTruth = z.object({
  requests: z.number(),
  rows: z.number(),
  percentiles_ms: z.record(z.string(), z.number()),
  min_ms: z.number(),
  max_ms: z.number(),
  last_count: z.number(),
})

/** Where a run differs from the truth about a histogram; empty if it does not. */
export function compareVegetaHist(run: ImportedRun, truth: z.infer<typeof vegetaHistTruth>): string[] {
  const differences = new Differences()
  const [latency] = run.latencies
  differences.equal('form', run.form, 'vegeta-hist')
  differences.equal('complete', run.complete, true)
  differences.equal('requests', run.requests, truth.requests)
  differences.equal('count', latency?.count ?? null, truth.requests)
  differences.equal(
    'buckets',
    latency?.histogram?.kind === 'buckets'
      ? latency.histogram.buckets.map(({ lowerMs, upperMs, count }) => [lowerMs, upperMs, count])
      : null,
    truth.buckets.map(({ from_ns, to_ns, count }) => [from_ns / 1e6, to_ns === null ? null : to_ns / 1e6, count]),
  )
  differences.equal('quantiles', latency?.quantiles, [])
  return differences.list
}

/** The same for an HDR plot: every row is there with its value as printed. */
export function compareVegetaHdrplot(run: ImportedRun, truth: z.infer<typeof vegetaHdrplotTruth>): string[] {
  const differences = new Differences()
  const [latency] = run.latencies
  differences.equal('form', run.form, 'vegeta-hdrplot')
  differences.equal('complete', run.complete, true)
  differences.equal('requests', run.requests, truth.requests)
  differences.equal('count', latency?.count ?? null, truth.last_count)
  differences.equal('minMs', latency?.minMs, truth.min_ms)
  differences.equal('maxMs', latency?.maxMs, truth.max_ms)
  differences.equal('rows', latency?.quantiles.length, truth.rows)
  differences.equal('histogram', latency?.histogram, null)
  for (const [percent, ms] of Object.entries(truth.percentiles_ms)) {
    const found = latency?.quantiles.find(({ q }) => Math.abs(q - Number(percent) / 100) < 1e-9)
    differences.equal(`p${percent}`, found?.ms ?? null, ms)
  }
  return differences.list
}
