import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitRounds } from '@/lib/experiment/fit'
import { orderOf } from '@/lib/experiment/order'
import { caseCount } from '../../case-count'

const arms3 = ['base', 'head', 'control']

/** Rounds without noise but for `off`, a factor on head by round. */
const roundsOf = (
  arms: readonly string[],
  count: number,
  { head = 0, control = 0, places = [0, 0], off = {} as Readonly<Record<number, number>> },
) =>
  Array.from({ length: count }, (_, index) => {
    const order = orderOf(arms, 'seed', index)
    const logs: Readonly<Record<string, number>> = { base: 0, head: head + (off[index] ?? 0), control }
    const level = 3 + Math.sin(index)
    const values = order.map((arm, at) => [
      arm,
      Math.exp(level + (logs[arm] ?? 0) + (at === 0 ? 0 : (places[at - 1] ?? 0)) + 1e-6 * Math.sin(7 * index + at)),
    ])
    return { order, values: Object.fromEntries(values) as Record<string, number> }
  })

describe('the fit of rounds', () => {
  it('tells arms, places and levels of rounds apart', () => {
    const log = fc.double({ min: -0.5, max: 0.5, noNaN: true })
    fc.assert(
      fc.property(log, log, log, log, fc.integer({ min: 6, max: 20 }), (head, control, second, third, count) => {
        const fit = fitRounds(roundsOf(arms3, count, { head, control, places: [second, third] }), arms3)
        expect(fit?.arms.get('head')?.log).toBeCloseTo(head, 4)
        expect(fit?.arms.get('control')?.log).toBeCloseTo(control, 4)
        expect(fit?.places.map(({ log: one }) => one)).toEqual([expect.closeTo(second, 4), expect.closeTo(third, 4)])
        expect(fit?.df).toBe(2 * count - 4)
      }),
      { numRuns: caseCount(100) },
    )
  })

  it('has the error of least squares by hand', () => {
    // Differences .1, .3, .2 with head second and .0, .2, .1 with head first: means .2 and .1, squares .02 each.
    const rounds = [
      ...[0.1, 0.3, 0.2].map((log) => ({ order: ['base', 'head'], values: { base: 1, head: Math.exp(log) } })),
      ...[0, 0.2, 0.1].map((log) => ({ order: ['head', 'base'], values: { base: 1, head: Math.exp(log) } })),
    ]
    const fit = fitRounds(rounds, ['base', 'head'])
    expect(fit?.arms.get('head')?.log).toBeCloseTo(0.15, 12)
    expect(fit?.places[0]?.log).toBeCloseTo(0.05, 12)
    expect(fit?.df).toBe(4)
    expect(fit?.pairDeviation).toBeCloseTo(0.1, 12)
    expect(fit?.arms.get('head')?.error).toBeCloseTo(0.1 / Math.sqrt(6), 12)
  })

  it('leaves out rounds that lie far off, at most a quarter', () => {
    const one = fitRounds(roundsOf(['base', 'head'], 12, { head: 0.05, off: { 4: 0.6 } }), ['base', 'head'])
    expect(one?.leftOut).toEqual([4])
    expect(one?.arms.get('head')?.log).toBeCloseTo(0.05, 3)
    const many = { 0: 0.6, 2: 0.7, 4: 0.8, 6: 0.9, 8: 1 }
    const left = fitRounds(roundsOf(['base', 'head'], 12, { off: many }), ['base', 'head'])?.leftOut ?? []
    expect(left.length).toBeLessThanOrEqual(3)
  })

  it('needs more rounds than effects, and both orders', () => {
    expect(fitRounds(roundsOf(['base', 'head'], 2, {}), ['base', 'head'])).toBeNull()
    expect(fitRounds([], ['base', 'head'])).toBeNull()
    const first = roundsOf(['base', 'head'], 12, {}).filter(({ order }) => order[0] === 'base')
    expect(fitRounds(first, ['base', 'head'])).toBeNull()
  })
})
