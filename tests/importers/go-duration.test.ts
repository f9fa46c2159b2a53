import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGoDuration } from '@/importers/text/go-duration'

describe('parseGoDuration', () => {
  it.each([
    ['1m0.62638206s', 60626.38206],
    ['1m29.997s', 89997],
    ['2.5ms', 2.5],
    ['178.114µs', 0.178114],
    ['178.114μs', 0.178114],
    ['178.114us', 0.178114],
    ['29ns', 0.000029],
    ['0s', 0],
    ['0', 0],
    ['30.000s', 30_000],
    ['1h2m3.5s', 3_723_500],
    ['1.040313797s', 1040.313797],
    ['-1.5s', -1500],
    ['+1.5s', 1500],
    ['.5s', 500],
    ['1.s', 1000],
    ['-2562047h47m16.854775808s', Number('-9223372036854.775808')],
  ])('%s is %d ms', (text, ms) => {
    expect(parseGoDuration(text)).toBe(ms)
  })

  it.each([
    '',
    '-',
    '1',
    '1.5',
    's',
    '.s',
    'NaN',
    '1 s',
    '1s ',
    '1sx',
    '1e3s',
    '--1s',
    '1d',
    '1,5s',
    `${'1h'.repeat(60)}`,
  ])('refuses %j', (text) => {
    expect(parseGoDuration(text)).toBeNull()
  })

  it('reads exactly what Duration.String prints for any number of nanoseconds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (ns) => {
        expect(parseGoDuration(printGoDuration(ns))).toBe(ns === 0n ? 0 : Number(`${ns}e-6`))
      }),
    )
  })
})

/** Go's Duration.String, slow and obvious. */
function printGoDuration(ns: bigint): string {
  const sign = ns < 0n ? '-' : ''
  const size = ns < 0n ? -ns : ns
  if (size === 0n) return '0s'
  if (size < 1_000n) return `${sign}${size}ns`
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`
  const minutes = size / 60_000_000_000n
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`
}

function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`
}
