import { describe, expect, it } from 'vitest'
import { alertSettings, findChangePoints, type DetectorSettings } from '@/lib/detect/change-points'
import { fisherP, modeShareP } from '@/lib/detect/mode-shares'
import { randomFrom } from '../../fuzz/random'

describe('fisherP', () => {
  it('sums the probabilities of all tables that are no more likely, matching exact fractions', () => {
    expect(fisherP([30, 8], [7, 14])).toBeCloseTo(0.0007872547585469972, 12)
    expect(fisherP([10, 0], [0, 5])).toBeCloseTo(0.000333000333000333, 12)
    expect(fisherP([3, 4], [9, 2])).toBeCloseTo(0.1414027149321267, 12)
    expect(fisherP([40, 20], [25, 35])).toBeCloseTo(0.010015640026179653, 12)
    expect(fisherP([5, 0], [7, 0])).toBe(1)
  })
})

/** Logarithms of runs in one of two modes 9 % apart, each with 1.5 % of noise (the sum of twelve uniform values). */
function twoModes(seed: number) {
  const random = randomFrom(seed)
  return (runs: number, share: number, level = 0) =>
    Float64Array.from(
      { length: runs },
      () =>
        level +
        (random() < share ? 0.09 : 0) +
        0.015 * (Array.from({ length: 12 }, random).reduce((sum, value) => sum + value) - 6),
    )
}

describe('modeShareP', () => {
  const noise = 0.03
  it('judges the shares where the modes stay, and does not object to a step that moves both', () => {
    const draw = twoModes(1)
    const shares = modeShareP(draw(40, 0.2), draw(20, 0.65), { before: 0, after: 0.09 }, noise)
    expect(shares).toBeGreaterThan(1e-5)
    expect(shares).toBeLessThan(0.05)
    expect(modeShareP(draw(40, 0.3), draw(20, 0.3, 0.1), { before: 0, after: 0.1 }, noise)).toBeNull()
  })
  it('does not object to a new mode, nor in series with one mode', () => {
    const draw = twoModes(2)
    expect(modeShareP(draw(40, 0), draw(20, 0.65), { before: 0, after: 0.09 }, noise)).toBeNull()
    expect(modeShareP(draw(30, 0), draw(30, 0, 0.03), { before: 0, after: 0.03 }, 0.015)).toBeNull()
    expect(modeShareP(draw(5, 0), draw(0, 0), { before: 0, after: 0 }, noise)).toBeNull()
    expect(modeShareP(new Float64Array(9), new Float64Array(9), { before: 0, after: 0 }, noise)).toBeNull()
  })
  it('gives the same result for inverted figures', () => {
    const draw = twoModes(3)
    const [before, after] = [draw(40, 0.2), draw(20, 0.65)]
    const inverted = [before, after].map((side) => side.map((value) => -value))
    const p = modeShareP(before, after, { before: 0, after: 0.09 }, noise)
    expect(p).not.toBeNull()
    const mirrored = modeShareP(inverted[0] ?? before, inverted[1] ?? after, { before: 0, after: -0.09 }, noise)
    expect(mirrored).toBeCloseTo(p ?? 0, 12)
  })
})

describe('alerts of series with two modes', () => {
  const found = (series: readonly Float64Array[], settings: DetectorSettings) =>
    series.filter((values) => findChangePoints(values.map(Math.exp), settings).length > 0).length
  const levelsOnly = { ...alertSettings, modeShareAlpha: 1 }

  it('wait until the shares themselves leave no doubt, and report steps as before', () => {
    const lucky: Float64Array[] = []
    const lasting: Float64Array[] = []
    const stepped: Float64Array[] = []
    for (let seed = 1; seed <= 60; seed += 1) {
      const draw = twoModes(seed)
      lucky.push(Float64Array.from([...draw(38, 0.2), ...draw(20, 0.65)]))
      lasting.push(Float64Array.from([...draw(58, 0.15), ...draw(60, 0.85)]))
      stepped.push(Float64Array.from([...draw(38, 0.3), ...draw(20, 0.3, 0.15)]))
    }
    expect(found(lucky, alertSettings)).toBeLessThan(found(lucky, levelsOnly) / 2)
    expect(found(lasting, alertSettings)).toBeGreaterThan(54)
    expect(found(stepped, alertSettings)).toBe(found(stepped, levelsOnly))
    expect(found(stepped, alertSettings)).toBeGreaterThan(54)
  })
})
