import { describe, expect, it } from 'vitest'
import { doesLess, type Work } from '@/lib/experiment/does-less'
import { attemptOf, levelOf, roomFor, type SessionPlan, type SessionRound } from '@/lib/experiment/session'
import { playSession } from './played'

const plan: SessionPlan = {
  ...{ direction: 'lower-is-better', smallestRatio: 0.02, maxRounds: 24, alpha: 0.05, seed: 'a' },
  ...{ plannedAttempts: 10, maxRuns: 1_000, comparesRequests: true },
}
const work: Work = { requests: 10_000, failures: 10, bytes: 1_000_000, status: { '200': 9_990, '503': 10 } }

describe('the budget of a session', () => {
  it('is alpha over however many attempts', () => {
    const levels = Array.from({ length: 5_000 }, (_, at) => levelOf(at + 1, plan))
    expect(levels.slice(0, 10).reduce((sum, one) => sum + one, 0)).toBeCloseTo(0.025, 12)
    expect(levels.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(0.05)
  })

  it('holds back the runs that confirm the best', () => {
    expect(roomFor(plan, 900)).toBe(68)
    expect(roomFor(plan, 960)).toBeNull()
  })
})

describe('an attempt', () => {
  it.each([
    [{ ...work, requests: 9_700, status: { '200': 9_690, '503': 10 } }, 'fewer-requests'],
    [{ ...work, failures: 90, status: { '200': 9_910, '503': 90 } }, 'failures'],
    [{ ...work, status: { '200': 9_900, '304': 90, '503': 10 } }, 'other-status'],
    [{ ...work, bytes: 970_000 }, 'fewer-bytes'],
    [{ ...work, requests: 9_990, bytes: 990_000, failures: 12 }, null],
  ] as const)('does less: %j is %s', (attempt, why) => {
    expect(doesLess(work, attempt)).toBe(why)
  })

  it('is suspect when its raw output is an old one', () => {
    const reused: SessionRound = { kind: 'void', reason: 'reused-output', runs: 2 }
    const attempt = { name: 'a', level: 0.0025, room: 500 }
    expect(attemptOf(plan, attempt, [reused, reused])).toMatchObject({ kind: 'running' })
    expect(attemptOf(plan, attempt, [reused, reused, reused])).toEqual({ kind: 'suspect', why: 'reused-output' })
  })
})

describe('a session', () => {
  const machine = { seed: 2, noise: 'laplace', deviation: 0.015, drift: 0.05 } as const

  it('keeps the gain, suspects the cheat, and confirms the best against the original base', () => {
    const cheat = { ...work, requests: 9_000 }
    const attempts = [
      { name: 'noop', ratio: 0 },
      { name: 'gain', ratio: -0.05 },
      { name: 'cheat', ratio: -0.3, work: cheat },
      { name: 'loss', ratio: 0.04 },
    ]
    const { kept, suspect, confirmed } = playSession(plan, machine, attempts)
    expect([kept, suspect]).toEqual([['gain'], ['cheat']])
    expect(confirmed?.rounds).toBe(16)
    expect(confirmed?.low).toBeLessThanOrEqual(-0.05)
    expect(confirmed?.high).toBeGreaterThanOrEqual(-0.05)
  })

  it('stays within its budget', () => {
    const attempts = Array.from({ length: 30 }, (_, at) => ({ name: `a${at}`, ratio: -0.01 }))
    expect(playSession({ ...plan, maxRuns: 200 }, machine, attempts).runs).toBeLessThanOrEqual(200)
  })
})
