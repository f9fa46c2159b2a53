import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { isTooDeep, Markdown } from '@/components/run/markdown'

it('renders lists and quotes', () => {
  const drawn = renderToStaticMarkup(<Markdown text={'> quoted\n\n- one\n  - two\n\n1. first'} />)
  expect(drawn).toMatch(/<blockquote>[^]*<ul>[^]*<ul>[^]*<ol>/)
})

it('keeps the marks and the indent of a list of tasks, which has a class of its own', () => {
  const [, name] = /<ul class="([^"]+)"/.exec(renderToStaticMarkup(<Markdown text="- [ ] one" />)) ?? []
  const reset = readFileSync('app/globals.css', 'utf8').match(/[uo]l\[class\](?::not\([^)]*\))?/g) ?? []
  expect(new Set(reset)).toEqual(new Set([`ul[class]:not(.${name})`, `ol[class]:not(.${name})`]))
})

it('shows absurdly deep nesting as plain text', () => {
  for (const opening of ['- ', '> ', '1. ', '* 2) ']) {
    const text = `${opening.repeat(5_000)}x`
    expect(isTooDeep(text)).toBe(true)
    expect(renderToStaticMarkup(<Markdown text={text} />)).toMatch(/^<pre/)
  }
  expect(isTooDeep(`${'>'.repeat(100)} x`)).toBe(true)
  expect(isTooDeep(`a - b - c ${'- '.repeat(100)}`)).toBe(false)
  expect(isTooDeep('- - - - a')).toBe(false)
})

it('runs no script and follows no script address, in any spelling', () => {
  const texts = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '![a](javascript:alert(1))',
    '<javascript:alert(1)>',
    '<a href="javascript:alert(1)" onclick="alert(1)">a</a>',
    '<svg><script>alert(1)</script></svg>',
    '[a]: javascript:alert(1)\n\n[a]',
  ]
  for (const text of texts) {
    const drawn = renderToStaticMarkup(<Markdown text={text} />)
    expect(drawn, text).not.toMatch(/<(?:script|svg|iframe|img[^>]*src="(?:javascript|data))/i)
    expect(drawn, text).not.toMatch(/(?:href|src)="(?:javascript|data):/i)
    expect(drawn.replace(/&lt;[^<]*/g, ''), text).not.toMatch(/ on\w+=/i)
  }
})
