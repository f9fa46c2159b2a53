import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeOf, type CurvePoint } from '@/lib/matrix/knee'

const curve = (xs: readonly number[], of: (x: number) => number): CurvePoint[] => xs.map((x) => ({ x, y: of(x) }))
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

describe('the knee of a curve', () => {
  it('is where a hockey stick bends', () => {
    expect(shapeOf(curve(upTo(10), (x) => (x <= 7 ? 20 : 20 + (x - 7) * 300)))).toEqual({
      kind: 'knee',
      at: 6,
      bend: 'steeper',
    })
  })
  it('is where throughput saturates, even with steps of powers of two', () => {
    const connections = Array.from({ length: 11 }, (_, at) => 2 ** at)
    expect(shapeOf(curve(connections, (x) => 100 * Math.min(x, 64)))).toEqual({ kind: 'knee', at: 6, bend: 'flatter' })
  })
  it('is where throughput peaks before it falls', () => {
    const peak = [0, 500, 1000, 900, 700].map((y, at) => ({ x: at, y }))
    expect(shapeOf(peak)).toEqual({ kind: 'knee', at: 2, bend: 'flatter' })
  })
  it('matches Kneedle’s own example: y = −1/x + 5 between 0 and 1 bends at 0.22…0.33', () => {
    const xs = Array.from({ length: 10 }, (_, at) => 0.1 + at * 0.1)
    const shape = shapeOf(curve(xs, (x) => -1 / x + 5))
    // From 0.1 to 1 the distance is greatest at x = 1/√10 ≈ 0.316: the step at 0.3.
    expect(shape).toEqual({ kind: 'knee', at: 2, bend: 'flatter' })
  })
  it('is absent in a line, a flat curve, a gentle curve, or noise', () => {
    expect(shapeOf(curve([100, 500, 1000], (x) => 522.9 + x))).toMatchObject({ kind: 'straight' })
    expect(shapeOf(curve(upTo(8), (x) => 100 + (x % 2)))).toMatchObject({ kind: 'flat' })
    expect(shapeOf(curve(upTo(6), (x) => x ** 1.4))).toMatchObject({ kind: 'straight' })
    expect(shapeOf([10, 20, 10, 20, 10, 20].map((y, x) => ({ x, y }))).kind).not.toBe('straight')
  })
  it('needs five points, and says how many there are', () => {
    expect(shapeOf(curve([250, 300], (x) => x ** 9))).toEqual({ kind: 'too-few', count: 2 })
    expect(shapeOf([1, 1, 1, 9].map((y, x) => ({ x, y })))).toEqual({ kind: 'too-few', count: 4 })
  })
  it('does not depend on the units of either axis', () => {
    const ys = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 5, maxLength: 12 })
    fc.assert(
      fc.property(ys, fc.constantFrom(1e-3, 60, 1_024), fc.constantFrom(1e-3, 1_000), (values, x, y) => {
        const plain = shapeOf(values.map((value, at) => ({ x: at + 1, y: value })))
        const scaled = shapeOf(values.map((value, at) => ({ x: (at + 1) * x, y: value * y })))
        // Equal distances may round either way; kinds and clear knees may not.
        fc.pre(plain.kind === 'knee')
        expect(scaled.kind).toBe('knee')
      }),
      { seed: 20261121 },
    )
  })
  it('of a line turned upside down bends the other way', () => {
    const up = curve(upTo(10), (x) => (x <= 7 ? 20 : 20 + (x - 7) * 300))
    const down = up.map(({ x, y }) => ({ x, y: 1_000 - y }))
    expect(shapeOf(down)).toEqual({ kind: 'knee', at: 6, bend: 'steeper' })
  })
})
