import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkNewest } from '@/lib/detect/newest-check'

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

it('judges the newest run of 60 recorded series as the measured prototype does (numpy, scipy)', () => {
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

it('says where a run of the old level would have fallen', () => {
  const check = checkNewest([...steady, 130])
  expect(check).toMatchObject({ kind: 'judged', shifted: 'up', before: 20, value: 130 })
  expect(check.expectedLow).toBeGreaterThan(96)
  expect(check.expectedHigh).toBeLessThan(104)
  expect(checkNewest([...steady, 75]).shifted).toBe('down')
  expect(checkNewest([...steady, 101]).shifted).toBeNull()
})

it('takes repeats of one experiment together: their median is surer than one run', () => {
  const [one, three] = [checkNewest([...steady, 106]), checkNewest([...steady, 106, 105, 107], { count: 3 })]
  expect(three.value).toBe(106)
  expect(three.p ?? 1).toBeLessThan(one.p ?? 0)
})

it('with little history it speaks only of what noise hardly explains', () => {
  expect(checkNewest([100])).toMatchObject({ kind: 'first', shifted: null, level: null })
  expect(checkNewest([100, 119])).toMatchObject({ kind: 'too-few', shifted: null, before: 1 })
  expect(checkNewest([100, 125])).toMatchObject({ kind: 'too-few', shifted: 'up' })
  expect(checkNewest([100, 125], { noise: 0.1 }).shifted).toBeNull()
  expect(checkNewest([100, 98, 101, 70])).toMatchObject({ kind: 'too-few', shifted: 'down', before: 3 })
})

it('does not judge what has no logarithm', () => {
  expect(checkNewest([1, 0, 1, 1, 1, 1, 5])).toMatchObject({ kind: 'too-few', shifted: null, p: null })
})
