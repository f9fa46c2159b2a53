import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heldLimits, ruleLimits } from '@/lib/rules/limits'
import { ruleWords } from '@/lib/rules/rule-words'
import { builtInSettings, watchedMetrics, type Rule } from '@/lib/rules/rules'
import { findBreaches } from '@/lib/rules/breaches'
import { eachFigure } from '@/lib/run/metrics'
import { uploadTitle } from '@/lib/project/upload-title'

const rule = (id: string, fields: Partial<Rule> = {}): Rule => ({
  id,
  scenario: null,
  seriesId: null,
  settings: builtInSettings,
  isEnabled: true,
  mutedUntil: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})

describe('limits of a run', () => {
  const limit = { kind: 'limit', metricId: 'p99', side: 'above', limit: 200, confirmRuns: 2 } as const
  const figures = eachFigure<number | null>(({ id }) => (id === 'p99' ? 210 : id === 'throughput' ? 90 : null))
  const run = { seriesId: 'one', scenario: 'GET /', figures }

  it('are those of the enabled rules that cover it and whose figure it has', () => {
    const rules = [
      rule('broken', { settings: limit }),
      rule('held', { settings: { ...limit, limit: 210 } }),
      rule('below', { settings: { ...limit, metricId: 'throughput', side: 'below', limit: 100 } }),
      rule('lacking', { settings: { ...limit, metricId: 'p50' } }),
      rule('off', { settings: limit, isEnabled: false }),
      rule('elsewhere', { settings: limit, scenario: 'POST /' }),
      rule('change'),
    ]
    const found = heldLimits(ruleLimits(rules), run).map(({ ruleId, name, words }) => [ruleId, name, words])
    expect(found).toEqual([
      ['broken', 'p99 ≤ 200\u00a0ms', 'missed by 10\u00a0ms'],
      ['held', 'p99 ≤ 210\u00a0ms', 'met'],
      ['below', 'Throughput ≥ 100/s', 'missed by 10/s'],
    ])
  })
})

describe('which rule watches a metric', () => {
  const series = { id: 'one', scenario: 'GET /' }
  const watchers = (rules: readonly Rule[]) =>
    Object.fromEntries(watchedMetrics(rules, series).map((one) => [one.metricId, one.rule.id]))

  it('the narrowest that names it, the newest among equals', () => {
    const p99 = { ...builtInSettings, metricIds: ['p99', 'p999'] }
    const rules = [
      rule('project'),
      rule('scenario', { scenario: 'GET /', settings: p99 }),
      rule('newer', { scenario: 'GET /', settings: p99, createdAt: '2026-02-01T00:00:00.000Z' }),
      rule('series', { seriesId: 'one', settings: { ...builtInSettings, metricIds: ['mean'] } }),
      rule('other', { seriesId: 'two' }),
    ]
    expect(watchers(rules)).toEqual({
      'requests-per-second': 'project',
      mean: 'series',
      p50: 'project',
      p95: 'project',
      p99: 'newer',
      'error-ratio': 'project',
      p999: 'newer',
    })
  })

  it('a disabled one decides that none does', () => {
    expect(watchers([rule('project'), rule('off', { seriesId: 'one', isEnabled: false })])).toEqual({})
    expect(Object.keys(watchers([rule('project'), rule('off', { seriesId: 'two', isEnabled: false })]))).toHaveLength(6)
  })
})

describe('findBreaches', () => {
  const bad = (value: number) => value > 10
  it('start and end once confirmed; gaps count as neither', () => {
    expect(findBreaches([1, 11, 1, 12, null, 13, 1, 14, 1, 1, 15], bad, 2)).toEqual([
      { from: 3, firesAt: 5, last: 7, count: 3, overAt: 9 },
    ])
    expect(findBreaches([11, 12], bad, 2)).toEqual([{ from: 0, firesAt: 1, last: 1, count: 2, overAt: null }])
    expect(findBreaches([11, 12], bad, 3)).toEqual([])
  })

  const values = fc.array(fc.option(fc.integer({ min: 0, max: 20 })), { maxLength: 60 })
  const confirm = fc.integer({ min: 1, max: 4 })
  it('are ordered, disjoint, and never fire on fewer bad values than required', () => {
    fc.assert(
      fc.property(values, confirm, (all, runs) => {
        let end = -1
        for (const one of findBreaches(all, bad, runs)) {
          expect(one.from).toBeGreaterThan(end)
          const known = all.slice(one.from, one.firesAt + 1).filter((value) => value !== null)
          expect(known).toHaveLength(runs)
          expect(known.every(bad)).toBe(true)
          expect(one.count).toBeGreaterThanOrEqual(runs)
          end = one.overAt ?? all.length
        }
      }),
    )
  })

  it('depend only on earlier values: later ones change no breach that fired', () => {
    fc.assert(
      fc.property(values, values, confirm, (before, after, runs) => {
        const early = findBreaches(before, bad, runs).map(({ from, firesAt }) => ({ from, firesAt }))
        const late = findBreaches([...before, ...after], bad, runs).map(({ from, firesAt }) => ({ from, firesAt }))
        expect(late.slice(0, early.length)).toEqual(early)
      }),
    )
  })
})

describe('the text of a rule', () => {
  it('without metrics lists which are watched, if there is room', () => {
    expect(ruleWords(builtInSettings)).toBe(
      'The level of any default metric (requests per second, mean, p50, p95, p99, error rate) gets worse',
    )
    expect(ruleWords(builtInSettings, 'short')).toBe('The level of any default metric gets worse')
    expect(ruleWords({ ...builtInSettings, metricIds: ['p99', 'max'] })).toBe('The level of p99, Max gets worse')
  })
})

describe('the title of an upload', () => {
  const names = { tool: 'hey', scenario: 'GET /', variant: 'gzip', commit: null, subject: null }
  const content = { uploadId: 'u', ...names, runCount: 2, orderedAt: '2026-11-21T00:00:00.000Z' }
  it('is its name, or its content if the name says nothing', () => {
    expect(uploadTitle('night.txt', content)).toBe('night.txt')
    expect(uploadTitle('upload.txt', content)).toBe('hey · GET / · gzip and more')
    expect(uploadTitle('pasted.txt', { ...content, variant: null, runCount: 1 })).toBe('hey · GET /')
    expect(uploadTitle('upload.txt', null)).toBe('upload.txt')
  })
})
