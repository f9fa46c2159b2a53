import { describe, expect, it } from 'vitest'
import { risingValues } from '@/lib/stats/isotonic'
import { normalQuantile } from '@/lib/stats/distributions'
import { seededNormals } from '@/lib/stats/seeded-normals'
import { boundOfNone, wilsonBounds } from '@/lib/stats/share-interval'

describe('risingValues', () => {
  it('pools violators by weight', () => {
    expect(risingValues([1, 3, 2, 4], [1, 1, 1, 1])).toEqual([1, 2.5, 2.5, 4])
    expect(risingValues([5, 1], [1, 3])).toEqual([2, 2])
    expect(risingValues([3, 2, 1], [1, 1, 1])).toEqual([2, 2, 2])
    expect(risingValues([], [])).toEqual([])
  })
})

describe('bounds of a share', () => {
  it('are Wilson’s', () => {
    const [low, high] = wilsonBounds(10, 100, 1.96)
    expect(low).toBeCloseTo(0.0552, 4)
    expect(high).toBeCloseTo(0.1744, 4)
    expect(wilsonBounds(0, 0, 2)).toEqual([0, 1])
    expect(boundOfNone(3_000)).toBeCloseTo(0.001, 5)
    expect(boundOfNone(0)).toBe(1)
  })
})

describe('normals', () => {
  it('have the right quantiles, and are the same for a seed', () => {
    expect(normalQuantile(0.025)).toBeCloseTo(1.959964, 5)
    expect(normalQuantile(0.5)).toBeCloseTo(0, 6)
    const [one, other] = [seededNormals(7), seededNormals(7)]
    const values = Array.from({ length: 4_000 }, one)
    expect(values.slice(0, 3)).toEqual([other(), other(), other()])
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
    expect(Math.abs(mean)).toBeLessThan(0.05)
    expect(variance).toBeGreaterThan(0.95)
    expect(variance).toBeLessThan(1.05)
  })
})
