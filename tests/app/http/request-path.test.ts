import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSharePath } from '@/app/_server/http/request-guard'
import { readPath, withoutSlash } from '@/app/_server/http/request-path'
import { caseCount } from '../../case-count'

describe('a path', () => {
  it.each([
    '/',
    '/p/a%20b/runs?x=%',
    '/p/%E2%82%AC',
    '/p/x/',
    '/p/x/compare/a+b...c',
    '/p/x/compare/a%2Bb...c',
    '/p/x/compare/variant%3Agzip%40latest...abc',
    '/s/[token]',
    '/s/:token',
    '/_next/static/chunks/app/%5Bproject%5D/page-0~a_b.js',
    '/_next/image?url=%2Fa%2F..%2Fb&w=64',
    '/api/v1/projects/x/uploads/my%20file%20(1).txt',
    '/api/v1/projects/x/uploads/..hidden',
    '/api/v1/projects/x/uploads/a..b',
    '/api/v1/projects/x/uploads/50%25.txt',
    '/api/v1/projects/x/uploads/%7Ebackup~',
    '/api/v1/projects/x/uploads?name=a%2Fb%5C..%2f//../c',
  ])('is %s', (address) => {
    const read = readPath(address)
    expect(`${read?.path}${read?.query}`).toBe(address)
  })

  it.each([
    '',
    '*',
    'x',
    'evil.example:443',
    'http://evil.example/',
    'http://127.0.0.1:3000/s/x',
    '//evil.example/',
    '/p//x',
    '/p/x//',
    '/.',
    '/..',
    '/s/x/../../p/x',
    '/s/x/./y',
    '/s/x/..',
    '/s/%2e%2e/p',
    '/s/%2E./p',
    '/s/x/.%2e/p',
    '/s/..%2fp',
    '/s/%252e%252e/p',
    '/s/%25252Fp',
    '/s/a%2Etxt',
    '/s\\..\\p',
    '/s/x%5c..%5cp',
    '/s/x#/../p',
    '/s/a\tb',
    '/s/a b',
    '/s/a"b',
    '/s/é',
    '/s/%00',
    '/s%0a',
    '/s/x%7F',
    '/%73/x',
    '/%53/x',
    '/%70/x',
    '/%c0%af',
    '/%E0%A4%A/runs',
    '/%',
  ])('is not %j', (address) => expect(readPath(address)).toBeNull())

  it('of the API drops the trailing slash that curl -T adds', () => {
    const without = (address: string) => {
      const read = readPath(address)
      return read && `${withoutSlash(read).path}${read.query}`
    }
    expect(without('/api/v1/projects/x/uploads/?label=a/')).toBe('/api/v1/projects/x/uploads?label=a/')
    expect(without('/api/v1/projects/x/uploads/')).toBe('/api/v1/projects/x/uploads')
    expect(without('/p/x/')).toBe('/p/x/')
  })
})

/** Parts that attackers build addresses from, in any order. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '/',
        '//',
        '\\',
        '.',
        '..',
        '...',
        '%2e',
        '%2E',
        '%2f',
        '%5C',
        '%252e',
        '%25252f',
        '%',
        '%25',
        '%00',
        '%3f',
        '%23',
      ),
      fc.constantFrom(
        's',
        'p',
        'api',
        'badge',
        '_next',
        'static',
        '%73',
        '%2570',
        'x',
        '~',
        '%7e',
        ';',
        '@',
        ':',
        '#',
        '?',
      ),
      fc.constantFrom('\t', '\n', ' ', '\u0000', 'é', '\ud800', '%c0%ae', '%ef%bc%8f', '..;', 'http://evil.example'),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** Undecoded, and decoded as often as anything between a client and a route might; then resolved. */
function readings(path: string): readonly string[] {
  const found: string[] = []
  for (let text = path, depth = 0; depth < 4; depth += 1) {
    found.push(new URL(`http://x${text}`).pathname)
    text = text.replace(/%(?!3f|23|20)([0-9a-f]{2})/gi, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  return found
}

describe('any address', () => {
  it('if accepted, is read the same by URL, Next and the guards, before and after decoding', () => {
    let count = 0
    const check = (address: string) => {
      const read = readPath(address)
      if (read === null) return
      count += 1
      expect(new URL(`http://x${address}`).pathname).toBe(read.path)
      for (const [depth, reading] of readings(read.path).entries()) {
        expect(reading).not.toMatch(/\/\/|\\|\/\.{1,2}(?:\/|$)/)
        expect(reading.split('/')).toHaveLength(read.path.split('/').length)
        // Next decodes once.
        if (depth < 2) expect([reading, /^\/s(?:\/|$)/.test(reading)]).toEqual([reading, isSharePath(read.path)])
      }
    }
    fc.assert(
      fc.property(hostile, (text) => {
        check(text)
        check(`/s/x${text}`)
        check(`/${text}`)
      }),
      { numRuns: caseCount(5_000) },
    )
    expect(count).toBeGreaterThan(1_000) // otherwise this test would prove nothing
  })
})
