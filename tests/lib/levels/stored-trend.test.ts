import { expect, it } from 'vitest'
import { trendsOf } from '@/lib/levels/trend'
import { findMetric, figuresOf } from '@/lib/run/metrics'
import { packTrends, unpackTrends } from '@/lib/levels/stored-trend'
import { sampleLatency, sampleRun } from '../../queries/samples'

const p99 = findMetric('p99') ?? expect.fail('p99 is a metric')

/** A history with a step, a gap, repeats and a label with a space in it. */
const history = {
  ...{ id: 's', projectId: 'p', projectSlug: 'demo', scenario: 'GET /', variant: null, environment: 'x' },
  points: Array.from({ length: 40 }, (_, at) => ({
    runId: `run${at}`,
    uploadId: `u${at}`,
    orderedAt: new Date(Date.UTC(2026, 0, 1, 0, at * 97)).toISOString(),
    tool: 'hey' as const,
    load: { kind: 'closed', connections: at % 5 === 4 ? 20 : 10 } as const,
    labels: at % 7 === 0 ? {} : { version: `1.${at >> 3} beta`, commit: `c${at >> 1}` },
    guards: [],
    judgementBasis: null,
    figures: figuresOf(
      sampleRun({
        latencies:
          at === 11
            ? []
            : [sampleLatency({ quantiles: [{ q: 0.99, ms: (at < 22 ? 40.1 : 61) + Math.sin(at * 2.4) / 3 }] })],
      }),
    ),
  })),
}

it('judged trends are restored as packed, even if the same text was read before', () => {
  const { series, trends } = trendsOf(history, p99, history.points.length)
  expect(trends.map((trend) => trend.changes.length)).toEqual([0, 1])
  expect(trends.some((trend) => trend.points.some((point) => point.runIds.length > 1))).toBe(true)
  const text = packTrends(trends)
  for (const other of [series, { ...series, id: 'other', projectSlug: 'renamed' }]) {
    const profiles = trends.map((trend) => ({
      ...trend.profile,
      key: `${other.id}|${trend.profile.name}`,
      series: other,
    }))
    expect(unpackTrends(text, other, p99)).toEqual(trends.map((trend, at) => ({ ...trend, profile: profiles[at] })))
  }
})

it('the next text of a series takes the place of the one that was read before', () => {
  for (const count of [history.points.length, history.points.length - 1]) {
    const { series, trends } = trendsOf(history, p99, count)
    expect(unpackTrends(packTrends(trends), series, p99)).toEqual(trends)
  }
})

it('text that is not a trend is rejected', () => {
  const { series } = trendsOf(history, p99, history.points.length)
  expect(() => unpackTrends('[{"profile":"hey"}]', series, p99)).toThrow()
  expect(() => unpackTrends('', series, p99)).toThrow()
})
