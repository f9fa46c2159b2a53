import { expect, it } from 'vitest'
import { escapeMarkup, escapeText } from '../../lib/escape'

it('leaves no character that opens a tag, an entity or ends an attribute', () => {
  expect(escapeMarkup(`"><b a='1'>&amp;`)).toBe(`&quot;&gt;&lt;b a='1'&gt;&amp;amp;`)
  expect(escapeText(`"><b>&amp;`)).toBe(`"&gt;&lt;b&gt;&amp;amp;`)
})
