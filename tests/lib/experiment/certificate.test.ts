import { describe, expect, it } from 'vitest'
import { canHold, certifyMetric, falseAlarmsOf } from '@/lib/experiment/certificate'
import { orderOf } from '@/lib/experiment/order'
import type { Round } from '@/lib/experiment/round'
import { exactShareInterval } from '@/lib/stats/share-interval'
import { invert } from '@/lib/stats/linear'
import { SimulatedMachine } from './simulated-machine'

const arms = ['base', 'control']
const experiments = (count: number, deviation: number, places: readonly number[], control = 0): readonly Round[][] => {
  const machine = new SimulatedMachine({ seed: 11, noise: 'normal', deviation, places, drift: 0.05 })
  return Array.from({ length: count }, (_, at) =>
    Array.from({ length: 10 }, (_of, index) => machine.round(orderOf(arms, `${at}`, index), { control }) ?? []).flat(),
  )
}

describe('a certificate', () => {
  it('knows noise, place and false alarms of an honest set-up', () => {
    const calm = experiments(20, 0.02, [0.04])
    const certificate = certifyMetric(calm)
    // Two runs of 2 % each.
    expect(certificate?.deviation).toBeCloseTo(0.02 * Math.SQRT2, 2)
    expect(certificate?.place).toMatchObject({ place: 2, isNamed: true })
    expect(certificate?.place.effectRatio).toBeCloseTo(Math.expm1(0.04), 2)
    expect(falseAlarmsOf(calm, 0.05)).toMatchObject({ total: 20, isFit: true })
  })

  it('calls a set-up unfit whose control differs from base', () => {
    const { count, isFit } = falseAlarmsOf(experiments(20, 0.02, [], 0.06), 0.05)
    expect([count > 10, isFit]).toEqual([true, false])
  })

  it('holds no threshold below what it shows', () => {
    const certificate = certifyMetric(experiments(20, 0.02, []))
    if (certificate === null) throw new Error('20 experiments are enough')
    expect(canHold(certificate, 0.05, 12, 0.05)).toBe(true)
    expect(canHold(certificate, 0.015, 12, 0.05)).toBe(false)
    expect(canHold(certificate, 0.025, 24, 0.05)).toBe(true)
  })

  it('needs experiments', () => {
    expect(certifyMetric(experiments(1, 0.02, []))).toBeNull()
    expect(falseAlarmsOf([], 0.05)).toMatchObject({ count: 0, total: 0, low: 0, high: 1, isFit: true })
  })
})

describe('an exact interval of a share', () => {
  it.each([
    [1, 18, 0.0014, 0.2729],
    [0, 10, 0, 0.3085],
    [10, 10, 0.6915, 1],
    [5, 100, 0.0164, 0.1128],
  ])('%d of %d: %d to %d', (count, total, low, high) => {
    expect(exactShareInterval(count, total)).toEqual([expect.closeTo(low, 4), expect.closeTo(high, 4)])
  })
})

it('inverts a matrix, but no singular one', () => {
  const rounded = invert([
    [2, 1],
    [1, 3],
  ])?.map((row) => row.map((value) => Math.round(10 * value) / 10))
  expect(rounded).toEqual([
    [0.6, -0.2],
    [-0.2, 0.4],
  ])
  expect(
    invert([
      [1, 2],
      [2, 4],
    ]),
  ).toBeNull()
})
