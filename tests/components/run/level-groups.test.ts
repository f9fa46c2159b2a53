import { describe, expect, it } from 'vitest'
import { foldLevel } from '@/components/runs/levels/fold-level'
import { splitByLevel, stateSince } from '@/components/runs/levels/level-groups'
import type { RunPast, RunRow } from '@/lib/history/stored-runs'
import type { JudgedState } from '@/lib/run/judged-states'
import type { MetricJudgement } from '@/lib/run/judgement'
import { figuresOf } from '@/lib/run/metrics'
import { sampleRun } from '../../queries/samples'

const timeOf = (day: number) => `2026-11-0${day}T02:00:00.000Z`
const run = (day: number, state: JudgedState | null, more: Partial<RunRow> = {}): RunRow => ({
  ...{ id: `run ${day}`, scenario: 'GET /', variant: null, environment: null, projectId: 'p', projectSlug: 'shop' },
  ...{ uploadId: 'u', seriesId: 's', indexInUpload: 0, tool: 'hey', form: 'hey-text', load: { kind: 'observed' } },
  ...{ startedAt: null, startedAtSource: null, uploadedAt: timeOf(day), orderedAt: timeOf(day), complete: true },
  ...{ candidate: false, guards: [], warnings: [], figures: figuresOf(sampleRun()), labels: {} },
  judged: state === null ? null : { state, sentence: 'as it is' },
  ...more,
})

const moved = (valueMs: number): MetricJudgement => ({
  ...{ metricId: 'p99', state: 'worse', side: 'worse', value: valueMs, level: 58.6, expectedLow: 50, expectedHigh: 68 },
  ...{ effectRatio: 0.18, effectLowRatio: 0.15, effectHighRatio: 0.21, noiseRatio: 0.03, outside: 5, before: 40 },
  change: { afterRunId: 'run 3', since: timeOf(3), cause: 'commit 8de2d48', alertId: 'alert' },
  current: { level: 69.4, expectedLow: 60, expectedHigh: 79, before: 2 },
})
const past = (own: MetricJudgement | null): RunPast => ({
  ...{ uploadName: 'nightly.md', values: [], outside: [], times: [], commits: [], levels: [], off: {} },
  moved: own,
})
const rows = [
  run(5, null),
  run(4, 'worse'),
  run(3, 'worse', { labels: { commit: '8de2d48', subject: 'Look up twice' } }),
  run(2, 'as-expected'),
  run(1, 'as-expected'),
]
const pasts = new Map([
  ['run 4', past(moved(85))],
  ['run 3', past(moved(70))],
  ['run 2', past(null)],
])

describe('a list of one series whose level changed', () => {
  it('has one head for the change, from the newest judgement, and one for the runs before it', () => {
    const split = splitByLevel(rows, pasts)
    expect(split?.since.rows.map(({ id }) => id)).toEqual(['run 5', 'run 4', 'run 3'])
    expect(split?.before.rows.map(({ id }) => id)).toEqual(['run 2', 'run 1'])
    expect(split?.since.head).toMatchObject({
      judged: { state: 'worse' },
      name: 'Worse since 8de2d48',
      count: '3 runs',
      subject: 'Look up twice',
      detail: 'p99 18\u00a0% higher · expected since: 60.0\u00a0ms to 79.0\u00a0ms',
      alertHref: '/p/shop/alerts/alert',
    })
    expect(split?.before.head).toMatchObject({
      count: '2 runs',
      detail: 'expected: 50.0\u00a0ms to 68.0\u00a0ms',
      judged: null,
    })
  })

  it('shows each run in the level since, where that is known', () => {
    expect(rows.map((row) => stateSince(row, pasts)?.state)).toEqual([
      undefined,
      'unusual',
      'as-expected',
      undefined,
      undefined,
    ])
    const few = new Map([['run 4', past({ ...moved(85), current: null })]])
    expect(stateSince(run(4, 'worse'), few)).toBeUndefined()
    // What failed, failed.
    expect(stateSince(run(4, 'failing'), pasts)).toBeUndefined()
  })

  it('does not claim to count runs that are on other pages', () => {
    expect(splitByLevel(rows.slice(0, 3), pasts)?.since.head.count).toBe('3 runs here')
  })

  it('folds runs that are like the others, and never one that stands out', () => {
    const standing = (at: number, state: JudgedState | null) => ({
      ...{ id: `run ${at}`, judged: state === null ? null : { state, sentence: '' } },
      ...(at === 19 ? { isFirstInLevel: true as const } : {}),
    })
    const all = Array.from({ length: 20 }, (_, at) => standing(at, at === 12 ? 'unusual' : 'as-expected'))
    const params = new URLSearchParams('scenario=GET+%2F&cursor=x')
    const folded = foldLevel(all, 'since', '/p/shop/runs', params)
    expect(folded.runs.map(({ id }) => id).slice(7)).toEqual(['run 7', 'run 12', 'run 19'])
    expect(folded.fold).toEqual({
      ...{ after: 8, isOpen: false, words: '10 more runs of this level, as expected' },
      href: '/p/shop/runs?scenario=GET+%2F&cursor=x&open=since',
    })
    const open = foldLevel(all, 'since', '/p/shop/runs', new URLSearchParams('open=since.before'))
    expect(open.runs).toHaveLength(20)
    expect(open.fold).toMatchObject({
      isOpen: true,
      words: 'Fold 10 runs of this level',
      href: '/p/shop/runs?open=before',
    })
    expect(foldLevel(all.slice(0, 10), 'since', '/p/shop/runs', params).fold).toBeUndefined()
  })

  it('is not split if it is of several series, or its level is the same', () => {
    expect(splitByLevel([...rows, run(1, 'as-expected', { seriesId: 'other' })], pasts)).toBeNull()
    expect(splitByLevel(rows.slice(3), pasts)).toBeNull()
    expect(splitByLevel([], pasts)).toBeNull()
  })
})
