import { describe, expect, it } from 'vitest'
import { huntOf, type Hunt } from '@/lib/experiment/hunt'
import type { SearchRound } from '@/lib/experiment/culprit'
import { planOf, playHunt } from './played'

const huntIn = (count: number, maxRuns = 240): Hunt => ({
  commits: Array.from({ length: count }, (_, at) => `c${at}`),
  plan: planOf({ smallestRatio: 0.02, maxRuns }),
  maxRuns,
  grainRatio: 0,
})
const machine = { seed: 4, noise: 'normal', deviation: 0.01, drift: 0.05 } as const
const stepAt = (count: number, at: number, log = 0.08) =>
  Array.from({ length: count }, (_, one) => (one >= at ? log : 0))

describe('a hunt', () => {
  it('compares GOOD and BAD until the change shows, then searches', () => {
    const ended = playHunt(huntIn(30), machine, stepAt(30, 12))
    expect(ended).toMatchObject({ verdict: 'found', commits: ['c12'] })
    const places = ended.finished.map(({ kind, ...round }) => (kind === 'valid' && 'at' in round ? round.at : 0))
    expect(places.slice(0, 6)).toEqual(Array(6).fill(29))
    expect(ended.change?.low).toBeGreaterThan(0)
    expect(ended.change?.effectRatio).toBeCloseTo(Math.expm1(0.08), 1)
  })

  it('ends with none where the two are the same, and does not start where noise hides it', () => {
    expect(playHunt(huntIn(30), machine, stepAt(30, 99))).toMatchObject({ verdict: 'none', commits: [] })
    expect(playHunt(huntIn(30), { ...machine, deviation: 0.2 }, stepAt(30, 12, 0.01))).toMatchObject({
      verdict: 'not-started',
    })
  })

  it('stops where GOOD or BAD cannot be run, or no runs are left', () => {
    const void3 = (reason: string): SearchRound[] => Array(3).fill({ kind: 'void', at: 29, reason, runs: 1 })
    expect(huntOf(huntIn(30), void3('good'))).toMatchObject({ kind: 'ended', verdict: 'stopped' })
    expect(huntOf(huntIn(30), void3('exit 1'))).toMatchObject({ kind: 'ended', verdict: 'stopped' })
    expect(playHunt(huntIn(200, 20), machine, stepAt(200, 12)).verdict).toBe('undecided')
  })
})
