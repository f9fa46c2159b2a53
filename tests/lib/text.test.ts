import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InvalidInputError } from '@/lib/errors'
import { clipText, codePointCount, joinWords, readPair, storableJson, storableText } from '@/lib/text'

it('storableText replaces what a database cannot store, and nothing else', () => {
  expect(storableText('a\u0000b\uD800c\uDC00')).toBe('a\uFFFDb\uFFFDc\uFFFD')
  expect(storableText('naïve 🏓\r\n\t\u00a0')).toBe('naïve 🏓\r\n\t\u00a0')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const stored = storableText(text)
      expect(stored.isWellFormed()).toBe(true)
      expect(stored).not.toContain('\u0000')
      expect(stored).toHaveLength(text.length)
    }),
  )
})

it('splits key=value at the first sign', () => {
  expect(readPair('commit=abc')).toEqual(['commit', 'abc'])
  expect(readPair(' url = /?a=b ')).toEqual(['url', '/?a=b'])
  expect(readPair('flag=')).toEqual(['flag', ''])
  expect(['', 'commit', '=abc', ' =abc'].map(readPair)).toEqual([null, null, null, null])
})

it('joins words', () => {
  expect(joinWords(['a', 'b', 'c'], 'and')).toBe('a, b and c')
  expect(joinWords(['a', 'b'], ',')).toBe('a, b')
  expect([joinWords(['a'], 'or'), joinWords([], 'or')]).toEqual(['a', ''])
})

it('counts and clips by code points', () => {
  expect(codePointCount('a🏓b')).toBe(3)
  expect(clipText('a🏓b', 3)).toBe('a🏓b')
  expect(clipText('🏓🏓🏓', 2)).toBe('🏓…')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      expect(codePointCount(text)).toBe([...text].length)
      expect(codePointCount(clipText(text, max))).toBe(Math.min(max, codePointCount(text)))
    }),
  )
})

it('storableJson keeps what JSON keeps', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const replaced = fc.stringify(value).includes('\\u0000') || !JSON.stringify(value).isWellFormed()
      if (!replaced) expect(storableJson(value)).toEqual(value)
    }),
  )
  expect(storableJson({ a: undefined, b: [1, { c: 'x\u0000' }], 'k\uD800': null })).toEqual({
    b: [1, { c: 'x\uFFFD' }],
    'k\uFFFD': null,
  })
})

it('storableJson refuses what JSON cannot express, and what is too deep', () => {
  const loop: unknown[] = []
  loop.push(loop)
  for (const bad of [NaN, Infinity, -Infinity, 1n, () => 1, Symbol('s'), [undefined], { a: [NaN] }, loop]) {
    expect(() => storableJson(bad)).toThrow(InvalidInputError)
  }
  const nested = (depth: number) => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1)
  expect(storableJson(nested(64))).toEqual(nested(64))
  expect(() => storableJson(nested(65))).toThrow(InvalidInputError)
  expect(() => storableJson(nested(10_000))).toThrow(InvalidInputError)
})

it('storableJson lets no key reach a prototype', () => {
  const stored = storableJson(JSON.parse('{"__proto__": {"polluted": 1}}'))
  expect(Object.getOwnPropertyNames(stored)).toEqual(['__proto__'])
  expect('polluted' in {}).toBe(false)
})
