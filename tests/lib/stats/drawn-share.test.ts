import { expect, it } from 'vitest'
import { fisherP } from '@/lib/detect/mode-shares'
import { drawnShareP } from '@/lib/stats/drawn-share'
import { randomOf } from '../explain/generated-pairs'

it('is twice the smaller tail of the hypergeometric distribution', () => {
  // All 3 marked of 10 are among 3 drawn: 1 of 120.
  expect(drawnShareP(3, 3, 3, 10)).toBeCloseTo(2 / 120, 12)
  // None of them: 35 of 120.
  expect(drawnShareP(0, 3, 3, 10)).toBeCloseTo(70 / 120, 12)
  expect(drawnShareP(0, 3, 0, 10)).toBe(1)
  expect(drawnShareP(5, 5, 10, 10)).toBe(1)
})

it('is at least the two-sided test, and at most twice as large', () => {
  const random = randomOf(3)
  for (let tries = 0; tries < 200; tries++) {
    const all = 20 + Math.floor(random() * 400)
    const drawn = 1 + Math.floor(random() * (all - 1))
    const marked = Math.floor(random() * all)
    const found = Math.max(0, drawn + marked - all) + Math.floor(random() * (Math.min(drawn, marked) + 1))
    if (found > Math.min(drawn, marked)) continue
    const exact = fisherP([drawn - found, found], [all - drawn - marked + found, marked - found])
    const own = drawnShareP(found, drawn, marked, all)
    expect(own).toBeLessThanOrEqual(Math.min(1, 2 * exact) * (1 + 1e-6) + 1e-12)
    expect(own).toBeGreaterThanOrEqual(exact * (0.5 - 1e-6))
  }
})

it('one rare request in a small box of a long run is chance', () => {
  expect(drawnShareP(1, 50, 1, 10_000)).toBeCloseTo(0.01, 6)
  expect(drawnShareP(200, 1_000, 20_000, 10_000_000)).toBeLessThan(1e-100)
})
