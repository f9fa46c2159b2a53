import * as hdr from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { prepareEcdf } from '@/components/charts/ecdf'
import type { HistogramAxis } from '@/components/charts/axes/histogram-axis'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { readPanel } from '@/components/charts/plot/readings'
import type { PlottedRun } from '@/components/charts/plotted-run'
import { cumulativeOf } from '@/lib/stats/cumulative'
import { formatPercent } from '@/lib/format'
import type { Latency } from '@/lib/run/run'

const nothing: Latency = {
  of: 'all',
  count: null,
  minMs: null,
  meanMs: null,
  stdDevMs: null,
  withinOneStdDevRatio: null,
  maxMs: null,
  quantiles: [],
  histogram: null,
  origin: 'summary',
  method: 'nearest-rank',
}

/** Recorded in whole ms. */
function recorded(values: readonly number[]): Latency {
  const histogram = hdr.build({ numberOfSignificantValueDigits: 3 })
  for (const value of values) histogram.recordValue(value)
  const v2Base64 = hdr.encodeIntoCompressedBase64(histogram)
  return { ...nothing, count: values.length, origin: 'samples', histogram: { kind: 'hdr', v2Base64, unit: 'ms' } }
}

const run = (id: string, latency: Latency | null, side?: PlottedRun['side']): PlottedRun => ({
  id,
  name: id,
  side,
  styleIndex: 0,
  imported: { latencies: latency ? [latency] : [], tool: 'hey', requests: null },
})

/** The cursor's reading at these latencies; null: nothing is known there. */
function readAt(latency: Latency, placesMs: readonly number[]): readonly (string | null)[] {
  const plot = prepareEcdf([run('one', latency)], axis)?.plot
  const [panel] = plot?.panels ?? []
  if (!plot || !panel) throw new Error('a plot expected')
  return placesMs.map((ms) => readPanel(plot, panel, ms)[0]?.text ?? null)
}

const axis: HistogramAxis = {
  scale: 'linear',
  unit: { label: 'ms', factor: 1 },
  xDomain: [0, 1_000],
  ticksMs: [0, 500, 1_000],
}

describe('cumulativeOf', () => {
  it('counts few recorded values individually', () => {
    const curve = cumulativeOf(recorded([10, 20, 20, 40]), [0, 1, 2, 3, 4, 5])
    expect(curve).toEqual({
      origin: 'recorded',
      steps: true,
      points: [
        { ms: 10, share: 0 },
        { ms: 10, share: 0.25 },
        { ms: 20, share: 0.75 },
        { ms: 40, share: 1 },
      ],
    })
  })
  it('reads many recorded values exactly at the requested points', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => index + 1)
    const curve = cumulativeOf(recorded(values), [-5, 100, 250, 999.5, 2_000])
    expect(curve?.steps).toBe(false)
    expect(curve?.points).toEqual([
      { ms: 1, share: 0 },
      { ms: 1, share: 0.001 },
      { ms: 100, share: 0.1 },
      { ms: 250, share: 0.25 },
      { ms: 999.5, share: 0.999 },
      { ms: 1_000, share: 1 },
    ])
  })
  it('steps from one printed percentile to the next, and ends where nothing is known', () => {
    const quantiles = [
      { q: 0.5, ms: 20 },
      { q: 0.99, ms: 90 },
    ]
    const open = cumulativeOf({ ...nothing, quantiles }, [])
    expect(open?.points.map(({ ms, share }) => [ms, share])).toEqual([
      [20, 0.5],
      [90, 0.99],
    ])
    const known = (shares: readonly (number | null)[]) => shares.map((share) => share && formatPercent(share))
    expect(readAt({ ...nothing, quantiles }, [10, 20, 89, 90, 91])).toEqual(known([null, 0.5, 0.5, 0.99, null]))
    const closed = readAt({ ...nothing, quantiles, minMs: 5, maxMs: 100 }, [4, 5, 99, 100, 1e6])
    expect(closed).toEqual([null, formatPercent(0), ...known([0.99, 1, 1])])
  })
  it('sums printed buckets; an open last one is counted, but not placed', () => {
    const buckets = [
      { lowerMs: 0, upperMs: 10, count: 6 },
      { lowerMs: 10, upperMs: 20, count: 3 },
      { lowerMs: 20, upperMs: null, count: 1 },
    ]
    const curve = cumulativeOf({ ...nothing, histogram: { kind: 'buckets', inclusive: 'upper', buckets } }, [])
    expect(curve).toEqual({
      origin: 'buckets',
      steps: true,
      points: [
        { ms: 10, share: 0.6 },
        { ms: 20, share: 0.9 },
      ],
    })
    expect(cumulativeOf(nothing, [])).toBeNull()
    expect(cumulativeOf({ ...nothing, quantiles: [{ q: 0.5, ms: 20 }] }, [])).toBeNull()
  })
})

describe('prepareEcdf', () => {
  const wide = recorded(Array.from({ length: 5_000 }, (_, index) => 1 + ((index * 7_919) % 997)))
  it('draws ten full histograms with at most 2,000 points, and names what is unknown', () => {
    const runs = Array.from({ length: 10 }, (_, index) => run(`r${index}`, wide))
    const plot = prepareEcdf([...runs, run('silent', null)], axis)
    const points = plot?.curves.flatMap((one) => one.points) ?? []
    expect(points.length).toBeGreaterThan(1_000)
    expect(points.length).toBeLessThanOrEqual(2_000)
    for (const { points: own } of plot?.curves ?? []) {
      expect(own.every((point, at) => at === 0 || point.share >= (own[at - 1]?.share ?? 0))).toBe(true)
    }
    expect(plot?.plot.note).toBe('No distribution of silent.')
    expect(prepareEcdf([run('silent', null)], axis)).toBeNull()
  })
  it('draws steps for printed values, with a mark at each', () => {
    const quantiles = [
      { q: 0.5, ms: 250 },
      { q: 0.9, ms: 500 },
    ]
    const plot = prepareEcdf([run('printed', { ...nothing, quantiles, minMs: 0, maxMs: 1_000 })], axis)?.plot
    const [panel] = plot?.panels ?? []
    if (!plot || !panel) throw new Error('a plot expected')
    expect(String(panelMarkup(plot, panel))).toContain('d="M0 10000l2500 0 0-5000 2500 0 0-4000 5000 0 0-1000"')
    expect(panel.marks).toContainEqual(expect.objectContaining({ kind: 'dots', which: [0, 1, 2, 3] }))
  })
})
