import { describe, expect, it } from 'vitest'
import { minDecidingRounds, planRounds, roundsToDecide, type SeenEffect } from '@/lib/judge/rounds-needed'
import { chiSquaredQuantile, chiSquaredShare } from '@/lib/stats/distributions'

it('plans rounds for an effect with a known noise of runs', () => {
  const plan = (noiseRatio: number, effectRatio: number, alpha = 0.05) =>
    planRounds({ deviation: Math.SQRT2 * noiseRatio, df: 0, alpha }, effectRatio)
  expect([0.01, 0.02, 0.03, 0.05].map((noise) => plan(noise, 0.05))).toEqual([7, 7, 9, 19])
  expect([plan(0.05, 0.1), plan(0.02, 0.03)]).toEqual([7, 10])
  expect([plan(0.05, 0.1, 0.025), plan(0.02, 0.03, 0.025)]).toEqual([8, 12])
  expect(plan(0.5, 0.05)).toBeNull()
})

it("uses the upper limit of a pilot's estimate: 5 differences say less than 50", () => {
  const plan = (df: number) => planRounds({ deviation: 0.05, df, alpha: 0.05 }, 0.05)
  expect([4, 49, 0].map(plan)).toEqual([23, 13, 11])
})

describe('roundsToDecide', () => {
  const seen = { effect: 0.05, smallest: 0.02, deviation: 0.05, df: 7, rounds: 8, error: null }
  const needed = (more: Partial<SeenEffect>, alpha = 0.05) => roundsToDecide({ ...seen, ...more }, () => alpha)

  it('requires more if noise, alpha or the doubt about the noise is larger', () => {
    const plain = needed({}) ?? expect.fail('a promise expected')
    expect(needed({ deviation: 0.1 })).toBeGreaterThan(plain)
    expect(needed({}, 0.005)).toBeGreaterThan(plain)
    expect(needed({ df: 3 })).toBeGreaterThan(plain)
    expect(needed({ deviation: 3 })).toBeNull()
  })

  it('counts from the first round that may decide, and gives none if 200 more would not', () => {
    expect(needed({ effect: 1, rounds: 2, df: 1 })).toBe(minDecidingRounds)
    // Between the two limits: 2 % is neither shown nor excluded.
    expect(needed({ effect: 0.012, deviation: 0.2 })).toBeNull()
  })

  it('knows the rounds of a plan, at the end of which alpha is larger', () => {
    const ofPlan = roundsToDecide(seen, (rounds) => (rounds < 24 ? 0.005 : 0.03))
    expect(ofPlan).toBe(24)
  })
})

it('matches the chi-squared distribution', () => {
  // Tables: 18.307 is exceeded by 5 % at 10 degrees of freedom.
  expect(chiSquaredQuantile(0.95, 10)).toBeCloseTo(18.307, 3)
  expect(chiSquaredQuantile(0.2, 5)).toBeCloseTo(2.3425, 4)
  expect(chiSquaredShare(0.4549, 1)).toBeCloseTo(0.5, 4)
  expect(chiSquaredShare(0, 3)).toBe(0)
})
