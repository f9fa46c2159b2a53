import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findWarmUp } from '@/lib/judge/warm-up'
import { caseCount } from '../../case-count'

/** Deterministic scatter of ± 3 %, without a trend. */
const scatter = (at: number) => 1 + 0.03 * Math.sin(at * 12.9898) * Math.cos(at * 78.233)
const bins = (count: number, level: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => 20 * level(at) * scatter(at))

/** Pseudorandom numbers from 0 to 1, the same each time. */
function uniformNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

describe('findWarmUp', () => {
  it('finds none in a steady run, whatever its level', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1_000, noNaN: true }), (factor) => {
        expect(findWarmUp(bins(100, () => factor))).toEqual({ kind: 'none' })
      }),
      { numRuns: caseCount(20) },
    )
  })

  it('mistakes scatter in the first bins for a warm-up in at most one run of 100', () => {
    const uniform = uniformNumbers(11)
    const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, one) => sum + one, -6)
    let found = 0
    for (let run = 0; run < 600; run += 1) {
      const spread = 0.02 + 0.2 * uniform()
      // Sometimes neighbouring bins share an effect of the machine.
      let drift = 0
      const levels = Array.from({ length: 40 + Math.floor(60 * uniform()) }, () => {
        drift = 0.5 * drift + 0.02 * normal()
        return 20 * Math.exp(spread * normal() + drift)
      })
      if (findWarmUp(levels)?.kind !== 'none') found += 1
    }
    expect(found).toBeLessThanOrEqual(6)
  })

  it('finds a first bin that is several times slower', () => {
    expect(findWarmUp(bins(80, (at) => (at === 0 ? 4 : 1)))).toMatchObject({ kind: 'ends', endBins: 1 })
  })

  it('finds the end of a step', () => {
    const warmUp = findWarmUp(bins(100, (at) => (at < 12 ? 3 : 1)))
    expect(warmUp?.kind === 'ends' ? Math.abs(warmUp.endBins - 12) : 99).toBeLessThanOrEqual(1)
  })

  it('finds where a decay falls to 10 % above the level', () => {
    // 2·e^(−x/8) is 0.1 at x = 8·ln 20 = 24.
    const warmUp = findWarmUp(bins(100, (at) => 1 + 2 * Math.exp(-(at + 0.5) / 8)))
    expect(warmUp?.kind === 'ends' ? Math.abs(warmUp.endBins - 24) : 99).toBeLessThanOrEqual(3)
  })

  it('reports never for a run that still changes at its end', () => {
    expect(findWarmUp(bins(100, (at) => 1 + at / 60))).toEqual({ kind: 'never' })
  })

  it('reports never for a run that doubles cleanly', () => {
    const rising = (count: number, level: (part: number) => number) =>
      Array.from({ length: count }, (_, at) => 10 * level(at / count) * (1 + 0.004 * Math.sin(7 * at)))
    for (const count of [24, 30, 40]) {
      expect(findWarmUp(rising(count, (part) => 1 + part))).toEqual({ kind: 'never' })
      expect(findWarmUp(rising(count, (part) => 1 + part ** 2))).toEqual({ kind: 'never' })
    }
  })

  it('reports never for a run that was slow for more than half', () => {
    for (const slow of [55, 65, 75]) {
      expect(findWarmUp(bins(100, (at) => (at < slow ? 2 : 1) * (1 + 0.01 * Math.sin(7 * at))))).toEqual({
        kind: 'never',
      })
    }
  })

  it('is null for fewer than 20 bins, and skips gaps', () => {
    expect(findWarmUp(bins(19, () => 1))).toBeNull()
    const withGaps = bins(100, (at) => (at < 12 ? 3 : 1)).map((value, at) => (at % 7 === 3 ? null : value))
    expect(findWarmUp(withGaps)?.kind).toBe('ends')
  })
})
