import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canDecide, runsNeeded, shiftOf, sideFigureOf } from '@/lib/judge/repeats'
import { rankTest } from '@/lib/stats/rank-test'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const numbers = z.array(z.number())
const caseSchema = z.object({
  kind: z.string(),
  base: numbers,
  head: numbers,
  p: z.number(),
  estimate: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
})
const recorded = z
  .object({ cases: z.array(caseSchema), large: z.array(z.object({ base: numbers, head: numbers, p: z.number() })) })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../../fixtures/statistics/rank-tests.json'), 'utf8')))

describe('the shift between two sides', () => {
  it('is that of scipy and of the algorithm of R on 50 data sets', () => {
    expect(recorded.cases.length).toBeGreaterThanOrEqual(50)
    for (const { kind, base, head, ...known } of recorded.cases) {
      const shift = shiftOf(base, head)
      const name = `${kind} ${base.length}+${head.length}`
      for (const key of ['p', 'estimate', 'low', 'high', 'level'] as const)
        expect(shift?.[key], `${name}: ${key}`).toBeCloseTo(known[key], 9)
      expect(shift?.exact, name).toBe(true)
    }
  })

  it('tests many runs with ties as scipy does, by the normal approximation', () => {
    for (const { base, head, p } of recorded.large) {
      expect(rankTest(base, head, 'exact').exact).toBe(false)
      expect(rankTest(base, head, 'exact').p).toBeCloseTo(p, 9)
    }
  })

  it('has the same size whichever side is the base', () => {
    for (const { base, head } of recorded.cases) {
      const [there, back] = [shiftOf(base, head), shiftOf(head, base)]
      expect(there?.p).toBeCloseTo(back?.p ?? Number.NaN, 12)
      expect(there?.low).toBeCloseTo(-(back?.high ?? Number.NaN), 9)
    }
  })

  it('needs four runs a side', () => {
    expect([canDecide(3, 3), canDecide(4, 4), canDecide(3, 5), canDecide(1, 39)]).toEqual([false, true, true, false])
    expect(canDecide(1, 40)).toBe(true)
    expect([runsNeeded(1, 1), runsNeeded(3, 3), runsNeeded(2, 5), runsNeeded(3, 5)]).toEqual([
      [3, 3],
      [1, 1],
      [2, 0],
      [0, 0],
    ])
    expect(shiftOf([], [1])).toBeNull()
  })
})

it('sums up a side: the median, and how far the farthest run lies from it', () => {
  expect(sideFigureOf([10, null, 12, 11])).toEqual({ value: 11, spreadRatio: 1 / 11, count: 3 })
  expect(sideFigureOf([10])).toEqual({ value: 10, spreadRatio: null, count: 1 })
  expect(sideFigureOf([null])).toEqual({ value: null, spreadRatio: null, count: 0 })
})
