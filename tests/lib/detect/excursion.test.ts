import { describe, expect, it } from 'vitest'
import { chanceOfExcursion, countStrays, visitsOfMode, type Strays } from '@/lib/detect/excursion'

const values = (text: string) => Float64Array.from(text, (letter) => (letter === 'h' ? 2 : 1))

function straysIn(text: string): Strays {
  const strays: Strays = { runs: 0, strays: 0, stays: 0 }
  countStrays(strays, values(text), 1, 0.5)
  return strays
}

describe('an excursion', () => {
  it('counts runs that stray, and those that follow another one', () => {
    expect(straysIn('llhllhhhll')).toEqual({ runs: 10, strays: 4, stays: 2 })
    const down: Strays = { runs: 0, strays: 0, stays: 0 }
    countStrays(down, values('lhl'), 2, -0.5, 1 / 2)
    expect(down).toEqual({ runs: 1.5, strays: 1, stays: 0 })
  })
  it('is less likely the longer it lasts, and likely where runs have stayed away', () => {
    const [never, once] = [straysIn('l'.repeat(40)), straysIn(`${'l'.repeat(30)}hhhh${'l'.repeat(6)}`)]
    const chances = [1, 3, 5].map((length) => chanceOfExcursion(never, length))
    expect(chances).toEqual([...chances].sort((a, b) => b - a))
    expect(chanceOfExcursion(never, 3)).toBeLessThan(0.001)
    expect(chanceOfExcursion(once, 3)).toBeGreaterThan(0.02)
  })
})

describe('visits of another mode', () => {
  const visits = (...levels: string[]) => visitsOfMode(levels.map(values), 1, 0.5)
  it('are counted over the whole history, from the second on', () => {
    expect(visits('lllll', 'hhhh', 'lllll', 'hhh', 'llll')).toEqual({ runs: 21, strays: 7, stays: 5 })
    expect(visits('lllll', 'hhhh', 'lllll')).toBeNull()
  })
  it('are no outliers, no levels, no level that came first, and none that lasts', () => {
    expect(visits('lllhlllhhlll', 'hhh', 'lll')).toBeNull()
    expect(visits('lll', 'h'.repeat(31), 'lll', 'h'.repeat(31), 'lll')).toBeNull()
    expect(visits('hhh', 'lll', 'hhh', 'lll')).toBeNull()
    expect(visits('lll', 'hhh', 'lll', 'hhh')).toBeNull()
  })
})
