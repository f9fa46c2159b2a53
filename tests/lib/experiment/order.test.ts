import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderOf } from '@/lib/experiment/order'
import { caseCount } from '../../case-count'

const orders = (arms: readonly string[], seed: string, count: number) =>
  Array.from({ length: count }, (_, index) => orderOf(arms, seed, index))

describe('the order of rounds', () => {
  it('is the same for the same seed, and another for another', () => {
    const of = (seed: string) => JSON.stringify(orders(['base', 'head'], seed, 24))
    expect(of('a')).toBe(of('a'))
    expect(new Set(['a', 'b', 'c', 'd'].map(of)).size).toBe(4)
  })

  it('is balanced in every block: two arms in four rounds, three arms in six', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(9), (seed, block) => {
        const firsts = orders(['base', 'head'], seed, 4 * (block + 1)).slice(-4)
        expect(firsts.filter(([first]) => first === 'base')).toHaveLength(2)
        const six = orders(['base', 'head', 'control'], seed, 6 * (block + 1)).slice(-6)
        expect(new Set(six.map(String)).size).toBe(6)
      }),
      { numRuns: caseCount(100) },
    )
  })

  it('is shuffled: every order of a block comes about equally often', () => {
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 600; seed += 1) {
      const block = orders(['base', 'head'], `${seed}`, 4).map(([first]) => first?.[0])
      counts.set(block.join(''), (counts.get(block.join('')) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(40)
  })
})
