import { describe, expect, it } from 'vitest'
import {
  chartViewHref,
  chooseDistributions,
  plainView,
  readChartView,
  viewedLatencies,
} from '@/components/run/figures/chart-view'
import { prepareHistogram } from '@/components/charts/histogram'
import { preparePercentiles } from '@/components/charts/percentiles'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { headingAt } from '@/components/charts/plot/readings'
import { onLogScale, type Plot } from '@/components/charts/plot/model'
import { leadingLatency } from '@/lib/run/figures'
import { linearTicks, logTicks, place } from '@/components/charts/plot/scale'
import { runsOf } from '../read-fixture'

const drawn = (plot: Plot) => plot.panels.map((panel) => String(panelMarkup(plot, panel))).join('')

const plotted = async (document: string) =>
  (await runsOf({ document })).map((imported, index) => ({
    id: String(index),
    name: imported.proposal.variant ?? `run ${index}`,
    imported,
  }))

describe('scales', () => {
  it('put ticks at round numbers from 0 to beyond the largest value', () => {
    expect(linearTicks(234.3)).toEqual([0, 50, 100, 150, 200, 250])
    expect(linearTicks(1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
    expect(linearTicks(0)).toEqual([0, 1])
    expect(logTicks(4, 30_000)).toEqual([1, 10, 100, 1_000, 10_000, 100_000])
    expect(place(10, [1, 100], 'log')).toBeCloseTo(0.5, 12)
    expect(place(500, [0, 100], 'linear')).toBe(1)
  })
})

describe('preparePercentiles', () => {
  it('has points where vegeta printed them, and the max in its own column', async () => {
    const [run] = await plotted('zlib-gzip')
    if (!run) throw new Error('a run expected')
    const prepared = preparePercentiles([run])
    const [series] = prepared?.lines ?? []
    expect(
      series?.points.map((point) => [Number(point.x.toPrecision(6)), point.ms, point.isPrinted, point.isSupported]),
    ).toEqual([
      [2, 44.814, true, true],
      [20, 66.617, true, true],
      [100, 192.614, true, true],
    ])
    expect(series?.maxMs).toBe(323.938)
    expect(prepared?.plot.x.ticks.map((tick) => tick.label)).toEqual(['p50', 'p75', 'p90', 'p95', 'p99', 'max'])
    const peak = prepared?.plot.panels[0]?.marks.find(({ kind }) => kind === 'peak')
    expect(peak).toMatchObject({ x: prepared?.plot.x.ticks.at(-1)?.at, y: 323.938 })
    expect(prepared?.plot.places).not.toContain(21_000)
    expect(prepared?.table().rows.find(([name]) => name === 'p99')).toEqual(['p99', '193'])
  })
  it('aligns runs by percentile, each with its own style', async () => {
    const plot = preparePercentiles(await plotted('zlib-gzip'))?.plot
    expect(plot?.series).toHaveLength(4)
    expect(new Set(plot?.series.map((series) => series.style.color + series.style.dash)).size).toBe(4)
    expect(plot?.title).toBe('Latency by percentile (s)')
  })
  it('is null when nothing was printed', async () => {
    expect(preparePercentiles((await plotted('protobuf-vs-json')).slice(0, 1))).toBeNull()
  })
  it('draws the same SVG on the server, without NaN', async () => {
    for (const document of ['zlib-gzip', 'smithy-wrk', 'lambda-dispatcher-vs-direct', 'cascade-load-test']) {
      const plot = preparePercentiles(await plotted(document))?.plot
      if (!plot) throw new Error(`${document} has percentiles`)
      for (const scaled of [plot, onLogScale(plot)]) {
        const markup = drawn(scaled)
        expect(markup).not.toMatch(/NaN|Infinity|undefined/)
        expect(markup.match(/<path/g)?.length).toBeGreaterThan(plot.series.length)
      }
    }
  })
})

describe('prepareHistogram', () => {
  it('keeps every printed bucket of one run', async () => {
    const [run] = await plotted('lambda-dispatcher-vs-direct')
    if (!run) throw new Error('a run expected')
    const plot = prepareHistogram([run])
    expect(plot?.bars[0]?.reduce((sum, bar) => sum + bar.count, 0)).toBe(10_000)
    expect(plot?.plot.panels[0]?.y.ticks.at(-1)?.at).toBeGreaterThanOrEqual(5740)
    expect(plot?.plot.panels[0]?.marks[0]).toMatchObject({ look: 'bars' })
  })
  it('overlays densities with equal areas', async () => {
    const plot = prepareHistogram((await plotted('lambda-dispatcher-vs-direct')).slice(0, 2))
    if (!plot) throw new Error('histograms expected')
    const factor = plot.plot.title.includes('(ms') ? 1 : 1e-3
    for (const bars of plot.bars) {
      const area = bars
        .filter((bar) => bar.toMs > bar.fromMs)
        .reduce((sum, bar) => sum + bar.height * (bar.toMs - bar.fromMs) * factor, 0)
      expect(area).toBeGreaterThan(0.99)
      expect(area).toBeLessThan(1.01)
    }
    expect(drawn(plot.plot)).not.toMatch(/NaN|Infinity|undefined/)
  })
  it('draws requests per ms if bucket widths differ, so that areas are counts', async () => {
    const [run] = (await plotted('notes')).filter(({ imported }) => imported.form === 'vegeta-hist')
    if (!run) throw new Error('a run expected')
    const plot = prepareHistogram([run], { scale: 'linear' })
    expect(plot?.plot.title).toBe('Requests per ms of latency (ms)')
    const wide = plot?.bars[0]?.find(({ fromMs }) => fromMs === 10)
    expect(wide).toMatchObject({ toMs: 50, count: 322, height: 322 / 40 })
    const area = plot?.bars[0]?.reduce((sum, bar) => sum + bar.height * (bar.toMs - bar.fromMs), 0)
    expect(area).toBeCloseTo(2_000, 6)
  })
  it('is null without a histogram', async () => {
    expect(prepareHistogram(await plotted('smithy-wrk'))).toBeNull()
  })
})

describe('percentile plot of raw results', () => {
  const summary = {
    of: 'all' as const,
    minMs: null,
    meanMs: null,
    stdDevMs: null,
    withinOneStdDevRatio: null,
    histogram: null,
    origin: 'summary' as const,
    method: 'hey-rank' as const,
  }
  const scene = {
    places: [],
    panels: [],
    id: '',
    title: '',
    series: [],
    x: { scale: 'linear' as const, domain: [0, 1] as const, ticks: [] },
  }
  const raw = async (fixture: string) => {
    const [imported] = await runsOf({ fixture })
    if (!imported) throw new Error('a run expected')
    return { id: '0', name: 'raw', imported }
  }

  it('holds the exact percentiles, rising, and fades exactly where its note says', async () => {
    const run = await raw('vegeta-csv/three-targets-by-latency.csv')
    const latency = leadingLatency(run.imported)
    const [series] = preparePercentiles([run])?.lines ?? []
    if (!latency || !series || latency.count === null) throw new Error('a series expected')
    for (const { q, ms } of latency.quantiles.filter((known) => known.q < 1))
      expect(series.points.find((point) => Math.abs(point.q - q) < 1e-9)?.ms).toBe(ms)
    const ms = series.points.map((point) => point.ms)
    expect(ms).toEqual(ms.toSorted((a, b) => a - b))
    expect(ms[0]).toBe(latency.minMs)
    // The max of the samples is known and drawn separately: no percentile is as high.
    expect(series.maxMs).toBe(latency.maxMs)
    expect(ms.at(-1)).toBeLessThan(latency.maxMs ?? 0)
    const last = series.points.findLast((point) => point.isSupported)?.q ?? 0
    expect(latency.count * (1 - last)).toBeCloseTo(10, 6)
    expect(series.note).toMatch(/^faded where fewer than 10 of [\d\u202f]+ requests are slower$/)
    // A histogram is a line without dots, so none is hollow.
    expect(preparePercentiles([run])?.plot.footnote).toBe(
      'Lines fade where fewer than 10 requests are slower. Hollow: max.',
    )
  })

  it('ends before the max, without inventing a percentile', async () => {
    const run = await raw('vegeta-csv/three-targets-by-latency.csv')
    const [latency] = run.imported.latencies
    if (!latency || latency.count === null) throw new Error('a latency expected')
    const quantiles = latency.quantiles.filter(({ q }) => q <= 0.9)
    const only = { ...run, imported: { ...run.imported, latencies: [{ ...latency, quantiles }] } }
    const line = preparePercentiles([only])?.lines[0]
    expect(line?.maxMs).toBe(latency.maxMs)
    expect(line?.points.at(-1)?.x).toBeLessThan(latency.count)
  })

  it('positions a percentile by its q, however few requests there were', async () => {
    const [series] = preparePercentiles([await raw('hey-csv/eighteen-of-twenty.csv')])?.lines ?? []
    const beyond = series?.points.find((point) => Math.abs(point.q - 0.99) < 1e-9)
    if (beyond) expect(beyond.x).toBeCloseTo(100, 6)
    expect(series?.points.every((point) => Math.abs(point.x - 1 / (1 - point.q)) < 1e-6 * point.x)).toBe(true)
    const one = preparePercentiles([await raw('hey-csv/one-response.csv')])?.lines[0]
    expect(one?.note).toBe('1 request: too few for any percentile')
  })

  it('describes what the points of printed percentiles show', async () => {
    const [run] = await plotted('zlib-gzip')
    if (!run) throw new Error('a run expected')
    const [series] = preparePercentiles([run])?.lines ?? []
    expect(series?.points.findLast((point) => point.isSupported)?.q).toBe(0.99)
    // 210 of 21 000 are slower than p99: no line continues to the max.
    expect(series?.points.at(-1)?.q).toBe(0.99)
    expect(series?.note).toBeNull()
  })

  it('never claims that few are slower where many are, nor treats the max as a percentile', () => {
    const lineOf = (count: number, printed: readonly number[]) => {
      const quantiles = printed.map((q) => ({ q, ms: 100 * q }))
      const latency = { ...summary, count, maxMs: 500, quantiles }
      const imported = { tool: 'hey' as const, requests: count, latencies: [latency] }
      return preparePercentiles([{ id: '0', name: 'run', imported }])
    }
    expect(lineOf(10_000, [0.5, 0.99])?.lines[0]?.note).toBeNull()
    expect(lineOf(10_000, [0.5, 0.99, 0.9999])?.lines[0]?.note).toBe(
      'faded beyond p99: nothing was printed between it and p99.99, beyond which fewer than 10 of 10\u202f000 requests are slower',
    )
    expect(lineOf(1_000, [0.5, 0.99])?.plot.footnote).toBe('Lines end at the last percentile printed. Hollow: max.')
    expect(lineOf(1_000, [0.5, 0.99, 0.999])?.plot.footnote).toBe(
      'Hollow: fewer than 10 requests are slower, and the max. Lines fade towards such points.',
    )
    const rows = lineOf(1_000, [0.5, 0.99])
      ?.table()
      .rows.map(([name]) => name)
    expect(rows).toEqual(['p50', 'p99', 'max'])
  })

  it('marks values clipped by a timeout as a bound in its table, which is also the source of files', () => {
    const latency = { ...summary, count: 1_000, maxMs: 30_010, quantiles: [{ q: 0.5, ms: 30_000 }] }
    const imported = { tool: 'vegeta' as const, requests: 1_000, latencies: [latency] }
    const rows = preparePercentiles([{ id: '0', name: 'run', imported }])?.table().rows ?? []
    expect(rows.map(([name, text]) => [name, text?.startsWith('≥')])).toEqual([
      ['p50', true],
      ['max', true],
    ])
  })

  it('is fitted to percentiles: one max beyond them gives their column a scale of its own', () => {
    const run = (id: string, maxMs: number) => {
      const quantiles = [0.5, 0.99].map((q) => ({ q, ms: 100 * q }))
      const latency = { ...summary, count: 10_000, maxMs, quantiles }
      return { id, name: id, imported: { tool: 'hey' as const, requests: 10_000, latencies: [latency] } }
    }
    const { panels } = preparePercentiles([run('a', 150), run('b', 9_000), run('c', 8_000)])?.plot ?? { panels: [] }
    const [panel] = panels
    expect(panel?.y.domain[1]).toBeLessThan(110)
    expect(panel?.column?.own).toMatchObject({ domain: [0, 10_600], ticks: [{ at: 5_000 }, { at: 10_000 }] })
    expect(preparePercentiles([run('a', 99)])?.plot.panels[0]?.column).toEqual({ own: null })
    const texts = panel?.marks.flatMap((mark) =>
      mark.kind === 'label' ? [`${mark.text} ${mark.more}`] : mark.kind === 'peak' ? [mark.text] : [],
    )
    expect(texts?.map((text) => text.replace('\u202f', ' '))).toEqual([
      '99.0 a',
      '150',
      '99.0 b',
      '9 000',
      '99.0 c',
      '8 000',
    ])
  })

  it('shows no tick of that scale which the number of a max covers', () => {
    const run = (id: string, maxMs: number) => {
      const quantiles = [0.5, 0.99].map((q) => ({ q, ms: 100 * q }))
      const latency = { ...summary, count: 10_000, maxMs, quantiles }
      return { id, name: id, imported: { tool: 'hey' as const, requests: 10_000, latencies: [latency] } }
    }
    const ticksOf = (maxMs: number) => {
      const { plot } = preparePercentiles([run('a', 150), run('b', maxMs)]) ?? {}
      return plot === undefined ? [] : [...drawn(plot).matchAll(/>(5|10)\u202f000</g)].map(([, number]) => number)
    }
    expect(ticksOf(9_000)).toEqual(['5', '10'])
    expect(ticksOf(9_990)).toEqual(['5'])
  })

  it('names lines at their ends only where the drawing is wide enough for the name', () => {
    const run = (name: string) => {
      const latency = { ...summary, count: 10_000, maxMs: 150, quantiles: [0.5, 0.99].map((q) => ({ q, ms: 100 * q })) }
      return { id: name, name, imported: { tool: 'hey' as const, requests: 10_000, latencies: [latency] } }
    }
    const { plot } = preparePercentiles([run('a'), run('before-the-change')]) ?? {}
    const widths = plot?.panels.flatMap((panel) => [...drawn({ ...plot, panels: [panel] }).matchAll(/from(\d+)/g)])
    expect(widths?.map(([, px]) => px)).toEqual(['400', '1000'])
  })

  it('leaves room below the min on a logarithmic axis', () => {
    const quantiles = [
      { q: 0.5, ms: 10 },
      { q: 0.99, ms: 900 },
    ]
    const latency = { ...summary, count: 10_000, maxMs: 950, quantiles }
    const imported = { tool: 'hey' as const, requests: 10_000, latencies: [latency] }
    const [panel] = preparePercentiles([{ id: '0', name: 'run', imported }])?.plot.panels ?? []
    expect(panel?.onLog?.y.domain[0]).toBeLessThan(7)
    expect(panel?.onLog?.y.ticks.map(({ at }) => at)).toEqual([10, 100, 1_000])
  })

  it('names only percentiles that tools print', () => {
    const plot = { ...scene, heading: { kind: 'quantile' as const } }
    const at = (x: number) => headingAt(plot, x)
    expect(at(100)).toBe('p99: 1 in 100 requests is slower')
    expect(at(64)).toBe('p98.4375: 1 in 64 requests is slower')
    expect(at(306.67)).toBe('1 in 307 requests is slower')
  })
})

describe('histogram of raw results', () => {
  const histogramOf = (buckets: readonly (readonly [number, number | null, number])[]) => ({
    id: '0',
    name: 'run',
    imported: {
      tool: 'vegeta' as const,
      requests: null,
      latencies: [
        {
          of: 'all' as const,
          count: null,
          minMs: null,
          meanMs: null,
          stdDevMs: null,
          maxMs: null,
          withinOneStdDevRatio: null,
          quantiles: [],
          histogram: {
            kind: 'buckets' as const,
            inclusive: 'lower' as const,
            buckets: buckets.map(([lowerMs, upperMs, count]) => ({ lowerMs, upperMs, count })),
          },
          origin: 'buckets' as const,
          method: 'buckets' as const,
        },
      ],
    },
  })

  it('keeps every request in a bar, on both axes and with any number of bars', async () => {
    const [imported] = await runsOf({ fixture: 'vegeta-csv/three-targets-by-latency.csv' })
    if (!imported) throw new Error('a run expected')
    for (const scale of ['linear', 'log'] as const) {
      for (const barCount of [20, 160]) {
        const plot = prepareHistogram([{ id: '0', name: 'raw', imported }], { scale, barCount })
        const bars = plot?.bars[0] ?? []
        const x = plot?.plot.x
        expect(x?.scale).toBe(scale)
        expect(bars.length).toBeLessThanOrEqual(barCount)
        expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(imported.requests)
        expect(x?.ticks.every(({ at }) => at >= x.domain[0] && at <= x.domain[1])).toBe(true)
      }
    }
  })

  it('chooses a log axis if a linear one would hide nearly everything, and trims an empty start', () => {
    const wide = prepareHistogram([
      histogramOf([
        [0, 10, 900],
        [10, 100, 90],
        [100, 10_000, 10],
      ]),
    ])
    expect(wide?.plot.x.scale).toBe('log')
    expect(wide?.plot.x.domain[0]).toBeGreaterThan(0)
    const narrow = prepareHistogram([
      histogramOf([
        [10, 10.02, 5],
        [10.02, 10.04, 7],
      ]),
    ])
    expect(narrow?.plot.x.scale).toBe('linear')
    expect(narrow?.plot.x.domain[0]).toBe(10)
    expect(narrow?.plot.x.ticks.map(({ label }) => label)).toEqual(['10', '10.01', '10.02', '10.03', '10.04'])
  })

  it('puts count ticks at whole numbers, short enough for the margin', () => {
    const labels = (count: number) =>
      prepareHistogram([histogramOf([[0, 10, count]])])?.plot.panels[0]?.y.ticks.map(({ label }) => label)
    expect(labels(1)).toEqual(['0', '1'])
    expect(labels(3)).toEqual(['0', '1', '2', '3'])
    expect(labels(1_000_000)).toEqual(['0', '200k', '400k', '600k', '800k', '1M'])
  })

  it('says how many requests lie beyond the last bucket', () => {
    const plot = prepareHistogram([
      histogramOf([
        [0, 10, 5],
        [10, null, 12],
      ]),
    ])
    expect(plot?.plot.note).toBe('Not drawn: 12 requests beyond the last bucket, at 10.0\u00a0ms or more.')
    expect(plot?.bars[0]).toHaveLength(1)
    expect(
      prepareHistogram([
        histogramOf([
          [0, 10, 5],
          [10, null, 0],
        ]),
      ])?.plot.note,
    ).toBeNull()
  })
})

describe('the view in the address', () => {
  it('reads what it wrote, and ignores anything else', () => {
    const range = { fromMs: 2_000, toMs: 9_000 }
    const charts = { of: 'failure', axis: 'log', barCount: 80, y: 'log', sort: 'p99', tables: ['over-time'] } as const
    const view = { ...charts, range }
    expect(readChartView(new URLSearchParams(chartViewHref(view, {})))).toEqual(view)
    expect(readChartView(new URLSearchParams('of=toString&axis=up&bars=41&bars=2&y=x&sort=x&from=3&to=2'))).toEqual(
      plainView,
    )
    expect(chartViewHref(plainView, {})).toBe('?')
    expect(chartViewHref(view, { of: null })).toBe('?axis=log&bars=80&y=log&sort=p99&table=over-time&from=2000&to=9000')
  })

  it('narrows the latencies to the chosen distribution', async () => {
    const [imported] = await runsOf({ fixture: 'vegeta-csv/three-targets-by-latency.csv' })
    if (!imported) throw new Error('a run expected')
    const choices = chooseDistributions(imported)
    expect(choices[0]).toBe('all')
    for (const of of choices) {
      const viewed = viewedLatencies(imported, { ...plainView, of })
      expect(leadingLatency({ latencies: viewed })?.of).toBe(of)
    }
    expect(viewedLatencies(imported, { ...plainView, of: 'uncorrected' })).toBe(imported.latencies)
  })
})
