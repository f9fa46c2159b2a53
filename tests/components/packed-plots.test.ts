import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import * as hdr from 'hdr-histogram-js'
import { expect, it } from 'vitest'
import { prepareEcdf } from '@/components/charts/ecdf-plot'
import { EcdfPlotSvg } from '@/components/charts/ecdf-plot-svg'
import { hasHdrPlot, prepareHdrPlots, type PlottedRun } from '@/components/charts/hdr-plot'
import { HdrPlotSvg } from '@/components/charts/hdr-plot-svg'
import { prepareLatencyHistogram } from '@/components/charts/latency-histogram'
import { LatencyHistogramSvg } from '@/components/charts/latency-histogram-svg'
import {
  packEcdfPlot,
  packHdrPlots,
  packHistogramPlot,
  unpackPlots,
  type FramedPlot,
} from '@/components/charts/packed-plots'
import { tableOf } from '@/components/charts/plot-tables'
import { runsOf } from '../read-fixture'

const printed = async (document: string): Promise<readonly PlottedRun[]> =>
  (await runsOf({ document })).map((imported, at) => ({ id: String(at), name: `run ${at}`, imported }))

/** Ten runs of 20,000 values between 1 and 2,000 ms, in ns, as a million requests of a file are kept. */
const recorded: readonly PlottedRun[] = Array.from({ length: 10 }, (_, seed) => {
  const histogram = hdr.build({ numberOfSignificantValueDigits: 3, highestTrackableValue: 4e9 })
  for (let at = 1; at <= 20_000; at += 1)
    histogram.recordValue(1e6 * 2_000 ** (((at * 7_919 + seed) % 20_011) / 20_011))
  const nothing = { minMs: null, meanMs: null, stdDevMs: null, maxMs: null, withinOneStdDevRatio: null, quantiles: [] }
  const latency = {
    ...nothing,
    of: 'all' as const,
    count: 20_000,
    histogram: { kind: 'hdr' as const, v2Base64: hdr.encodeIntoCompressedBase64(histogram), unit: 'ns' as const },
    origin: 'samples' as const,
    method: 'nearest-rank' as const,
  }
  return { id: String(seed), name: `v${seed}`, imported: { latencies: [latency], tool: 'vegeta', requests: 20_000 } }
})

const drawn = (plot: FramedPlot): string =>
  renderToStaticMarkup(
    plot.kind === 'hdr'
      ? createElement(HdrPlotSvg, { plot })
      : plot.kind === 'ecdf'
        ? createElement(EcdfPlotSvg, { plot })
        : createElement(LatencyHistogramSvg, { plot }),
  )

/** What the browser unpacks draws and reads as what was prepared, having gone over the wire. */
function expectSame(plots: { linear: FramedPlot; log: FramedPlot | null }, packed: Parameters<typeof unpackPlots>[0]) {
  const arrived = unpackPlots(JSON.parse(JSON.stringify(packed)))
  for (const scale of ['linear', 'log'] as const) {
    const [sent, read] = [plots[scale], arrived[scale]]
    expect(read === null, scale).toBe(sent === null)
    if (!sent || !read) continue
    expect(drawn(read)).toBe(drawn(sent))
    expect(tableOf(read)).toEqual(tableOf(sent))
    expect({ ...read, series: [] }).toEqual({ ...sent, series: [] })
  }
}

it('draws the plots that were prepared, from numbers sent as text', async () => {
  for (const runs of [recorded, await printed('lambda-dispatcher-vs-direct'), await printed('zlib-gzip')]) {
    const plots = prepareHdrPlots(runs, 250)
    const histogram = prepareLatencyHistogram(runs)
    if (!plots) throw new Error('a plot expected')
    expectSame(plots, packHdrPlots(plots.linear, plots.log))
    if (histogram) expectSame({ linear: histogram, log: null }, packHistogramPlot(histogram))
    const axis = { scale: 'log', unit: plots.linear.unit, xDomain: [0.1, 10_000], ticksMs: [1, 100] } as const
    const ecdf = prepareEcdf(runs, axis)
    if (!ecdf) throw new Error('a curve expected')
    expectSame({ linear: ecdf, log: null }, packEcdfPlot(ecdf))
  }
})

it('keeps what every point of a percentile plot says', () => {
  const plots = prepareHdrPlots(recorded, null)
  if (!plots) throw new Error('a plot expected')
  const arrived = unpackPlots(packHdrPlots(plots.linear, plots.log)).linear
  if (arrived.kind !== 'hdr') throw new Error('a percentile plot expected')
  const [sent, read] = [plots.linear, arrived].map((plot) => plot.series.flatMap((one) => one.points))
  expect(read).toHaveLength(sent?.length ?? 0)
  for (const [at, point] of (sent ?? []).entries()) {
    const other = read?.[at]
    expect([other?.marked, other?.supported]).toEqual([point.marked, point.supported])
    expect(Math.abs((other?.q ?? 9) - point.q)).toBeLessThan(1e-11)
    expect(Math.abs((other?.ms ?? 9) / point.ms - 1)).toBeLessThan(1e-11)
  }
  const bytes = (what: unknown) => JSON.stringify(what).length
  expect(bytes(packHdrPlots(plots.linear, plots.log))).toBeLessThan(bytes(plots.linear) / 3)
})

it('knows whether there is a percentile plot without making it', async () => {
  const documents = ['lambda-dispatcher-vs-direct', 'zlib-gzip', 'protobuf-vs-json', 'smithy-wrk', 'cascade-load-test']
  const printedRuns = (await Promise.all(documents.map(printed))).flat()
  const found = [...printedRuns, ...recorded].map((run) => [hasHdrPlot([run]), prepareHdrPlots([run], null) !== null])
  expect(found.map(([has]) => has)).toEqual(found.map(([, isPlotted]) => isPlotted))
  expect(new Set(found.map(([has]) => has))).toEqual(new Set([true, false]))
})
