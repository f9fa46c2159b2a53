import { describe, expect, it } from 'vitest'
import { prepareRow } from '@/components/board/board-rows'
import type { BoardSeries } from '@/lib/board/series'
import type { MetricJudgement, RunJudgement } from '@/lib/run/judgement'
import { defaultMetric } from '@/lib/run/metrics'
import { storedRun } from '../../stored-runs'
import { sampleLatency, sampleRun } from '../../queries/samples'

const series: BoardSeries = {
  ...{ id: 's', projectId: 'p', projectSlug: 'shop', scenario: 'GET /', variant: null, environment: null },
  ...{ newest: null, later: null },
}
const past = { outside: new Set<string>(), expected: new Map<string, MetricJudgement>() }

/** A row whose run has this p99 in milliseconds and is judged worse, with this range of the level since its change. */
function rowOf(ms: number, [low, high]: readonly [number, number]) {
  const run = storedRun(sampleRun({ latencies: [sampleLatency({ quantiles: [{ q: 0.99, ms }] })] }))
  const change = { afterRunId: 'r', since: '2026-11-01T00:00:00.000Z', cause: 'commit 8de2d48', alertId: null }
  const none = { effectRatio: null, effectLowRatio: null, effectHighRatio: null, noiseRatio: null }
  const p99: MetricJudgement = {
    ...none,
    ...{ metricId: 'p99', state: 'worse', side: 'worse', value: ms, outside: 0, before: 40, change },
    ...{ level: 50, expectedLow: 45, expectedHigh: 55 },
    current: { level: (low + high) / 2, expectedLow: low, expectedHigh: high, before: 19 },
  }
  const judgement: RunJudgement = {
    ...{ version: 'run-3', state: 'worse', metricId: 'p99', sentence: 'Said.', runs: 1, judgedBy: 'whole' },
    ...{ failedRatio: null, failedCount: null, guards: [], metrics: [p99] },
  }
  const judged = { state: 'worse', sentence: 'Said.' } as const
  return prepareRow({ series, run: { ...run, judged, judgement }, trend: null }, defaultMetric, past, {
    shared: null,
    limits: [],
    shifts: [],
  }).lead
}

describe('the figure of a row', () => {
  it('has a colour only if it lies outside the range printed next to it', () => {
    expect(rowOf(63.7, [58.6, 70.8])).toMatchObject({ range: '58.6–70.8', isOff: false })
    expect(rowOf(97.6, [58.6, 70.8])).toMatchObject({ range: '58.6–70.8', isOff: true })
  })

  it('is a bound if a timeout clipped it', () => {
    expect(rowOf(63.7, [58.6, 70.8]).text).toBe('63.7')
    expect(rowOf(20_000, [58.6, 70.8]).text.replaceAll('\u00a0', ' ')).toMatch(/^≥ /)
  })
})
