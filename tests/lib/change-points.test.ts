import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { alertSettings, findChangePoints, historySettings, type DetectorSettings } from '@/lib/change-points'
import { lookAgain, type TrackedChange } from '@/lib/change-tracker'
import { randomFrom } from '../fuzz/random'

const recorded = z
  .array(
    z.object({ id: z.string(), values: z.array(z.number()), history: z.array(z.number()), alert: z.array(z.number()) }),
  )
  .parse(JSON.parse(readFileSync('tests/fixtures/change-points/synthetic.json', 'utf8')))
/** The settings of the prototype whose findings were recorded. */
const prototypeAlerts = {
  ...alertSettings,
  smallAlphaFactor: 0.5,
  newestRankAlpha: 1,
  placement: 'best',
} as const
const indices = (values: readonly number[], settings = alertSettings) =>
  findChangePoints(values, settings).map((change) => change.index)

/** Quiet, deterministic noise of about ±`share`. */
const wobble = (count: number, share: number) =>
  Array.from({ length: count }, (_, at) => 1 + share * Math.sin(at * 12.9898) * Math.cos(at * 4.1414))

describe('findChangePoints', () => {
  it('finds what the measured prototype finds', () => {
    expect(recorded.length).toBeGreaterThan(100)
    for (const { id, values, history, alert } of recorded) {
      expect(indices(values, historySettings), `${id} history`).toEqual(history)
      expect(indices(values, prototypeAlerts), `${id} alert`).toEqual(alert)
    }
  })
  it('tells size, interval and direction', () => {
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
  it('places changes of the size of the noise nearer to where they are than the best place is', () => {
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
  it('says nothing of fewer than 5 runs, a constant, or a jump below what matters', () => {
    expect(indices([1, 2, 30, 40])).toEqual([])
    expect(indices(Array<number>(50).fill(7))).toEqual([])
    expect(indices([...Array<number>(30).fill(100), ...Array<number>(30).fill(104)])).toEqual([])
    expect(indices([])).toEqual([])
  })
  it('waits for more runs while the rank test could not object', () => {
    const stepped = (before: number, after: number) =>
      wobble(before + after, 0.01).map((value, at) => 100 * value * (at < before ? 1 : 1.3))
    const whateverTheRanks = { ...alertSettings, newestRankAlpha: 1 }
    // The smallest p: 2 / C(7, 2) = 0.095, 2 / C(11, 3) = 0.012; 2 / C(9, 4) = 0.016, 2 / C(10, 5) = 0.008; 2 / C(27, 2) = 0.006.
    expect(indices(stepped(5, 2), whateverTheRanks)).toEqual([5])
    expect(indices(stepped(5, 2))).toEqual([])
    expect(indices(stepped(8, 3), whateverTheRanks)).toEqual([8])
    expect(indices(stepped(8, 3))).toEqual([])
    expect(indices(stepped(5, 4))).toEqual([])
    expect(indices(stepped(5, 5))).toEqual([5])
    expect(indices(stepped(25, 2))).toEqual([25])
  })
  it('asks more of a look at fewer than 8 runs of a level', () => {
    const looks = (settings: typeof alertSettings) =>
      Array.from({ length: 60 }, (_, step) =>
        wobble(26, 0.1).map((value, at) => value * (at < 20 ? 1 : 1.05 + step * 0.005)),
      ).flatMap((series) => findChangePoints(series, settings))
    const [now, before] = [looks(alertSettings), looks({ ...alertSettings, smallAlphaFactor: 0.5 })]
    expect(now.length).toBeGreaterThan(0)
    expect(Math.max(...now.map((change) => change.pRobust))).toBeLessThanOrEqual(2e-5)
    expect(before.filter((change) => change.pRobust > 2e-5)).toHaveLength(before.length - now.length)
    expect(before.length).toBeGreaterThan(now.length)
  })
  it('never alerts for one spike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 39 }), fc.double({ min: 1.5, max: 50, noNaN: true }), (at, height) => {
        const series = wobble(40, 0.03)
        series[at] = (series[at] ?? 1) * height
        expect(indices(series)).toEqual([])
      }),
      { seed: 1, numRuns: 100 },
    )
  })
  it('does not depend on the unit, and mirrors when the figure is inverted', () => {
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

describe('lookAgain', () => {
  it('raises one change once, however many runs follow', () => {
    const series = wobble(80, 0.02).map((value, at) => 100 * value * (at < 40 ? 1 : 1.25))
    let known: readonly TrackedChange[] = []
    const raised: number[] = []
    for (let count = 5; count <= series.length; count += 1) {
      const look = lookAgain(series.slice(0, count), known, alertSettings)
      known = look.tracked
      if (look.fresh.length > 0) raised.push(count)
    }
    expect(raised).toHaveLength(1)
    expect(raised[0]).toBeLessThanOrEqual(44)
    expect(known).toMatchObject([{ direction: 'up', missed: 0, change: { index: 40 } }])
  })
})
