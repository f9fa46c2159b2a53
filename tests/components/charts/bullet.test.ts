import { describe, expect, it } from 'vitest'
import { prepareBullet, prepareOnLevel, reachOf } from '@/components/charts/bullet'

const range = { level: 63, low: 51, high: 80, state: 'as-expected' } as const

describe('a value in its expected range', () => {
  it('lies within the band, or beyond its ends', () => {
    const inside = prepareBullet({ ...range, value: 70 })
    expect(inside?.value).toBeGreaterThan(inside?.low ?? 1)
    expect(inside?.value).toBeLessThan(inside?.high ?? 0)
    const above = prepareBullet({ ...range, value: 97.6, state: 'unusual' })
    expect(above?.value).toBeGreaterThan(above?.high ?? 1)
    expect(above?.state).toBe('unusual')
    const below = prepareBullet({ ...range, value: 40 })
    expect(below?.value).toBeLessThan(below?.low ?? 0)
  })

  it('stays on the axis however far off it is, and the band stays wide enough to see', () => {
    const far = prepareBullet({ ...range, value: 30_000 })
    expect(far?.value).toBeLessThanOrEqual(0.96)
    expect((far?.high ?? 0) - (far?.low ?? 0)).toBeGreaterThan(0.2)
  })

  it('shows the previous range as far as it reaches', () => {
    const moved = prepareBullet({ ...range, value: 70, before: { low: 30, high: 49 } })
    expect(moved?.before?.low).toBeLessThan(moved?.before?.high ?? 0)
    expect(moved?.before?.high).toBeLessThan(moved?.low ?? 0)
    expect(prepareBullet({ ...range, value: 70 })?.before).toBeNull()
  })

  it('has no level line if the level is unknown, and draws nothing if the range has no width', () => {
    expect(prepareBullet({ ...range, level: null, value: 70 })?.level).toBeNull()
    expect(prepareBullet({ ...range, low: 0, high: 0, value: 0 })).toBeNull()
  })
})

describe('figures on one axis, by their distance from their levels', () => {
  const p95 = { value: 46.6, level: 47, low: 43.9, high: 50.3, others: [45, 49], before: { low: 38.3, high: 45 } }
  const served = { value: 1_976, level: 1_976, low: 1_877, high: 2_081, others: [] }

  it('reaches as far as the farthest of all', () => {
    expect(reachOf([served])).toBe(0.1)
    expect(reachOf([served, p95])).toBe(0.2)
    expect(reachOf([{ ...p95, value: 4_700 }])).toBe(0.5)
  })

  it('has every level in the middle, other runs as ticks, and what is beyond at its end', () => {
    const drawn = prepareOnLevel({ ...p95, state: 'as-expected' }, 0.2)
    expect([drawn.level, prepareOnLevel({ ...served, state: null }, 0.2).level]).toEqual([0.5, 0.5])
    expect(drawn.value).toBeCloseTo(0.5 - (0.4 / 47 / 0.2) * 0.46, 6)
    expect(drawn.others?.map((one) => one < 0.5)).toEqual([true, false])
    expect(drawn.before?.high).toBeLessThan(drawn.value)
    expect(prepareOnLevel({ ...p95, state: null, value: 470 }, 0.2).value).toBeCloseTo(0.96, 6)
  })
})
