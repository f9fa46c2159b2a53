import { describe, expect, it } from 'vitest'
import { aheadOf, courseOf } from '@/lib/experiment/course'
import { experimentOf } from '@/lib/experiment/experiment'
import { planOf, playExperiment } from './played'

const calm = { noise: 'normal', deviation: 0.015, seed: 4 } as const

describe('courseOf', () => {
  it('has at each round the interval that the experiment was judged by', () => {
    for (const [seed, head] of [
      [1, 0.1],
      [2, -0.1],
      [3, 0],
      [4, 0.04],
    ] as const) {
      const plan = planOf({ arms: ['base', 'head', 'control'], seed: String(seed) })
      const { finished } = playExperiment(plan, { ...calm, seed }, { head })
      const { points } = courseOf(plan, finished)
      points.forEach(({ effect }, at) => {
        expect(effect).toEqual(experimentOf(plan, finished.slice(0, at + 1)).effect)
      })
    }
  })

  it('an estimate is in a region at an evaluation only where it ended', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const plan = planOf({ seed: String(seed) })
      const head = [0, 0.03, 0.07, -0.12][seed % 4] ?? 0
      const { finished, reason } = playExperiment(plan, { ...calm, seed }, { head })
      const { points, bounds } = courseOf(plan, finished)
      const past = bounds.filter(({ isAhead }) => !isAhead)
      const ended = past.map(({ rounds, different, same }) => {
        const log = Math.log1p(points[rounds - 1]?.effect?.effectRatio ?? 0)
        return Math.abs(log) > different || Math.abs(log) < same
      })
      const decides = reason === 'different' || reason === 'same'
      expect(ended, `${seed}: ${reason}`).toEqual(past.map((_, at) => decides && at === past.length - 1))
    }
  })
})

describe('aheadOf', () => {
  it('bounds close in on what matters, and open for the same', () => {
    const plan = planOf()
    const { finished } = playExperiment(planOf({ seed: 'b' }), calm, { head: 0.1 })
    const ahead = aheadOf(plan, finished.slice(0, 5))
    expect(ahead.map(({ rounds }) => rounds)).toEqual([6, 8, 10, 12, 14, 16, 18, 20, 22, 24])
    ahead.slice(1).forEach(({ different, same }, at) => {
      expect(different).toBeLessThanOrEqual(ahead[at]?.different ?? 0)
      expect(same).toBeGreaterThanOrEqual(ahead[at]?.same ?? 0)
    })
    expect(ahead.at(-1)?.different).toBeCloseTo(Math.log(1.05))
  })
})
