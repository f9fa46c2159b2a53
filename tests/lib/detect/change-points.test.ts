import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { alertSettings, findChangePoints, historySettings, type DetectorSettings } from '@/lib/detect/change-points'
import { trackChanges, type TrackedChange } from '@/lib/levels/change-tracker'
import { noisySeries } from '../../bench/noisy-series'
import { randomFrom } from '../../fuzz/random'
import { caseCount } from '../../case-count'

const recorded = z
  .array(
    z.object({ id: z.string(), values: z.array(z.number()), history: z.array(z.number()), alert: z.array(z.number()) }),
  )
  .parse(JSON.parse(readFileSync('tests/fixtures/change-points/synthetic.json', 'utf8')))
/** The settings of the prototype whose findings were recorded. */
const prototypeAlerts = {
  ...alertSettings,
  alphaShares: [{ below: 8, share: 0.5 }],
  smallRankAlpha: alertSettings.rankAlpha,
  newestRankAlpha: 1,
  excursionChance: 1,
  modeShareAlpha: 1,
  placement: 'best',
} as const
const indices = (values: readonly number[], settings = alertSettings) =>
  findChangePoints(values, settings).map((change) => change.index)

/** Changes that are seen run by run. */
function seenIn(values: readonly number[], settings = alertSettings) {
  let known: readonly TrackedChange[] = []
  return values.flatMap((_, at) => {
    const tracking = trackChanges(values.slice(0, at + 1), known, settings)
    known = tracking.tracked
    return tracking.fresh
  })
}

/** Quiet, deterministic noise of about ±`share`. */
const wobble = (count: number, share: number) =>
  Array.from({ length: count }, (_, at) => 1 + share * Math.sin(at * 12.9898) * Math.cos(at * 4.1414))

