import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TableRegion } from '@/components/charts/chart-table'
import { element, pathThrough, words, type Place } from '@/components/charts/markup'

it('lets no text become an element or leave its attribute', () => {
  const hostile = '"><script>alert(1)</script>&amp;'
  expect(String(element('text', { 'aria-label': hostile }, words(hostile)))).toBe(
    '<text aria-label="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;">' +
      '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;</text>',
  )
  const table = { head: [hostile, hostile], rows: [[hostile, '']] }
  const markup = renderToStaticMarkup(createElement(TableRegion, { title: hostile, table }))
  expect(markup).not.toContain('<script')
  expect(markup).toContain('<td class="num"></td>')
})

/** Where a path of `pathThrough` goes, read as a browser reads it. */
function readPath(path: string): readonly Place[] {
  const numbers = path.match(/-?\d+/g)?.map(Number) ?? []
  let [right, down] = [0, 0]
  return Array.from({ length: numbers.length / 2 }, (_, at) => {
    right += numbers[at * 2] ?? 0
    down += numbers[at * 2 + 1] ?? 0
    return [right / 10_000, down / 10_000]
  })
}

it('draws through every place, within half of a ten-thousandth of the box', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(share, share), { maxLength: 60 }), (places) => {
      const path = pathThrough(places)
      expect(path).toMatch(/^(M\d+ \d+(l-?\d+(?: |(?=-))-?\d+(?:(?: |(?=-))-?\d+(?: |(?=-))-?\d+)*)?)?$/)
      const read = readPath(path)
      expect(read).toHaveLength(places.length)
      read.forEach(([right, down], at) => {
        expect(Math.abs(right - (places[at]?.[0] ?? 9))).toBeLessThanOrEqual(0.5001e-4)
        expect(Math.abs(down - (places[at]?.[1] ?? 9))).toBeLessThanOrEqual(0.5001e-4)
      })
    }),
  )
})
