import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commitPrior } from '@/lib/experiment/commit-prior'
import { searchOf, type Search } from '@/lib/experiment/culprit'
import { caseCount } from '../../case-count'
import { playSearch } from './played'

const searchIn = (count: number, more: Partial<Search> = {}): Search => ({
  commits: Array.from({ length: count }, (_, at) => `c${at}`),
  ...{
    expectedRatio: 0.1,
    past: [],
    deviation: 0.015,
    smallestVisibleRatio: 0.02,
    grainRatio: 0,
    seed: 'a',
    maxRuns: 200,
  },
  ...more,
})
const machine = { seed: 4, noise: 'normal', deviation: 0.01 } as const
const stepAt = (count: number, at: number) => Array.from({ length: count }, (_, one) => (one >= at ? Math.log(1.1) : 0))

describe('the search for a commit', () => {
  it('names the one that changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.nat(), fc.nat(), (count, place, seed) => {
        const at = 1 + (place % (count - 1))
        const ended = playSearch(searchIn(count), { ...machine, seed }, stepAt(count, at))
        expect(ended).toMatchObject({ verdict: 'found', commits: [`c${at}`] })
        expect(ended.probability).toBeGreaterThanOrEqual(0.95)
        expect(ended.posterior.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1 + 1e-9)
      }),
      { numRuns: caseCount(20) },
    )
  })

  it('works downwards as well', () => {
    const logs = stepAt(12, 5).map((log) => -log)
    expect(playSearch(searchIn(12, { expectedRatio: -0.09 }), machine, logs)).toMatchObject({ commits: ['c5'] })
  })

  it('names neighbours that no commit which builds separates', () => {
    const ended = playSearch(searchIn(12), machine, stepAt(12, 6), new Set([5, 6]))
    expect(ended).toMatchObject({ verdict: 'set', commits: ['c5', 'c6', 'c7'] })
  })

  it('finds none, and two', () => {
    expect(playSearch(searchIn(12), machine, stepAt(12, 99)).verdict).toBe('none')
    const two = Array.from({ length: 30 }, (_, at) => (at >= 5 ? 0.05 : 0) + (at >= 24 ? 0.05 : 0))
    const ended = playSearch(searchIn(30), machine, two)
    expect(ended.verdict).toBe('no-single-step')
    expect(ended.commits).toEqual(expect.arrayContaining(['c5', 'c24']))
  })

  it('needs no run for a range of one, and starts none below what the set-up shows', () => {
    expect(searchOf(searchIn(2), [])).toMatchObject({ verdict: 'found', commits: ['c1'], runs: 0 })
    expect(searchOf(searchIn(9, { expectedRatio: 0.01 }), [])).toMatchObject({ verdict: 'not-started', runs: 0 })
  })

  it('says what it knows when no runs are left', () => {
    const ended = playSearch(searchIn(64, { maxRuns: 12 }), { ...machine, deviation: 0.05 }, stepAt(64, 30))
    expect(ended).toMatchObject({ verdict: 'undecided' })
    expect(ended.runs).toBeLessThanOrEqual(13)
  })

  it('stops where BAD cannot be run', () => {
    expect(playSearch(searchIn(9), machine, stepAt(9, 3), new Set([8])).verdict).toBe('stopped')
  })
})

it('takes the history for evidence, and never all mass from a commit', () => {
  const past = [0, 2, 3, 5, 7, 8].map((at) => ({ at, log: at >= 5 ? 0.1 : 0 }))
  const prior = commitPrior(9, past)
  expect(prior.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12)
  expect(prior.indexOf(Math.max(...prior))).toBe(4)
  expect(prior[4]).toBe(prior[5])
  expect(Math.min(...prior.slice(1))).toBeGreaterThanOrEqual(0.2 / 8)
  expect(commitPrior(5, past.slice(0, 3))).toEqual([0, 0.25, 0.25, 0.25, 0.25])
})
