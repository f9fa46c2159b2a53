import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkRun, type RankedLatencies } from '@/lib/judge/run-check'

const histogram = z.array(z.tuple([z.number(), z.number()]))
const { cases } = z
  .object({
    cases: z.array(
      z.object({
        id: z.string(),
        truth: z.string(),
        noise_score: z.number(),
        baseline: z.array(histogram),
        new: histogram,
        prototype: z.object({
          verdict: z.boolean(),
          quantiles: z.array(z.object({ q: z.number(), effect: z.number(), p: z.number(), p_bh: z.number() })),
        }),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync('tests/fixtures/change-points/histogram-cases.json', 'utf8')))

/** Buckets 1 % wide: bucket i holds values in [edge(i − 1), edge(i)); ranks between buckets are interpolated in the log. */
const edge = (index: number) => Math.exp(Math.log(0.01) + 0.01 * index)
function latencies(buckets: z.infer<typeof histogram>): RankedLatencies {
  const count = buckets.reduce((sum, [, n]) => sum + n, 0)
  return {
    count,
    valueAtRank(rank) {
      let before = 0
      for (const [index, n] of buckets) {
        if (before + n >= rank)
          return edge(index - 1) * (edge(index) / edge(index - 1)) ** Math.min(1, Math.max(0, (rank - before) / n))
        before += n
      }
      throw new Error(`rank ${rank} of ${count}`)
    },
  }
}

describe('checkRun', () => {
  it('judges like the measured prototype, and never calls runs of no change different', () => {
    expect(cases.length).toBeGreaterThan(10)
    for (const one of cases) {
      const check = checkRun(one.baseline.map(latencies), latencies(one.new), one.noise_score)
      expect(check.verdict, one.id).toBe(one.prototype.verdict ? 'different' : 'not-different')
      if (one.truth === 'null') expect(check.verdict, one.id).toBe('not-different')
      one.prototype.quantiles.forEach((truth, at) => {
        expect(check.shifts[at]?.effectRatio, `${one.id} q ${truth.q}`).toBeCloseTo(truth.effect, 3)
        expect(check.shifts[at]?.p, `${one.id} q ${truth.q}`).toBeCloseTo(truth.p, 2)
        expect(check.shifts[at]?.pAdjusted).toBeCloseTo(truth.p_bh, 2)
      })
    }
  })
  it('gives no verdict on one or two baseline runs', () => {
    const [one] = cases
    if (!one) throw new Error('no cases')
    const check = checkRun(one.baseline.slice(0, 2).map(latencies), latencies(one.new), one.noise_score)
    expect(check.verdict).toBe('unknown')
    expect(check.shifts).toHaveLength(5)
  })
})
