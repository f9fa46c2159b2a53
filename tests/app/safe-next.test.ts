import { describe, expect, it } from 'vitest'
import { safeNext } from '@/app/_server/http/read-form'

const base = 'http://127.0.0.1:3000'

/** Addresses on this server, which are followed. */
const kept = [
  '/',
  '/p/smithy',
  '/p/smithy/runs?tool=hey&label=commit=abc#top',
  '/p/a/compare/x...y',
  '/learn/percentile-plot',
  '/p/ü',
  '/?next=//evil.example',
  '/p/a?u=https://evil.example/',
  '/#//evil.example',
  '/@evil.example',
  '/:80',
] as const

/** What browsers may interpret as another place, or as none. */
const refused = [
  ...['', ' ', ' /p/a', 'p/a', './p', '../p', '?a=1', '#a'],
  ...[
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '//evil.example/%2f..',
    '//user@evil.example',
    '//[::1]/',
  ],
  ...['/\\evil.example', '\\\\evil.example', '\\/evil.example', '/p\\..\\..\\evil.example', '/\\/evil.example'],
  ...['/\t/evil.example', '/\n/evil.example', '/\r\n/evil.example', '\t//evil.example', '/\u0000/evil.example'],
  ...[
    '/..//evil.example',
    '/.//evil.example',
    '/p/..//evil.example',
    '/%2e%2e//evil.example',
    '/p/%2e%2e//evil.example',
  ],
  ...[
    'http://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'HTTPS://evil.example',
    'http:\\\\evil.example',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:x',
    'file:///etc/passwd',
  ],
  ...['//evil.example:99999', '//%00', '/p/a\r\nSet-Cookie: a=b'],
] as const

describe('safeNext', () => {
  it.each(kept)('keeps %j', (text) => {
    const next = safeNext(text)
    expect(new URL(next, base).href).toBe(new URL(text, base).href)
  })
  it.each(refused)('redirects home instead of to %j', (text) => {
    expect(safeNext(text)).toBe('/')
  })
  it('redirects home if nothing is given', () => {
    expect([safeNext(null), safeNext(undefined)]).toEqual(['/', '/'])
  })
  it('never redirects to another host, whatever the address starts with', () => {
    const parts = [
      '/',
      '\\',
      '\t',
      '\n',
      '.',
      '..',
      '%2f',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      ' ',
      '\u3000',
      '／',
    ]
    const texts = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => `/${a}${b}${c}evil.example`)))
    const astray = texts.filter((text) => new URL(safeNext(text), base).origin !== base)
    expect(texts.length).toBeGreaterThan(4_000)
    expect(astray).toEqual([])
  })
})
