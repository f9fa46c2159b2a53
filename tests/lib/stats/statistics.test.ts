import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { normalTail, studentQuantile, studentTail } from '@/lib/stats/distributions'
import { rankTest, ranksOf, smallestPossibleP } from '@/lib/stats/rank-test'

const recorded = z
  .object({
    student: z.array(z.object({ t: z.number(), df: z.number(), tail: z.number() })),
    normal: z.array(z.object({ z: z.number(), tail: z.number() })),
    studentQuantile: z.array(z.object({ tail: z.number(), df: z.number(), t: z.number() })),
    rankTest: z.array(z.object({ a: z.array(z.number()), b: z.array(z.number()), method: z.string(), p: z.number() })),
  })
  .parse(JSON.parse(readFileSync('tests/fixtures/statistics/scipy.json', 'utf8')))

const relative = (value: number, truth: number) => Math.abs(value - truth) / Math.max(Math.abs(truth), 1e-300)

describe('against values recorded from scipy', () => {
  it('has Student’s t tails', () => {
    for (const { t, df, tail } of recorded.student)
      expect(relative(studentTail(t, df), tail), `t ${t} df ${df}`).toBeLessThan(1e-10)
  })
  it('has normal tails', () => {
    for (const { z: at, tail } of recorded.normal) expect(relative(normalTail(at), tail), `z ${at}`).toBeLessThan(1e-12)
  })
  it('has Student’s t quantiles', () => {
    for (const { tail, df, t } of recorded.studentQuantile) expect(studentQuantile(tail, df)).toBeCloseTo(t, 8)
  })
  it('has Mann–Whitney p values, exact and approximate', () => {
    expect(recorded.rankTest).toHaveLength(50)
    for (const { a, b, method, p } of recorded.rankTest) {
      const test = rankTest(a, b)
      expect(test.exact).toBe(method === 'exact')
      expect(relative(test.p, p), JSON.stringify({ a, b })).toBeLessThan(1e-10)
    }
  })
})

describe('ranks', () => {
  it('gives ties the same rank', () => {
    expect([...ranksOf([10, 20, 10, 30])]).toEqual([1.5, 3, 1.5, 4])
  })
  it('states the smallest possible p', () => {
    expect(smallestPossibleP(4, 4)).toBeCloseTo(2 / 70, 12)
    expect(rankTest([1, 2, 3, 4], [5, 6, 7, 8]).p).toBeCloseTo(2 / 70, 12)
  })
})
