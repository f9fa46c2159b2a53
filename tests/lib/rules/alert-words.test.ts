import { describe, expect, it } from 'vitest'
import { sinceOf } from '@/lib/rules/alert-words'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { RuleEvent } from '@/lib/rules/rule-events'

const finding = (since: string): AlertFinding => ({
  metricId: 'p99',
  seriesId: 's',
  profile: 'hey · closed loop',
  before: 100,
  after: 130,
  effectRatio: 0.3,
  effectLowRatio: 0.2,
  effectHighRatio: 0.4,
  pRobust: 1e-6,
  pRank: 1e-4,
  noise: 0.02,
  runsBefore: 20,
  runsAfter: 4,
  weight: 3,
  beforeRunId: 'a',
  afterRunId: 'b',
  beforeRunIds: ['a'],
  afterRunIds: ['b'],
  cause: null,
  reach: 3,
  since,
})
const missing = (since: string): RuleEvent => ({ kind: 'missing', hours: 24, lastRunId: 'a', since, overSince: null })

describe('since when', () => {
  it('an alert lasts is when the first of its changes began', () => {
    const [early, late] = ['2026-10-02T08:00:00.000Z', '2026-10-05T08:00:00.000Z']
    expect(sinceOf({ findings: [finding(late), finding(early)], events: [] })).toBe(early)
    expect(sinceOf({ findings: [finding(late)], events: [missing(early)] })).toBe(early)
    expect(sinceOf({ findings: [], events: [missing(late)] })).toBe(late)
  })
  it('is not known of one that nothing is left of', () => {
    expect(sinceOf({ findings: [], events: [] })).toBeNull()
  })
})
