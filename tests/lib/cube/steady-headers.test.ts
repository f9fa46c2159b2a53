import { describe, expect, it } from 'vitest'
import type { Cube } from '@/lib/cube/cube'
import { cubeOfText } from './cube-of-text'

interface Row {
  readonly ms: number
  readonly code: number
  readonly headers: readonly string[]
}

const csvOf = (rows: readonly Row[]): string =>
  rows
    .map(({ ms, code, headers }, at) => {
      const block = headers.length === 0 ? '' : Buffer.from(`${headers.join('\r\n')}\r\n\r\n`).toString('base64')
      return `${1_795_226_400_000_000_000n + BigInt(at) * 1_000_000n},${code},${ms * 1e6},0,64,,,,${at},GET,http://shop.test/items,${block}\n`
    })
    .join('')

const countedOf = (cube: Cube, name: string) =>
  cube.attributes
    .find((one) => one.name === name)
    ?.values.map(({ value, rows, sumMs, statusClasses }) => ({ value, rows, sumMs, statusClasses }))

function expectedOf(rows: readonly Row[], header: string) {
  const valueOf = ({ headers }: Row) =>
    headers.find((one) => one.startsWith(`${header}: `))?.slice(header.length + 2) ?? '(absent)'
  return [...new Set(rows.map(valueOf))]
    .map((value) => ({ value, own: rows.filter((row) => valueOf(row) === value) }))
    .map(({ value, own }) => ({
      value,
      rows: own.length,
      sumMs: own.reduce((sum, { ms }) => sum + ms, 0),
      statusClasses: [0, 1, 2, 3, 4, 5].map((one) => own.filter(({ code }) => Math.floor(code / 100) === one).length),
    }))
    .sort((a, b) => b.rows - a.rows)
}

/** 9,000 rows; of each hundred some have no headers at all. */
const rowsWith = (headersAt: (at: number) => readonly string[]): Row[] =>
  Array.from({ length: 9_000 }, (_, at) => ({
    ms: 1 + ((at * 37) % 200),
    code: at % 100 === 17 ? 0 : at % 50 === 3 ? 500 : 200,
    headers: at % 100 === 17 ? [] : headersAt(at),
  }))

describe('a header that is the same in every response', () => {
  it('is counted as if each row had been', async () => {
    const rows = rowsWith(() => ['X-Region: east', 'X-Pool: blue'])
    const cube = await cubeOfText(csvOf(rows))
    for (const header of ['X-Region', 'X-Pool'])
      expect(countedOf(cube, `header:${header.toLowerCase()}`)).toEqual(expectedOf(rows, header))
  })

  it.each([[4_095], [5_120], [6_431], [8_991]])(
    'is counted row by row from the response on that differs: %i',
    async (from) => {
      const rows = rowsWith((row) => ['X-Region: east', `X-Pool: ${row < from ? 'blue' : 'green'}`])
      const cube = await cubeOfText(csvOf(rows))
      expect(countedOf(cube, 'header:x-region')).toEqual(expectedOf(rows, 'X-Region'))
      const pools = countedOf(cube, 'header:x-pool') ?? []
      const expected = expectedOf(rows, 'X-Pool')
      const total = (of: typeof pools) => of.reduce((sum, one) => sum + one.sumMs, 0)
      expect(total(pools)).toBe(total(expected))
      for (const { value, rows: own } of expected) {
        // Every sixteenth response is looked at.
        const found = pools.find((one) => one.value === value)?.rows ?? 0
        expect(Math.abs(found - own)).toBeLessThan(value === '(absent)' ? 1 : 17)
      }
    },
  )
})
