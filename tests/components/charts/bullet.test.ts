import { describe, expect, it } from 'vitest'
import { prepareBullet } from '@/components/charts/bullet'

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
