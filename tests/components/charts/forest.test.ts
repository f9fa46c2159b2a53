import { describe, expect, it } from 'vitest'
import { prepareForest, type ForestDelta } from '@/components/charts/forest'

const p99 = { unit: 'ms', direction: 'lower-is-better' } as const
const rate = { unit: 'per-second', direction: 'higher-is-better' } as const
const delta = (factor: number, more: Partial<ForestDelta> = {}): ForestDelta => ({
  factor,
  lowRatio: null,
  highRatio: null,
  marginRatio: 0.05,
  method: 'none',
  verdict: 'undecided',
  leaning: null,
  reason: null,
  ...more,
})
const cellOf = (metric: typeof p99 | typeof rate, one: ForestDelta) =>
  prepareForest([{ metric, deltas: [one] }]).rows[0]?.[0] ?? expect.fail('no cell')

describe('the size of each change', () => {
  it('lies right of the centre if it is better, for every metric', () => {
    expect(cellOf(p99, delta(0.5)).mark?.at).toBeGreaterThan(0.5)
    expect(cellOf(rate, delta(0.5)).mark?.at).toBeLessThan(0.5)
    // Twice as good is equally far for both: the axis is a ratio.
    expect(cellOf(p99, delta(0.5)).mark?.at).toBeCloseTo(cellOf(rate, delta(2)).mark?.at ?? 0)
    expect(cellOf(p99, delta(1)).mark?.at).toBe(0.5)
  })

  it('is hollow without an interval, and drawn with its interval otherwise', () => {
    expect(cellOf(p99, delta(2)).mark).toMatchObject({ from: null, to: null, beyond: null })
    const shown = delta(1.08, { method: 'sign-flip', verdict: 'worse', lowRatio: 0.04, highRatio: 0.12 })
    const { mark, zone } = cellOf(p99, shown)
    expect(mark).toMatchObject({ tone: 'worse', isOpen: [false, false] })
    expect(mark?.from).toBeLessThan(mark?.at ?? 0)
    expect(mark?.at).toBeLessThan(mark?.to ?? 0)
    // 4 % worse lies inside the margin of 5 %, 12 % does not.
    expect(mark?.to).toBeGreaterThan(zone?.left ?? 1)
    expect(mark?.from).toBeLessThan(zone?.left ?? 0)
    expect(0.5 - (zone?.left ?? 0)).toBeCloseTo((zone?.right ?? 0) - 0.5)
    const open = { ...shown, verdict: 'undecided', lowRatio: null } as const
    expect(cellOf(p99, open).mark).toMatchObject({ tone: 'quiet', isOpen: [false, true] })
  })

  it('explains hollow marks only if there is one: ratios have none, nor does a known noise', () => {
    const success = { unit: 'ratio', direction: 'higher-is-better' } as const
    const share = { metric: success, deltas: [delta(1)] }
    const known = { metric: p99, deltas: [delta(0.94, { method: 'history', lowRatio: -0.14, highRatio: 0.03 })] }
    expect(prepareForest([known, share]).hasHollow).toBe(false)
    expect(prepareForest([known, share, { metric: rate, deltas: [delta(1.2)] }]).hasHollow).toBe(true)
    // Off the axis it is an arrow.
    expect(prepareForest([known, share, { metric: rate, deltas: [delta(88)] }]).hasHollow).toBe(false)
  })

  it('has no colour for one run a side, however far apart', () => {
    expect(cellOf(p99, delta(1.4, { leaning: 'worse' })).mark?.tone).toBe('quiet')
    expect(cellOf(p99, delta(2, { leaning: 'worse' })).mark?.tone).toBe('quiet')
    expect(cellOf(rate, delta(2, { leaning: 'better' })).mark?.tone).toBe('quiet')
  })

  it('becomes an arrow with its number beyond the axis, so that it does not compress the others', () => {
    const { rows, scale } = prepareForest([
      { metric: p99, deltas: [delta(1 / 72.6, { leaning: 'better' }), delta(1.3)] },
    ])
    expect(rows[0]?.[0]?.mark).toMatchObject({ beyond: 'right', at: 1, text: '×72.6' })
    expect(rows[0]?.[1]?.mark?.at).toBeLessThan(0.4)
    expect(scale.ticks.map(({ text }) => text)).toEqual(['×1.5', '×1.2', 'same', '×1.2', '×1.5'])
  })

  it('is not drawn if there is no ratio, or no verdict is possible', () => {
    expect(cellOf(p99, delta(2, { reason: 'no request succeeded' })).mark).toBeNull()
    expect(cellOf(p99, { ...delta(1), factor: null }).mark).toBeNull()
    const share = { unit: 'ratio', direction: 'lower-is-better' } as const
    expect(prepareForest([{ metric: share, deltas: [delta(3)] }]).rows[0]?.[0]).toEqual({ zone: null, mark: null })
    const neutral = { unit: 'count', direction: 'neutral' } as const
    expect(prepareForest([{ metric: neutral, deltas: [delta(3)] }]).rows[0]?.[0]?.mark).toBeNull()
  })
})
