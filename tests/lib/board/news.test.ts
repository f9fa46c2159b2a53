import { describe, expect, it } from 'vitest'
import { boardNews, seriesNames, type NewsRun } from '../../../lib/board/news'
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
  it('counts what needs attention, failures first, and what changed before apart', () => {
    const news = boardNews([unusual, worse, ...fine, failing])
    expect(news.map(({ sentence }) => sentence)).toEqual([
      'Two of six series need attention: GET /export (node22) fails 2.15\u00a0% of requests, POST /orders (node22) ran outside its expected range (p99 97.6\u00a0ms, expected 51.0\u00a0ms to 80.0\u00a0ms).',
      'p99 of GET /checkout (node22) has been 18\u00a0% higher since 8de2d48.',
    ])
    expect(news[1]).toMatchObject({ at: '2026-11-03T02:00:00.000Z', commit: '8de2d48', alertId: 'a1', upload: null })
  })

  it('is about the newest commit, else the newest document', () => {
    const older = { ...failing, commit: 'b77e0d4', orderedAt: '2026-11-21T02:00:00.000Z' }
    expect(sentences([older, ...fine])).toEqual(['All three series are as expected.'])
    const documents = [...fine, older].map((one) => ({ ...one, commit: null }))
    expect(sentences(documents)).toEqual(['a is as expected.'])
  })

  it('says so when nothing is judged', () => {
    const few = ['a', 'b'].map((name) => run(name, { state: 'no-history' }))
    expect(sentences(few)).toEqual(['All two series have too few runs to judge.'])
    expect(sentences([...few, run('c', { state: null }), ...fine])).toEqual([
      '3 series as expected, 2 series with too few runs, 1 series not judged yet.',
    ])
    expect(sentences([run('c', { state: null })])).toEqual(['1 run, not judged yet.'])
    expect(sentences([])).toEqual([])
  })

  it('says of a lone run what it is', () => {
    expect(sentences([unusual])[0]).toMatch(/^POST \/orders \(node22\) ran outside/)
    expect(sentences([worse])[0]).toBe('No further change of GET /checkout (node22).')
    expect(sentences([run('a', { state: 'no-history' })])).toEqual(['Too few runs to judge it.'])
    expect(sentences([{ ...failing, state: 'invalid' }])).toEqual(['GET /export (node22) is no valid measurement.'])
  })

  it('names three at most', () => {
    const many = Array.from({ length: 5 }, (_, at) => ({ ...failing, name: `s${at}` }))
    expect(sentences(many)[0]).toMatch(/^All five series need attention: .*, and 2 more\.$/)
  })

  it('says what got better in the newest document', () => {
    const change = { afterRunId: 'r', since: worse.orderedAt, cause: null, alertId: null }
    const better = run('GET /search', {
      state: 'better',
      judgement: judgement({ metrics: [metric({ state: 'better', effectRatio: -0.089, change })] }),
    })
    expect(sentences([better, ...fine])).toEqual(['GET /search has p99 8.9\u00a0% lower. 3 series as expected.'])
  })
})

describe('names of series', () => {
  const names = (...series: readonly (readonly [string, string | null, string | null])[]) =>
    seriesNames(series.map(([scenario, variant, environment]) => ({ scenario, variant, environment })))

  it('leave out what all share', () => {
    expect(names(['GET /a', 'x', 'm'], ['GET /b', 'y', 'm'])).toEqual(['GET /a (x)', 'GET /b (y)'])
    expect(names(['GET /a', 'x', 'm'], ['GET /a', 'y', 'n'])).toEqual(['x, m', 'y, n'])
    expect(names(['GET /a', null, null], ['GET /a', 'y', null])).toEqual(['GET /a', 'y'])
    expect(names(['GET /a', 'x', 'm'])).toEqual(['GET /a'])
  })
})
