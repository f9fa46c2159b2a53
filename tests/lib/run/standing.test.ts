import { describe, expect, it } from 'vitest'
import type { MetricJudgement } from '@/lib/run/judgement'
import { standingOf } from '@/lib/run/standing'

const metric: MetricJudgement = {
  ...{ metricId: 'p95', state: 'worse', side: 'worse', value: 46.6, level: 41.5, expectedLow: 38.3, expectedHigh: 45 },
  ...{ effectRatio: 0.133, effectLowRatio: 0.119, effectHighRatio: 0.158, noiseRatio: 0.03, outside: 20, before: 40 },
  change: { afterRunId: 'r', since: '2026-11-03T02:00:00.000Z', cause: 'commit 8de2d48', alertId: 'a' },
  current: { level: 47, expectedLow: 43.9, expectedHigh: 50.3, before: 19 },
}
const judged = (state: 'worse' | 'failing' | 'unusual', one: MetricJudgement = metric) => ({
  ...{ state, metricId: 'p95', metrics: [one] },
})

describe('a run whose level is changed', () => {
  it('has a word for the level and one for itself', () => {
    expect(standingOf(judged('worse'))).toEqual({ level: 'Worse since 8de2d48', own: 'as-expected' })
    expect(standingOf(judged('worse', { ...metric, value: 51 }))?.own).toBe('unusual')
  })

  it('has none for itself while the level has too few runs', () => {
    expect(standingOf(judged('worse', { ...metric, current: null }))).toEqual({
      ...{ level: 'Worse since 8de2d48', own: null },
    })
  })

  it('is not two subjects if the state is its own', () => {
    expect(standingOf(judged('failing'))).toBeNull()
    expect(standingOf(judged('unusual', { ...metric, change: null, current: null }))).toBeNull()
    expect(standingOf(null)).toBeNull()
  })
})
