import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkLevel } from '@/lib/levels/level-check'

const cases = z
  .array(
    z.object({
      series: z.array(z.number()),
      result: z.object({ effect: z.number(), p: z.number(), flag: z.boolean() }).nullable(),
    }),
  )
  .parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, '../../fixtures/statistics/newest-checks.json'), 'utf8')),
  )

const checkNewest = (series: readonly number[]) => checkLevel(series.slice(0, -1), series.at(-1) ?? Number.NaN)

it('judges the newest run of 60 recorded series like the recorded prototype (numpy, scipy)', () => {
  for (const { series, result } of cases) {
    const check = checkNewest(series)
    if (result === null) expect(check.kind).toBe('too-few')
    else {
      expect(check.effectRatio).toBeCloseTo(result.effect, 9)
      expect(check.p).toBeCloseTo(result.p, 9)
      expect(check.shifted !== null).toBe(result.flag)
    }
  }
  expect(cases.filter(({ result }) => result?.flag)).toHaveLength(29)
})

const steady = Array.from({ length: 20 }, (_, at) => 100 * (1 + 0.01 * Math.sin(at * 2.4)))

it('says where a run at the level would have fallen, and how far off this one is', () => {
  const check = checkNewest([...steady, 130])
  expect(check).toMatchObject({ kind: 'judged', shifted: 'up', before: 20, value: 130 })
  expect(check.effectRatio).toBeCloseTo(0.3, 2)
  expect(check.effectLowRatio).toBeGreaterThan(0.27)
  expect(check.effectHighRatio).toBeLessThan(0.33)
  expect(check.expectedLow).toBeGreaterThan(94)
  expect(check.expectedHigh).toBeLessThan(106)
  expect(checkNewest([...steady, 75]).shifted).toBe('down')
  expect(checkNewest([...steady, 101]).shifted).toBeNull()
})

it('an excursion widens the range once a run has come back from it', () => {
  const once = [...steady, 130]
  expect(checkLevel(once, 129)).toMatchObject({ shifted: 'up' })
  expect(checkLevel([...once, 101], 129)).toMatchObject({ shifted: null, expectedHigh: expect.closeTo(130, 0) })
  expect(checkLevel([...steady, 130, 131], 129, { since: 0 })).toMatchObject({ shifted: 'up' })
  expect(checkLevel([...steady, 130, 75], 129, { since: 0 })).toMatchObject({ shifted: null })
})

it('the expected range is what the test accepts: a value outside is shifted, one inside is not', () => {
  const value = fc.double({ min: 50, max: 200, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { minLength: 5, maxLength: 120 }), value, (history, newest) => {
      const check = checkLevel(history, newest)
      const { expectedLow, expectedHigh } = check
      if (expectedLow === null || expectedHigh === null) return check.shifted === null
      // Exactly on the bound, the last digit decides.
      if ([expectedLow, expectedHigh].some((bound) => Math.abs(newest / bound - 1) < 1e-12)) return true
      const isOutside = newest < expectedLow || newest > expectedHigh
      return isOutside === (check.shifted !== null)
    }),
  )
})

it('is null for a value with fewer than 5 before it, or 3 at the current level', () => {
  expect(checkLevel([], 100)).toMatchObject({ kind: 'too-few', shifted: null, level: null, before: 0 })
  expect(checkLevel([100, 98, 101, 99], 170)).toMatchObject({ kind: 'too-few', shifted: null, before: 4 })
  expect(checkLevel([...steady, 150, 151], 150, { since: 20 })).toMatchObject({ kind: 'too-few', before: 2, p: null })
})

it('does not judge values without a logarithm', () => {
  expect(checkLevel([1, 0, 1, 1, 1, 1], 5)).toMatchObject({ kind: 'too-few', shifted: null, p: null })
})
