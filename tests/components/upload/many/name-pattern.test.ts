import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  inputTimeOf,
  markableParts,
  markParts,
  readPattern,
  splitByPattern,
  suggestPattern,
  wordsOfName,
} from '@/components/upload/many/name-pattern'

const split = (pattern: string, name: string) => {
  const parts = readPattern(pattern)
  return (parts && splitByPattern(parts, name))?.flatMap(({ text, field }) => (field === null ? [] : [[field, text]]))
}

describe('a pattern of file names', () => {
  it('splits names that fit, and no others', () => {
    expect(split('{scenario}-{variant}_{date}.txt', 'checkout-node22_2026-11-21.txt')).toEqual([
      ['scenario', 'checkout'],
      ['variant', 'node22'],
      ['date', '2026-11-21'],
    ])
    expect(split('{scenario}-{variant}_{date}.txt', 'search-node22-rerun.txt')).toBeUndefined()
    expect(split('{scenario}-{variant}.txt', 'search-node22-rerun.txt')).toEqual([
      ['scenario', 'search'],
      ['variant', 'node22-rerun'],
    ])
    expect(split('run-{commit}.txt', 'run-.txt')).toBeUndefined()
    expect(split('{variant}', 'a.txt')).toEqual([['variant', 'a.txt']])
    expect(split('{variant}.txt', 'a.json')).toBeUndefined()
    expect(split('{date}.txt', '2026-13-41.txt')).toBeUndefined()
  })
  it('is refused if it could not be read in one way', () => {
    for (const wrong of ['{scenario', 'a}', '{}', '{a}{b}', '{a}-{a}']) expect(readPattern(wrong), wrong).toBeNull()
  })
  it('reads dates with and without a time', () => {
    expect(inputTimeOf('2026-11-21')).toBe('2026-11-21T00:00')
    expect(inputTimeOf('20261121_0312')).toBe('2026-11-21T03:12')
    expect(inputTimeOf('2026-02-30')).toBeNull()
    expect(wordsOfName('a-2026-11-21_0312.b.txt')).toEqual(['a', '-', '2026-11-21_0312', '.', 'b', '.', 'txt'])
  })
  it('is made by marking parts of one name', () => {
    const name = 'checkout-node22_2026-11-21.txt'
    const parts = markableParts(null, name)
    const once = markParts(parts, 0, 0, 'scenario')
    expect(once).toBe('{scenario}-node22_2026-11-21.txt')
    const again = markableParts(readPattern(once), name)
    expect(again.map(({ text }) => text)).toEqual(['checkout', '-', 'node22', '_', '2026-11-21', '.', 'txt'])
    // Marked over several words, in either direction; a field that moves leaves its old place.
    expect(markParts(again, 4, 2, 'variant')).toBe('{scenario}-{variant}.txt')
    expect(markParts(again, 2, 2, 'scenario')).toBe('checkout-{scenario}_2026-11-21.txt')
    expect(markParts(again, 0, 0, null)).toBe(name)
  })
  it('is suggested by names that are built alike', () => {
    expect(suggestPattern(['a-x_2026-11-20.txt', 'a-y_2026-11-21.txt', 'b-x_2026-11-20.txt', 'b-rerun.txt'])).toBe(
      '{scenario}-{variant}_{date}.txt',
    )
    expect(suggestPattern(['node20.txt', 'node22.txt'])).toBe('{variant}.txt')
    expect(suggestPattern(['one.txt', 'quite another name.json'])).toBe('')
    expect(suggestPattern(['one.txt'])).toBe('')
  })
  it('gives every name back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9._-]{1,30}$/), fc.nat(9), fc.nat(9), (name, from, to) => {
        const parts = markableParts(null, name)
        expect(parts.map(({ text }) => text).join('')).toBe(name)
        const [first, last] = [from % parts.length, to % parts.length]
        const pattern = readPattern(markParts(parts, first, last, 'variant'))
        const found = pattern && splitByPattern(pattern, name)
        expect(found?.map(({ text }) => text).join('') ?? name).toBe(name)
      }),
    )
  })
})
