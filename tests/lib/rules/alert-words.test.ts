import { describe, expect, it } from 'vitest'
import { alertBasis, alertMark, alertSentence, sinceOf } from '@/lib/rules/alert-words'
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
  origin: null,
  since,
})
const missing = (since: string): RuleEvent => ({ kind: 'missing', hours: 24, lastRunId: 'a', since, overSince: null })

describe('since when', () => {
  it('an alert lasts from the start of the first of its changes', () => {
    const [early, late] = ['2026-10-02T08:00:00.000Z', '2026-10-05T08:00:00.000Z']
    expect(sinceOf({ findings: [finding(late), finding(early)], events: [] })).toBe(early)
    expect(sinceOf({ findings: [finding(late)], events: [missing(early)] })).toBe(early)
    expect(sinceOf({ findings: [], events: [missing(late)] })).toBe(late)
  })
  it('is unknown if nothing of it is left', () => {
    expect(sinceOf({ findings: [], events: [] })).toBeNull()
  })
})

describe('what an alert says', () => {
  const at = '2026-10-05T08:00:00.000Z'
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
  const lead = finding(at)
  const told = { state: 'open', cause: 'commit 8de2d48', findings: [lead], events: [] } as const

  it('is a sentence that names the commit, shortened if it is long', () => {
    expect(plain(alertSentence(told))).toBe('p99 is 30 % higher since 8de2d48')
    expect(plain(alertSentence({ ...told, cause: `commit ${'8de2d48abc'.repeat(4)}` }))).toBe(
      'p99 is 30 % higher since 8de2d48abc',
    )
    expect(plain(alertSentence({ ...told, cause: 'upload x' }))).toBe('p99 is 30 % higher since 5 Oct 2026')
    expect(alertSentence({ cause: null, findings: [], events: [missing(at)] })).toBe('No run for 24 hours')
  })

  it('is based on levels, interval and runs, and on what moved with it', () => {
    const [p95, mean] = [
      { ...lead, metricId: 'p95' },
      { ...lead, metricId: 'mean' },
    ]
    const other = { ...lead, seriesId: 't' }
    expect(plain(alertBasis({ findings: [lead, p95, mean, other], events: [] }))).toBe(
      'From 100 to 130 ms, 95 % interval +20 % to +40 %, 20 runs before and 4 since. ' +
        'p95 and mean moved at the same place: one change, one alert. 1 more series changed with it.',
    )
    expect(alertBasis({ findings: [], events: [] })).toBe('')
  })

  it('shows its change while it is open, and its outcome later', () => {
    expect(alertMark(told)).toEqual({ state: 'worse', words: 'Worse' })
    expect(alertMark({ ...told, findings: [{ ...lead, after: 80, effectRatio: -0.2 }] }).state).toBe('better')
    expect(alertMark({ ...told, state: 'resolved' })).toEqual({ state: 'as-expected', words: 'Fixed' })
  })
})
