import { describe, expect, it } from 'vitest'
import {
  alertingMetrics,
  attemptsOfFigures,
  comparedByDefault,
  defaultMetric,
  figuresOf,
  findMetric,
  minEffectOf,
  metricGroups,
  metrics,
  metricsOf,
  sortedMetrics,
  type MetricSet,
} from '@/lib/run/metrics'
import { sampleLatency, sampleRun } from '../../queries/samples'

/** The sets as decided: no change of set or position goes unnoticed; a new figure may be among them. */
const decided: Readonly<Record<MetricSet, readonly string[]>> = {
  comparison: ['requests-per-second', 'mean', 'p50', 'p99', 'max', 'success-ratio'],
  'lambda-comparison': ['billed', 'init', 'max-memory'],
  headline: ['p99', 'requests-per-second', 'mean', 'p50', 'max', 'success-ratio', 'billed', 'init'],
  matrix: ['requests-per-second', 'p99', 'mean', 'billed', 'max-memory', 'max', 'p50'],
  lead: ['p99', 'p50', 'requests-per-second', 'max', 'error-count'],
  'lambda-lead': ['mean', 'billed', 'init', 'max-memory'],
  previous: ['p99', 'p50', 'mean', 'requests-per-second', 'max'],
  preview: [
    ...['requests-per-second', 'p50', 'p99', 'max', 'error-ratio'],
    ...['mean', 'billed', 'init', 'max-memory', 'min'],
  ],
  trends: ['requests-per-second', 'mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'error-ratio'],
  list: ['p99', 'p999', 'p50', 'throughput', 'error-ratio', 'max', 'requests'],
  'lambda-list': ['mean', 'billed', 'init', 'max-memory'],
}

const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id)
const setNames = Object.keys(decided) as readonly MetricSet[]
const among = (ids: readonly string[], known: readonly string[]) => ids.filter((id) => known.includes(id))

describe('the denominator of a failure ratio', () => {
  it('matches the ratio, even if the tool counts failures separately from its requests', () => {
    const attempts = (errorCount: number | null, errorRatio: number | null, requests: number | null) =>
      attemptsOfFigures({ errorCount, errorRatio, requests })
    expect(attempts(102, 102 / 2_182, 2_080)).toBe(2_182)
    expect(attempts(0, 0, 2_080)).toBe(2_080)
    expect(attempts(null, 0.1, 2_080)).toBe(2_080)
    expect(attempts(3, 0.1, null)).toBe(30)
    expect(attempts(0, null, null)).toBeNull()
  })
})

