import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as format from '@/lib/format'
import { quantileName, quantileTicks, quantileToX, supportedQuantile } from '@/lib/stats/quantile'

describe('format', () => {
  it.each([
    [0, '0'],
    [21.1, '21.1'],
    [2740.627, '2\u202f741'],
    [965396910, '965\u202f396\u202f910'],
    [0.00047, '0.000470'],
    [9.996, '10.0'],
    [-3.14159, '\u22123.14'],
    [Number.NaN, '–'],
  ])('formatNumber(%s) is %s', (value, text) => {
    expect(format.formatNumber(value)).toBe(text)
  })
  it('picks one unit for a column from its median', () => {
    const unit = format.columnUnit('ms', [0.475, 0.56, 12, null])
    expect(unit).toEqual({ label: 'ms', factor: 1 })
    expect(format.columnUnit('ms', [0.0475, 0.056, 1.2]).label).toBe('µs')
    expect(format.columnUnit('ms', [4661, 8715, 30001]).label).toBe('s')
    expect(format.formatInColumn(null, 'ms', unit)).toBe('–')
  })
  it('formats single figures with their unit', () => {
    expect(format.formatMs(0.475)).toBe('0.475\u00a0ms')
    expect(format.formatMs(8716)).toBe('8.72\u00a0s')
    expect(format.formatBytes(168161)).toBe('168\u00a0kB')
    expect(format.formatMetric(2740.627, 'per-second')).toBe('2\u202f741/s')
    expect(format.formatMetric(36, 'mb')).toBe('36.0\u00a0MB')
    expect(format.formatCount(10000)).toBe('10\u202f000')
  })
  it('never rounds to all or nothing', () => {
    expect(format.formatPercent(0.8567)).toBe('85.67\u00a0%')
    expect(format.formatPercent(1)).toBe('100\u00a0%')
    expect(format.formatPercent(0)).toBe('0\u00a0%')
    expect(format.formatPercent(0.99999)).toBe('99.999\u00a0%')
    expect(format.formatPercent(19 / 965396910)).toBe('0.000002\u00a0%')
    expect(format.formatPercent(3e-9)).toBe('0.0000003\u00a0%')
    expect(format.formatPercent(0.5)).toBe('50\u00a0%')
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (ratio) => {
        expect(['0\u00a0%', '100\u00a0%']).not.toContain(format.formatPercent(ratio))
      }),
    )
  })
  it('formats changes and factors', () => {
    expect(format.formatChange(0.192)).toBe('+19.2\u00a0%')
    expect(format.formatChange(-0.031)).toBe('\u22123.10\u00a0%')
    expect(format.formatChange(0)).toBe('0\u00a0%')
    expect(format.formatChange(9.99)).toBe('+999\u00a0%')
    expect(format.formatChange(1349.3)).toBe('×1\u202f350')
    expect(format.formatFactor(0.4935)).toBe('×0.493')
    expect(format.formatFactor(null)).toBe('–')
  })
  it('formats times', () => {
    const now = Date.parse('2026-11-21T12:00:00Z')
    expect(format.formatRelativeTime('2026-11-21T09:00:00Z', now)).toBe('3\u00a0h ago')
    expect(format.formatRelativeTime('2022-03-04T00:00:00Z', now)).toBe('4 Mar 2022')
    const at = '2020-02-09T09:41:04.903Z'
    expect(format.formatAxisDay(at)).toBe('9 Feb')
    expect(format.formatDay(at)).toBe('9 Feb 2020')
    expect(format.formatMoment(at)).toBe('9 Feb 2020, 09:41')
    expect(format.formatTime(at)).toBe('9 Feb 2020, 09:41:04 UTC')
    expect(format.formatDuration(600_000)).toBe('10\u00a0min')
    expect(format.formatDuration(89_997)).toBe('90.0\u00a0s')
    expect(format.formatDuration(90_000)).toBe('1\u00a0min 30\u00a0s')
    expect(format.formatDuration(599_700)).toBe('10\u00a0min')
    expect(format.formatDuration(5_400_000)).toBe('1\u00a0h 30\u00a0min')
    expect(format.plural(1, 'run')).toBe('1 run')
    expect(format.plural(7, 'run')).toBe('7 runs')
  })
})

describe('quantile', () => {
  it('positions percentiles on the axis', () => {
    expect(quantileToX(0.99)).toBeCloseTo(100, 9)
    expect(quantileTicks(150).map((tick) => tick.label)).toEqual(['0', '90', '99'])
    expect(quantileTicks(1000).map((tick) => tick.rarity)).toEqual([null, '1 in 10', '1 in 100', '1 in 1\u202f000'])
    expect(quantileName(0.999)).toBe('p99.9')
  })
  it('knows what a count supports', () => {
    expect(supportedQuantile(1000)).toBeCloseTo(0.99, 12)
    expect(supportedQuantile(19)).toBeNull()
  })
})

describe('figures beside their change', () => {
  const unit = { label: 'ms', factor: 1 }
  const pair = (base: number, value: number) =>
    format.formatCompared([base, value], [null, value / base - 1], 'ms', unit).map((text) => text.replace('\u202f', ''))

  it('have the digits that it takes to read it off them, and no more', () => {
    expect(pair(210.62, 208.04)).toEqual(['210.6', '208.0'])
    expect(pair(41.5, 47)).toEqual(['41.5', '47.0'])
    expect(pair(1_000.4, 1_003.6)).toEqual(['1000.4', '1003.6'])
    expect(pair(1_000.4, 1_234.5)).toEqual(['1000', '1235'])
    expect(format.formatCompared([null, 2], [null, null], 'ms', unit)).toEqual(['–', '2.00'])
    expect(format.formatCompared([0.9998, 0.9996], [null, null], 'ratio', unit)).toEqual([
      '99.98\u00a0%',
      '99.96\u00a0%',
    ])
  })

  it('divide to it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 9e4, noNaN: true }),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (base, factor) => {
          const [first = 0, second = 0] = pair(base, base * factor).map(Number)
          expect(Math.abs(second / first - factor)).toBeLessThanOrEqual(
            Math.max(0.000_5, Math.abs(factor - 1) * 0.02) + 1e-9,
          )
        },
      ),
    )
  })
})
