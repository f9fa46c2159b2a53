import { describe, expect, it } from 'vitest'
import { firedTrends } from '@/components/rules/replay-charts'
import type { Firing } from '@/lib/rules/replay'

const series = { projectId: 'p', projectSlug: 'shop', scenario: 'GET /', variant: null, environment: null }
const firing = (day: number, seriesId: string | null, metricId: string | null = 'p99'): Firing => ({
  at: `2026-11-0${day}T02:00:00.000Z`,
  titles: [`p99 rose on day ${day}`, 'p95 too'],
  metricId,
  profile: seriesId === null ? null : { series: { ...series, id: seriesId }, name: 'hey' },
  cause: null,
  link: { to: 'run', runId: 'r' },
})

describe('the charts of a replay', () => {
  it('are those with the most firings, each with time and reason, oldest first', () => {
    const fired = firedTrends([firing(4, 'a'), firing(3, 'b'), firing(2, 'b')])
    expect(fired.map(({ seriesId, firings }) => [seriesId, firings.map(({ text }) => text)])).toEqual([
      ['b', ['p99 rose on day 2', 'p99 rose on day 3']],
      ['a', ['p99 rose on day 4']],
    ])
  })

  it('omit firings without a series, and are three at most', () => {
    expect(firedTrends([firing(1, null, null)])).toEqual([])
    expect(firedTrends(['a', 'b', 'c', 'd'].map((id) => firing(1, id)))).toHaveLength(3)
  })
})
