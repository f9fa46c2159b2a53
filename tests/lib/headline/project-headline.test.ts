import { describe, expect, it } from 'vitest'
import { boardNews, seriesNames, type NewsRun } from '../../../lib/headline/project-headline'
import type { MetricJudgement, RunJudgement } from '../../../lib/run/judgement'

const metric = (more: Partial<MetricJudgement> = {}): MetricJudgement => ({
  metricId: 'p99',
  state: 'as-expected',
  side: null,
  value: 97.6,
  level: 63,
  expectedLow: 51,
  expectedHigh: 80,
  effectRatio: 0.5,
  effectLowRatio: 0.3,
  effectHighRatio: 0.7,
  noiseRatio: 0.08,
  outside: 0,
  before: 59,
  change: null,
  current: null,
  ...more,
})
const judgement = (more: Partial<RunJudgement>): RunJudgement => ({
  version: '',
  state: 'as-expected',
  metricId: 'p99',
  sentence: '',
  runs: 1,
  failedRatio: 0,
  failedCount: 0,
  guards: [],
  judgedBy: 'whole',
  metrics: [],
  ...more,
})
let count = 0
const run = (name: string, more: Partial<NewsRun> = {}): NewsRun => ({
  name,
  uploadId: `u${(count += 1)}`,
  uploadName: 'out.txt',
  commit: 'f3a91c0',
  orderedAt: '2026-11-22T02:00:00.000Z',
  state: 'as-expected',
  judgement: null,
  ...more,
})
const sentences = (runs: readonly NewsRun[]) => boardNews(runs).map(({ sentence }) => sentence)

const failing = run('GET /export (node22)', { state: 'failing', judgement: judgement({ failedRatio: 0.0215 }) })
const unusual = run('POST /orders (node22)', {
  state: 'unusual',
  judgement: judgement({ metrics: [metric({ state: 'unusual' })] }),
})
const worse = run('GET /checkout (node22)', {
  state: 'worse',
  judgement: judgement({
    state: 'worse',
    metrics: [
      metric({
        state: 'worse',
        effectRatio: 0.18,
        change: { afterRunId: 'r', since: '2026-11-03T02:00:00.000Z', cause: 'commit 8de2d48', alertId: 'a1' },
      }),
    ],
  }),
})
const fine = ['a', 'b', 'c'].map((name) => run(name))

describe('news of the board', () => {
  it('counts what needs attention, failures first, and earlier changes separately', () => {
    const news = boardNews([unusual, worse, ...fine, failing])
    expect(news.map(({ sentence }) => sentence)).toEqual([
      'GET /export (node22) fails 2.15\u00a0% of requests; GET /checkout (node22) still 18\u00a0% slower at p99 since 8de2d48; POST /orders (node22) ran outside its expected range (p99 97.6\u00a0ms, expected 51.0\u00a0ms to 80.0\u00a0ms); 3 series as expected',
    ])
    expect(news[0]).toMatchObject({ commit: 'f3a91c0', alertId: 'a1' })
  })

  it('never calls a level that is still worse as expected', () => {
    const node22 = { ...worse, name: 'node22', commit: 'c8c614b' }
    const node20 = { ...run('node20'), commit: 'c8c614b' }
    expect(sentences([node22, node20])).toEqual([
      'node22 still 18\u00a0% slower at p99 since 8de2d48; node20 as expected',
    ])
  })

  it('mentions earlier changes of series that the newest commit did not run', () => {
    const old = { ...worse, commit: 'b77e0d4', uploadId: 'other', orderedAt: '2026-11-20T02:00:00.000Z' }
    const news = boardNews([old, ...fine])
    expect(news.map(({ sentence }) => sentence)).toEqual([
      'All 3 series are as expected',
      'GET /checkout (node22) still 18\u00a0% slower at p99 since 8de2d48',
    ])
    expect(news[1]).toMatchObject({ at: '2026-11-03T02:00:00.000Z', commit: '8de2d48', alertId: 'a1', upload: null })
  })

  it('mentions failures of runs that are too short to judge', () => {
    const short = run('GET /x', { state: 'invalid', judgement: judgement({ state: 'invalid', failedRatio: 0.152 }) })
    expect(sentences([short, ...fine])[0]).toBe('GET /x fails 15.2\u00a0% of requests; 3 series as expected')
  })

  it('is about the newest commit, otherwise the newest document', () => {
    const older = { ...failing, commit: 'b77e0d4', orderedAt: '2026-11-21T02:00:00.000Z' }
    expect(sentences([older, ...fine])).toEqual(['All 3 series are as expected'])
    const documents = [...fine, older].map((one) => ({ ...one, commit: null }))
    expect(sentences(documents)).toEqual(['a is as expected'])
  })

  it('says so if nothing is judged', () => {
    const few = ['a', 'b'].map((name) => run(name, { state: 'no-history' }))
    expect(sentences(few)).toEqual(['a and b have too few runs to judge'])
    expect(sentences([...few, run('c', { state: null }), ...fine])).toEqual([
      '3 series as expected; a and b with too few runs; c not judged yet',
    ])
    expect(sentences([run('c', { state: null })])).toEqual(['c is not judged yet'])
    expect(sentences([])).toEqual([])
  })

  it('describes a lone run', () => {
    expect(sentences([unusual])[0]).toMatch(/^POST \/orders \(node22\) ran outside/)
    expect(sentences([worse])[0]).toBe('GET /checkout (node22) still 18\u00a0% slower at p99 since 8de2d48')
    expect(sentences([run('a', { state: 'no-history' })])).toEqual(['a has too few runs to judge'])
    expect(sentences([{ ...failing, state: 'invalid', judgement: null }])).toEqual([
      'GET /export (node22) is no valid measurement',
    ])
  })

  it('names at most three', () => {
    const many = Array.from({ length: 5 }, (_, at) => ({ ...failing, name: `s${at}` }))
    expect(sentences(many)[0]).toMatch(/; s2 fails 2\.15\u00a0% of requests; 2 more changed or need attention$/)
  })

  it('mentions what got better in the newest document', () => {
    const change = { afterRunId: 'r', since: worse.orderedAt, cause: null, alertId: null }
    const better = run('GET /search', {
      state: 'better',
      judgement: judgement({ metrics: [metric({ state: 'better', effectRatio: -0.089, change })] }),
    })
    expect(sentences([better, ...fine])).toEqual(['GET /search 8.9\u00a0% faster at p99; 3 series as expected'])
  })
})

describe('names of series', () => {
  const names = (...series: readonly (readonly [string, string | null, string | null])[]) =>
    seriesNames(series.map(([scenario, variant, environment]) => ({ scenario, variant, environment })))

  it('omit what all share', () => {
    expect(names(['GET /a', 'x', 'm'], ['GET /b', 'y', 'm'])).toEqual(['GET /a (x)', 'GET /b (y)'])
    expect(names(['GET /a', 'x', 'm'], ['GET /a', 'y', 'n'])).toEqual(['x, m', 'y, n'])
    expect(names(['GET /a', null, null], ['GET /a', 'y', null])).toEqual(['GET /a', 'y'])
    expect(names(['GET /a', 'x', 'm'])).toEqual(['GET /a'])
  })
})
