import { describe, expect, it } from 'vitest'
import { quantitiesIn, readQuantity } from '@/lib/quantity'

describe('quantities in labels and names', () => {
  it.each([
    ['250kb', { value: 250, unit: 'kb', dimension: 'size', base: 250_000 }],
    ['512 MB', { value: 512, unit: 'MB', dimension: 'size', base: 512e6 }],
    ['1 MiB', { value: 1, unit: 'MiB', dimension: 'size', base: 1_048_576 }],
    ['400rps', { value: 400, unit: 'rps', dimension: 'rate', base: 400 }],
    ['20', { value: 20, unit: '', dimension: 'count', base: 20 }],
    ['1.5s', { value: 1.5, unit: 's', dimension: 'time', base: 1_500 }],
  ] as const)('%s is one', (text, quantity) => {
    expect(readQuantity(text)).toEqual(quantity)
  })
  it.each(['1 CPU / 2 GB', 'HTTP/2', 'v3', '1.2.3', 'c5.2xlarge', '2021-02-10', 'd823f61', '', 'main'])(
    '%s is none',
    (text) => {
      expect(readQuantity(text)).toBeNull()
    },
  )
  it('finds those of a name', () => {
    const of = (text: string) => quantitiesIn(text).map(({ value, unit }) => `${value}${unit}`)
    expect(of('Cascade with Origin Simulator latency 1000ms')).toEqual(['1000ms'])
    expect(of('gzipped 300kb payload - :zlib bypassed')).toEqual(['300kb'])
    expect(of('60s 400rps')).toEqual(['60s', '400rps'])
    expect(of('POST: 9 MB Binary Echo')).toEqual(['9MB'])
    expect(of('c6i.8xlarge, HTTP/2, python3.9, 2021-02-10')).toEqual([])
    expect(of('3 apples')).toEqual(['3'])
  })
})
