import { describe, expect, it } from 'vitest'
import { prepareHdrPlot } from '@/components/charts/hdr-plot'
import { packShift, unpackShift } from '@/components/charts/packed-shift'
import { prepareShiftPlot } from '@/components/charts/shift-plot'
import { shiftTable } from '@/components/charts/shift-table'
import { sampleLatency, sampleRun } from '../queries/samples'
import { runsOf } from '../read-fixture'

const run = (
  id: string,
  p50: number,
  p99: number,
  more: readonly { readonly q: number; readonly ms: number }[] = [],
) => ({
  id,
  name: id,
  imported: sampleRun({
    requests: 10_000,
    latencies: [sampleLatency({ count: 10_000, quantiles: [{ q: 0.5, ms: p50 }, { q: 0.99, ms: p99 }, ...more] })],
  }),
})

describe('the shift by percentile', () => {
  it('is taken at the percentiles that both know, never between them', () => {
    const plot = prepareShiftPlot(
      [[run('a', 10, 50, [{ q: 0.9, ms: 20 }])], [run('b', 12, 40, [{ q: 0.95, ms: 30 }])]],
      ['a', 'b'],
    )
    expect(plot?.series[0]?.points).toEqual([
      { q: 0.5, x: 2, ms: 2, lowMs: null, highMs: null },
      { q: 0.99, x: expect.closeTo(100, 6), ms: -10, lowMs: null, highMs: null },
    ])
    expect(plot?.hasBand).toBe(false)
    expect(plot?.yTicks.map((tick) => tick.label)).toContain('0')
  })

  it('of repeats is that of their medians, with a band as far as they reach', () => {
    const plot = prepareShiftPlot(
      [
        [run('a', 10, 50), run('b', 12, 54), run('c', 11, 58)],
        [run('d', 15, 60), run('e', 17, 80), run('f', 16, 70)],
      ],
      ['old', 'new'],
    )
    expect(plot?.series[0]?.points).toMatchObject([
      { ms: 5, lowMs: 3, highMs: 7 },
      { ms: 16, lowMs: 2, highMs: 30 },
    ])
  })

  it('stops where fewer than 10 requests are slower, and is not drawn for one shared percentile', () => {
    const few = { ...run('a', 1, 2), imported: sampleRun({ latencies: [sampleLatency({ count: 100 })] }) }
    expect(prepareShiftPlot([[few], [few]], ['a', 'b'])).toBeNull()
    expect(prepareShiftPlot([[run('a', 1, 2)]], ['a'])).toBeNull()
  })

  it('has a band of sampling error where both runs have samples, which holds the shift', async () => {
    const runs = await runsOf({ fixture: 'vegeta-csv/many-errors.csv' })
    const [imported] = runs
    if (!imported) throw new Error('no run in the fixture')
    const one = { id: 'a', imported }
    const points = prepareShiftPlot([[one], [{ ...one, id: 'b' }]], ['a', 'b'])?.series[0]?.points ?? []
    expect(points.length).toBeGreaterThan(2)
    for (const { ms, lowMs, highMs } of points) {
      expect(ms).toBe(0)
      expect(lowMs).toBeLessThanOrEqual(0)
      expect(highMs).toBeGreaterThanOrEqual(0)
    }
    expect(points.some(({ lowMs }) => (lowMs ?? 0) < 0)).toBe(true)
  })
})

it('draws the limit within the axis', () => {
  const plot = prepareHdrPlot([run('a', 10, 50)], 'linear', 250)
  expect(plot?.limit).toEqual({ ms: 250, label: 'SLO 250\u00a0ms', side: 'left' })
  // Its words stand at the end where no curve is: far below the tail of this one.
  expect(prepareHdrPlot([run('a', 10, 500)], 'linear', 20)?.limit).toMatchObject({ side: 'right' })
  expect(plot?.yDomain[1]).toBeGreaterThanOrEqual(250)
  expect(prepareHdrPlot([run('a', 10, 50)])?.limit).toBeNull()
})

it('arrives as it was prepared, to nine digits', async () => {
  const [first, ...others] = await runsOf({ document: 'zlib-gzip' })
  if (!first) throw new Error('runs expected')
  const sides = [first, ...others].map((imported, at) => [{ id: String(at), imported }])
  const plot = prepareShiftPlot(
    sides,
    sides.map((_, at) => `v${at}`),
  )
  if (!plot) throw new Error('a plot expected')
  const arrived = unpackShift(JSON.parse(JSON.stringify(packShift(plot))))
  expect({ ...arrived, series: [] }).toEqual({ ...plot, series: [] })
  expect(shiftTable(arrived)).toEqual(shiftTable(plot))
  arrived.series.forEach(({ points, ...own }, at) => {
    const { points: sent = [], ...rest } = plot.series[at] ?? {}
    expect(own).toEqual(rest)
    expect(points.map(({ q, x, lowMs }) => [q, x, lowMs === null])).toEqual(
      sent.map(({ q, x, lowMs }) => [q, x, lowMs === null]),
    )
    points.forEach(({ ms }, index) => expect(ms).toBeCloseTo(sent[index]?.ms ?? Number.NaN, 6))
  })
})