describe('findChangePoints', () => {
  it('finds what the recorded prototype finds', () => {
    expect(recorded.length).toBeGreaterThan(100)
    for (const { id, values, history, alert } of recorded) {
      expect(indices(values, historySettings), `${id} history`).toEqual(history)
      expect(indices(values, prototypeAlerts), `${id} alert`).toEqual(alert)
    }
  })
  it('reports size, interval and direction', () => {
    const series = wobble(40, 0.02).map((value, at) => 100 * value * (at < 25 ? 1 : 1.2))
    const [change, ...more] = findChangePoints(series, alertSettings)
    expect(more).toEqual([])
    expect(change).toMatchObject({ index: 25, kind: 'step', before: 25, after: 15 })
    expect(change?.effectRatio).toBeGreaterThan(0.18)
    expect(change?.effectRatio).toBeLessThan(0.22)
    expect(change?.effectLowRatio).toBeLessThan(0.2)
    expect(change?.effectHighRatio).toBeGreaterThan(0.2)
    expect(change?.earliest).toBeLessThanOrEqual(25)
    expect(change?.latest).toBeGreaterThanOrEqual(25)
  })
  it('locates changes the size of the noise closer to the truth than the best position does', () => {
    const random = randomFrom(7)
    // The sum of twelve uniform values: nearly normal, standard deviation 1.
    const normal = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value) - 6
    const series = Array.from({ length: 300 }, () =>
      Array.from({ length: 60 }, (_, at) => Math.exp(0.1 * normal() + (at < 30 ? 0 : 0.15))),
    )
    const farOff = (settings: DetectorSettings) =>
      series.flatMap((values) => indices(values, settings)).filter((index) => Math.abs(index - 30) > 5).length
    expect(farOff({ ...alertSettings, placement: 'best' })).toBeGreaterThan(1.3 * farOff(alertSettings))
  })
  it('reports nothing for fewer than 5 runs, a constant, or a jump below the smallest effect', () => {
    expect(indices([1, 2, 30, 40])).toEqual([])
    expect(indices(Array<number>(50).fill(7))).toEqual([])
    expect(indices([...Array<number>(30).fill(100), ...Array<number>(30).fill(104)])).toEqual([])
    expect(indices([])).toEqual([])
  })
  it('waits for more runs while the rank test could not object', () => {
    const stepped = (before: number, after: number) =>
      wobble(before + after, 0.01).map((value, at) => 100 * value * (at < before ? 1 : 1.3))
    const whateverTheRanks = { ...alertSettings, newestRankAlpha: 1, excursionChance: 1 }
    // The smallest p: 2 / C(11, 3) = 0.012; 2 / C(9, 4) = 0.016, 2 / C(10, 5) = 0.008.
    expect(indices(stepped(8, 3), whateverTheRanks)).toEqual([8])
    expect(indices(stepped(8, 3))).toEqual([])
    expect(indices(stepped(5, 4))).toEqual([])
    expect(indices(stepped(5, 5))).toEqual([5])
  })
  it('needs three runs of a level, however far they are', () => {
    const stepped = (after: number) => wobble(50 + after, 0.01).map((value, at) => 100 * value * (at < 50 ? 1 : 10))
    expect(indices(stepped(2))).toEqual([])
    expect(indices(stepped(3))).toEqual([50])
  })
  it('requires more of a change the fewer runs a side has, and less of the first three', () => {
    const largestP = (after: number) => {
      const found = Array.from({ length: 400 }, (_, step) =>
        wobble(20 + after, 0.1).map((value, at) => value * (at < 20 ? 1 : 1.04 + step * 0.001)),
      ).flatMap((series) => findChangePoints(series, alertSettings))
      expect(found.length).toBeGreaterThan(0)
      return Math.max(...found.filter((change) => change.after === after).map((change) => change.pRobust))
    }
    expect(largestP(3)).toBeLessThanOrEqual(1e-5)
    expect(largestP(6)).toBeLessThanOrEqual(2e-6)
    expect(largestP(10)).toBeLessThanOrEqual(2e-5)
    expect(largestP(10)).toBeGreaterThan(2e-6)
    expect(largestP(16)).toBeGreaterThan(2e-5)
  })
  it('does not mistake outliers in a row for a level if runs have left it for as long before', () => {
    const stepped = (isStray: (at: number) => boolean) =>
      wobble(43, 0.02).map((value, at) => value * (at >= 40 ? 1.6 : isStray(at) ? 1.5 : 1))
    // By chance (1 / 42) · 0.15² = 0.0005; with one stray of 40, (2 / 42) · 0.1² = 0.0005.
    expect(indices(stepped(() => false))).toEqual([40])
    expect(indices(stepped((at) => at === 20))).toEqual([40])
    // Three strays that followed each other: (4 / 42) · (2.3 / 5)² = 0.02.
    const inARow = stepped((at) => at >= 20 && at < 23)
    expect(indices(inARow)).toEqual([])
    expect(indices(inARow, { ...alertSettings, excursionChance: 1 })).toEqual([40])
  })
  it('asks how runs strayed before: fewer false alarms where they do', () => {
    const series = noisySeries('straying', 1).filter(({ family }) => family === 'bursts' || family === 'stickyModes')
    const falseAlarms = (settings: DetectorSettings) =>
      series.reduce((sum, { values }) => sum + seenIn(values, settings).length, 0)
    const asked = falseAlarms(alertSettings)
    expect(asked).toBeLessThanOrEqual(9)
    expect(falseAlarms({ ...alertSettings, excursionChance: 1 })).toBeGreaterThan(asked)
  })
  it('never alerts for one spike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 39 }), fc.double({ min: 1.5, max: 50, noNaN: true }), (at, height) => {
        const series = wobble(40, 0.03)
        series[at] = (series[at] ?? 1) * height
        expect(indices(series)).toEqual([])
      }),
      { seed: 1, numRuns: caseCount(100) },
    )
  })
  it('does not depend on the unit, and is mirrored if the figure is inverted', () => {
    const picked = recorded
      .filter(({ values }) => values.length <= 100 && values.every((value) => value > 0))
      .slice(0, 40)
    for (const { values } of picked) {
      expect(indices(values.map((value) => value * 1024))).toEqual(indices(values))
      const inverse = findChangePoints(
        values.map((value) => 1 / value),
        alertSettings,
      )
      const straight = findChangePoints(values, alertSettings)
      expect(inverse.map((change) => change.index)).toEqual(straight.map((change) => change.index))
      inverse.forEach((change, at) =>
        expect(Math.sign(change.effectRatio)).toBe(-Math.sign(straight[at]?.effectRatio ?? 0)),
      )
    }
  })
})

describe('trackChanges', () => {
  it('raises a change once, however many runs follow', () => {
    const series = wobble(80, 0.02).map((value, at) => 100 * value * (at < 40 ? 1 : 1.25))
    let known: readonly TrackedChange[] = []
    const raised: number[] = []
    for (let count = 5; count <= series.length; count += 1) {
      const tracking = trackChanges(series.slice(0, count), known, alertSettings)
      known = tracking.tracked
      if (tracking.fresh.length > 0) raised.push(count)
    }
    expect(raised).toHaveLength(1)
    expect(raised[0]).toBeLessThanOrEqual(44)
    expect(known).toMatchObject([{ direction: 'up', missed: 0, change: { index: 40 } }])
  })
})
