import { expect, it } from 'vitest'
import { planRounds } from '@/lib/judge/rounds-needed'
import { chiSquaredQuantile, chiSquaredShare } from '@/lib/stats/distributions'

it('plans rounds for an effect at a known noise of runs', () => {
  const plan = (noiseRatio: number, effectRatio: number) => planRounds(Math.SQRT2 * noiseRatio, 0, effectRatio)
  expect([0.01, 0.02, 0.03, 0.05].map((noise) => plan(noise, 0.05))).toEqual([7, 7, 13, 30])
  expect([plan(0.05, 0.1), plan(0.02, 0.03)]).toEqual([10, 15])
  expect(plan(0.5, 0.05)).toBeNull()
})

it('takes what a pilot saw at its upper limit: 5 differences say less than 50', () => {
  const plan = (df: number) => planRounds(0.05, df, 0.05) ?? expect.fail('no plan')
  expect(plan(4)).toBeGreaterThan(plan(49))
  expect(plan(49)).toBeGreaterThan(planRounds(0.05, 0, 0.05) ?? expect.fail('no plan'))
})

it('knows the chi-squared distribution', () => {
  // Tables: 18.307 is exceeded by 5 % at 10 degrees of freedom.
  expect(chiSquaredQuantile(0.95, 10)).toBeCloseTo(18.307, 3)
  expect(chiSquaredQuantile(0.2, 5)).toBeCloseTo(2.3425, 4)
  expect(chiSquaredShare(0.4549, 1)).toBeCloseTo(0.5, 4)
  expect(chiSquaredShare(0, 3)).toBe(0)
})