describe('the table of figures', () => {
  it('names each once', () => {
    for (const names of [idsOf(metrics), metrics.map(({ key }) => key), sortedMetrics.map(({ sortKey }) => sortKey)]) {
      expect(new Set(names).size).toBe(names.length)
    }
    for (const { id } of metrics) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  })

  it.each(setNames)('has the set %s, by position, then in reading order', (set) => {
    const own = metricsOf(set)
    expect(among(idsOf(own), decided[set])).toEqual(decided[set])
    const order = own.map((metric) => [metric.in[set] ?? NaN, metrics.indexOf(metric)] as const)
    expect(order).toEqual([...order].sort(([a, at], [b, bt]) => a - b || at - bt))
    for (const [place] of order) expect(Number.isInteger(place) && place >= 1).toBe(true)
  })

  it('puts each figure into existing sets; those without better or worse are only listed', () => {
    for (const { in: places, direction } of metrics) {
      for (const set of Object.keys(places)) expect(setNames).toContain(set)
      if (direction === 'neutral') expect(Object.keys(places).filter((set) => set !== 'list')).toEqual([])
    }
    for (const { group } of metricsOf('comparison')) expect(group).not.toBe('Lambda')
    for (const { group } of metricsOf('lambda-comparison')) expect(group).toBe('Lambda')
    for (const { group, id } of metricsOf('lambda-lead')) expect(group === 'Lambda' || id === 'mean').toBe(true)
  })

  it('has the columns of lists', () => {
    const columns = sortedMetrics.map(({ sortKey, id, isRare }) => `${sortKey} ${id}${isRare ? ', rare' : ''}`)
    const known = ['rps requests-per-second', 'p50 p50', 'p99 p99', 'p999 p999, rare', 'max max', 'errors error-ratio']
    expect(among(columns, known)).toEqual(known)
    expect(idsOf(sortedMetrics)).toEqual(idsOf(metrics.filter(({ sortKey }) => sortKey !== null)))
  })

  it('raises alerts for figures that rarely change without cause', () => {
    expect(Object.fromEntries(alertingMetrics.map(({ metricId, minEffect }) => [metricId, minEffect]))).toMatchObject({
      ...{ 'requests-per-second': 0.05, mean: 0.05, p50: 0.05, p95: 0.05, p99: 0.1 },
      'error-ratio': 1,
    })
    for (const { metricId, minEffect } of alertingMetrics) {
      expect(findMetric(metricId)?.direction).not.toBe('neutral')
      expect(minEffectOf(metricId)).toBe(minEffect)
      expect(minEffect).toBeGreaterThan(0)
    }
    // Extremes of one request differ from run to run.
    for (const id of ['min', 'max']) expect(alertingMetrics.map(({ metricId }) => metricId)).not.toContain(id)
    expect(minEffectOf('p75')).toBe(0.1)
    expect(minEffectOf('nonsense')).toBe(0.1)
  })

  it('adds counts and bytes only', () => {
    for (const { additive, unit } of metrics) expect(additive).toBe(unit === 'count' || unit === 'bytes')
    for (const id of ['p99', 'mean', 'error-ratio', 'requests-per-second', 'max-memory', 'duration'])
      expect(findMetric(id)?.additive).toBe(false)
    for (const id of ['error-count', 'requests', 'bytes-in', 'bytes-out']) expect(findMetric(id)?.additive).toBe(true)
  })

  it('has every metric in a group, latencies in theirs, percentiles rising', () => {
    for (const { group } of metrics) expect(metricGroups).toContain(group)
    const run = sampleRun({ latencies: [sampleLatency()] })
    for (const { group, unit, direction, printedKey } of metrics) {
      const isLatency = group === 'Latency'
      expect(printedKey(run)?.startsWith('latencies.0.') ?? false).toBe(isLatency)
      if (isLatency) expect([unit, direction]).toEqual(['ms', 'lower-is-better'])
    }
    const latencies = metrics.filter(({ group }) => group === 'Latency')
    const between = latencies.slice(idsOf(latencies).indexOf('min') + 1, -1)
    const percents = between.map(({ label }) => Number(/^p([\d.]+)/.exec(label)?.[1]))
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect(idsOf(latencies).at(-1)).toBe('max')
  })

  it('compares the cost of an invocation if a run is from Lambda', () => {
    const [plain, ofLambda] = [idsOf(metricsOf('comparison')), idsOf(metricsOf('lambda-comparison'))]
    const [hey, lambda] = (['hey', 'lambda'] as const).map((tool) => ({ tool, figures: figuresOf(sampleRun()) }))
    if (!hey || !lambda) throw new Error('two runs expected')
    expect(comparedByDefault([hey])).toEqual(plain)
    expect(comparedByDefault([hey, lambda])).toEqual([...plain, ...ofLambda])
    expect(defaultMetric.id).toBe('p99')
  })

  it('compares served with offered requests if fewer were served', () => {
    const figures = { ...figuresOf(sampleRun()), requestsPerSecond: 350, throughputPerSecond: 349 }
    const idsAt = (throughputPerSecond: number) =>
      comparedByDefault([{ tool: 'vegeta', figures: { ...figures, throughputPerSecond } }])
    expect(idsAt(349)).not.toContain('throughput')
    expect(idsAt(200).slice(0, 2)).toEqual(['requests-per-second', 'throughput'])
  })

  it('counts success and errors of wrk over the same requests', () => {
    const error = (message: string, count: number) => ({ message, count })
    const errors = [error('timeout', 100), error('Non-2xx or 3xx responses', 50)]
    const run = { ...sampleRun(), tool: 'wrk' as const, requests: 900, successes: 850, successRatio: 850 / 900, errors }
    const { successRatio, errorRatio, errorCount } = figuresOf({ ...run, statusCodes: {} })
    // 900 responses and 100 without: 150 of 1 000 failed.
    expect([successRatio, errorRatio, errorCount]).toEqual([0.85, 0.15, 150])
  })

  it('reads a figure from the run, and finds its text', () => {
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
