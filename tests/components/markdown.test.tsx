import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { isTooDeep, Markdown } from '@/components/run/markdown'

it('draws lists and quotes', () => {
  const drawn = renderToStaticMarkup(<Markdown text={'> quoted\n\n- one\n  - two\n\n1. first'} />)
  expect(drawn).toMatch(/<blockquote>[^]*<ul>[^]*<ul>[^]*<ol>/)
})

it('shows what nests deeper than anyone writes as it was written', () => {
  for (const opening of ['- ', '> ', '1. ', '* 2) ']) {
    const text = `${opening.repeat(5_000)}x`
    expect(isTooDeep(text)).toBe(true)
    expect(renderToStaticMarkup(<Markdown text={text} />)).toMatch(/^<pre/)
  }
  expect(isTooDeep(`${'>'.repeat(100)} x`)).toBe(true)
  expect(isTooDeep(`a - b - c ${'- '.repeat(100)}`)).toBe(false)
  expect(isTooDeep('- - - - a')).toBe(false)
})
