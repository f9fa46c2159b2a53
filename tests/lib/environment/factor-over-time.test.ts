import { describe, expect, it } from 'vitest'
import { factorOverTime } from '@/lib/environment/factor-over-time'
import type { StoredSeries } from '@/lib/environment/why-it-changed'

const day = 86_400
const nights = 30

interface Planted {
  readonly id: string
  readonly minute: number
  /** What its environment and its code do to it, by night. */
  readonly at: (night: number) => number
  readonly from?: number
  readonly levels?: readonly number[]
}

const series = ({ id, minute, at, from = 0, levels = [] }: Planted): StoredSeries => ({
  place: { id, environment: 'm7i.large', isControl: id === 'control' },
  runs: Array.from({ length: nights - from }, (_, place) => {
    const night = from + place
    const noise = 1 + 0.02 * Math.sin(night * 2.4 + minute)
    return { time: night * day + minute * 60, commit: `c${night}`, value: (10 + minute) * noise * at(night) }
  }),
  levels: levels.map((night) => night * day + minute * 60),
})

/** Three times as slow in the nights 12 to 19. */
const machine = (night: number) => (night >= 12 && night < 20 ? 3 : 1)
const shifts = [12 * day, 20 * day]

describe('the common factor of an environment', () => {
  it('is what its series do together, and 1 again once it is back', () => {
    const all = [0, 10, 20].map((minute) => series({ id: `s${minute}`, minute, at: machine, levels: [12, 20] }))
    const control = series({ id: 'control', minute: 30, at: machine, levels: [12, 20] })
    const found = factorOverTime([control, ...all], shifts)
    expect(found).toHaveLength(nights)
    for (const [night, { factor, low, high, control: alone, series: count }] of found.entries()) {
      expect(factor / machine(night)).toBeGreaterThan(0.95)
      expect(factor / machine(night)).toBeLessThan(1.05)
      expect(low).toBeLessThan(factor)
      expect(high).toBeGreaterThan(factor)
      expect((alone ?? 0) / machine(night)).toBeCloseTo(1, 1)
      expect(count).toBe(4)
    }
  })

  it('is not moved by a step of one series, and known to one that began during a shift', () => {
    const slower = (night: number) => machine(night) * (night >= 24 ? 2 : 1)
    const all = [
      series({ id: 'a', minute: 0, at: machine, levels: [12, 20] }),
      series({ id: 'b', minute: 10, at: slower, levels: [12, 20, 24] }),
      series({ id: 'late', minute: 20, at: machine, from: 14, levels: [20] }),
    ]
    const found = factorOverTime(all, shifts)
    for (const [night, { factor }] of found.entries()) {
      expect(factor / machine(night)).toBeGreaterThan(0.93)
      expect(factor / machine(night)).toBeLessThan(1.07)
    }
  })

  it('has one value for the runs of a night, cut where the environment moved, and none without runs', () => {
    const runs = [0, 1, 2, 3, 4, 5, 6, 7].map((hour) => ({
      time: hour * 3600,
      commit: null,
      value: hour < 4 ? 10 : 20,
    }))
    const one = { place: { id: 'a', environment: 'e', isControl: false }, runs, levels: [4 * 3600] }
    const found = factorOverTime([one, { ...one, place: { ...one.place, id: 'b' } }], [4 * 3600])
    expect(found.map(({ time }) => time / 3600)).toEqual([0, 4])
    expect(found.map(({ factor }) => Math.round(factor))).toEqual([1, 2])
    expect(factorOverTime([], [])).toEqual([])
  })
})
