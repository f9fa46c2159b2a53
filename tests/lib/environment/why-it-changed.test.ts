import { describe, expect, it } from 'vitest'
import { isOffWithEnvironment, type StoredSeries } from '@/lib/environment/why-it-changed'

const day = 86_400
const nights = 20
/** A series whose last run is `factor` times as slow, on this commit; minutes after the ones before it. */
const series = (id: string, minute: number, factor: number, commit: string, isControl = false): StoredSeries => ({
  place: { id, environment: 'm7i.large', isControl },
  runs: Array.from({ length: nights + 1 }, (_, night) => ({
    time: night * day + minute * 60,
    commit: night === nights ? commit : `before-${night}`,
    value: 100 * (1 + 0.02 * Math.sin(night * 2.4 + minute)) * (night === nights ? factor : 1),
  })),
  levels: [],
})
const found = { seriesId: 'cart', time: nights * day, change: Math.log(1.5) }
const cart = series('cart', 0, 1.5, 'a')

describe('a run that is off', () => {
  it('is so with its environment if the control of that night is, and not if it stayed', () => {
    expect(isOffWithEnvironment(found, [cart, series('control', 10, 1.5, 'pinned', true)])).toBe(true)
    const [stayed, moved] = [series('control', 10, 1, 'pinned', true), series('search', 20, 1.5, 'b')]
    expect(isOffWithEnvironment(found, [cart, stayed, moved, series('order', 30, 1.5, 'c')])).toBe(false)
  })

  it('is so without a control if most others are, by other commits', () => {
    const others = (commit: string) => [series('search', 10, 1.5, commit), series('order', 20, 1.5, commit)]
    expect(isOffWithEnvironment(found, [cart, ...others('b')])).toBe(true)
    expect(isOffWithEnvironment(found, [cart, ...others('a')])).toBe(false)
    expect(isOffWithEnvironment(found, [cart, series('search', 10, 1.5, 'b'), series('order', 20, 1, 'b')])).toBe(false)
    expect(isOffWithEnvironment(found, [cart])).toBe(false)
  })
})
