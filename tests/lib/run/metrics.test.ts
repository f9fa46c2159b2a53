import { describe, expect, it } from 'vitest'
import {
  alertingMetrics,
  comparedByDefault,
  defaultMetric,
  figuresOf,
  minEffectOf,
  metricGroups,
  metrics,
  metricsOf,
  sortedMetrics,
  type MetricSet,
} from '@/lib/run/metrics'
import { sampleLatency, sampleRun } from '../../queries/samples'

/** The sets as people see them: written out, so that a change of the table is a change that somebody wanted. */
const sets: Readonly<Record<MetricSet, readonly string[]>> = {
  comparison: ['requests-per-second', 'mean', 'p50', 'p99', 'max', 'success-ratio'],
  'lambda-comparison': ['billed', 'init', 'max-memory'],
  headline: ['p99', 'requests-per-second', 'mean', 'p50', 'max', 'success-ratio', 'billed', 'init'],
  matrix: ['requests-per-second', 'p99', 'mean', 'billed', 'max-memory', 'max', 'p50'],
  lead: ['requests-per-second', 'p50', 'p99', 'max', 'error-count'],
  'lambda-lead': ['mean', 'billed', 'init', 'max-memory'],
  previous: ['p99', 'p50', 'mean', 'requests-per-second', 'max'],
  preview: [
    ...['requests-per-second', 'p50', 'p99', 'max', 'error-ratio'],
    ...['mean', 'billed', 'init', 'max-memory', 'min'],
  ],
  trends: ['requests-per-second', 'mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'error-ratio'],
}

const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id)

describe('the table of figures', () => {
  it('names each once', () => {
    for (const names of [idsOf(metrics), metrics.map(({ key }) => key), sortedMetrics.map(({ sortKey }) => sortKey)]) {
      expect(new Set(names).size).toBe(names.length)
    }
    for (const { id } of metrics) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  })

  it.each(Object.entries(sets))('has the set %s', (set, ids) => {
    const known = metrics.flatMap((metric) => Object.keys(metric.in)).find((one) => one === set)
    expect(known).toBe(set)
    expect(idsOf(metricsOf(set as MetricSet))).toEqual(ids)
  })

  it('has the columns of lists', () => {
    const columns = sortedMetrics.map(({ sortKey, id, isRare }) => `${sortKey} ${id}${isRare ? ', rare' : ''}`)
    expect(columns).toEqual([
      ...['rps requests-per-second', 'p50 p50', 'p99 p99', 'p999 p999, rare', 'max max', 'errors error-ratio'],
    ])
  })

  it('raises alerts for what changes seldom by itself', () => {
    expect(Object.fromEntries(alertingMetrics.map(({ metricId, minEffect }) => [metricId, minEffect]))).toEqual({
      ...{ 'requests-per-second': 0.05, mean: 0.05, p50: 0.05, p95: 0.05, p99: 0.1 },
      'error-ratio': 1,
    })
    expect(minEffectOf('p75')).toBe(0.1)
    expect(minEffectOf('nonsense')).toBe(0.1)
  })

  it('adds counts and bytes only', () => {
    const added = metrics.filter(({ additive }) => additive)
    expect(idsOf(added)).toEqual(['error-count', 'requests', 'bytes-in', 'bytes-out'])
  })

  it('has every metric in a group, the latencies in theirs', () => {
    for (const { group } of metrics) expect(metricGroups).toContain(group)
    const latencies = idsOf(metrics.filter(({ group }) => group === 'Latency'))
    expect(latencies).toEqual(['mean', 'std-dev', 'min', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'])
  })

  it('compares what an invocation costs where a run is of Lambda', () => {
    expect(comparedByDefault([{ tool: 'hey' }])).toEqual(sets.comparison)
    const both = comparedByDefault([{ tool: 'hey' }, { tool: 'lambda' }])
    expect(both).toEqual([...sets.comparison, ...sets['lambda-comparison']])
    expect(defaultMetric.id).toBe('p99')
  })

  it('reads a figure from the run, and knows where its text is', () => {
    const quantiles = [
      { q: 0.5, ms: 5 },
      { q: 0.999, ms: 99.9 },
    ]
    const success = sampleLatency({ of: 'success', quantiles: [] })
    const run = sampleRun({
      requests: 200,
      successes: 150,
      latencies: [success, sampleLatency({ of: 'all', minMs: 1, maxMs: 100, quantiles })],
    })
    expect(figuresOf(run)).toMatchObject({
      ...{ requests: 200, minMs: 1, p50Ms: 5, p75Ms: null, p999Ms: 99.9, maxMs: 100 },
      ...{ successRatio: 0.75, errorCount: 50, errorRatio: 0.25, billedMs: null },
    })
    const keys = Object.fromEntries(metrics.map((metric) => [metric.id, metric.printedKey(run)]))
    expect(keys).toMatchObject({
      ...{ 'requests-per-second': 'requestsPerSecond', 'success-ratio': 'successRatio', 'bytes-in': 'bytesIn' },
      ...{ p50: 'latencies.1.p50', p999: 'latencies.1.p99.9', mean: 'latencies.1.meanMs', max: 'latencies.1.maxMs' },
      ...{ billed: 'lambda.billedMs', 'max-memory': 'lambda.maxMemoryUsedMb', 'error-ratio': null },
    })
    expect(metrics.find(({ id }) => id === 'p99')?.printedKey(sampleRun())).toBeNull()
  })
})
