import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { plainView } from '@/components/run/figures/chart-view'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { drawFile, toSvg } from '@/components/charts/plot/file'
import type { Mark, Plot, Prepared } from '@/components/charts/plot/model'
import { pack } from '@/components/charts/plot/sent/pack'
import { unpack } from '@/components/charts/plot/sent/unpack'
import { headingAt, readPanel } from '@/components/charts/plot/readings'
import { timeTicks } from '@/components/charts/axes/time-ticks'
import { prepareTimeline } from '@/components/charts/timeline'
import { TargetsTable } from '@/components/run/figures/targets-table'
import type { Timeline } from '@/lib/run/run'
import { runsOf } from '../read-fixture'

const marksOf = <Kind extends Mark['kind']>(prepared: Prepared | null, kind: Kind) =>
  prepared?.plot.panels.flatMap((panel) =>
    panel.marks.filter((mark): mark is Extract<Mark, { kind: Kind }> => mark.kind === kind),
  ) ?? []
const draw = (plot: Plot) => plot.panels.map((panel) => String(panelMarkup(plot, panel))).join('')
const read = (plot: Plot, x: number) =>
  plot.panels.flatMap((panel) => readPanel(plot, panel, x).map(({ text }) => text))
const cellsOf = (prepared: Prepared | null) => marksOf(prepared, 'cells')[0]?.rows.flat() ?? []
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

async function timelineOf(fixture: string): Promise<Timeline> {
  const [run] = await runsOf({ fixture })
  if (!run?.timeline) throw new Error(`${fixture} has a timeline`)
  return run.timeline
}

const [first, second] = [0, 1]
const hole: Timeline = {
  startedAt: '2026-11-21T03:01:26.000Z',
  binMs: 2_000,
  requests: [1_000, 0, 3_000],
  errors: [0, 0, 600],
  p50Ms: [10, null, 20],
  p90Ms: [20, null, 30],
  p95Ms: [20, null, 30],
  p99Ms: [20, null, 40],
  maxMs: [20, null, 40],
  heat: {
    binMs: 2_000,
    lowerMs: [8, 12, 16, 24, 32],
    counts: [
      [600, 0, 0],
      [200, 0, 0],
      [200, 0, 2_400],
      [0, 0, 500],
      [0, 0, 100],
    ],
  },
  warmUp: null,
}

describe('prepareTimeline', () => {
  it('is null without a timeline', () => {
    expect(prepareTimeline(null)).toBeNull()
  })

  it('keeps a second without requests as a gap in latency and as 0 in rate', () => {
    const prepared = prepareTimeline(hole)
    if (!prepared) throw new Error('a plot expected')
    const { plot } = prepared
    expect(marksOf(prepared, 'line').map(({ y }) => y[second])).toEqual([null, null, null, null])
    expect(marksOf(prepared, 'line')[0]?.y).toEqual([10, null, 20])
    expect(marksOf(prepared, 'bars').map(({ y }) => y)).toEqual([
      [500, 0, 1_500],
      [0, 0, 300],
    ])
    const [, inHole = 0, inThird = 0] = plot.places
    expect(read(plot, inHole).slice(2)).toEqual(['–', '–', '–', '–'])
    expect(headingAt(plot, inThird)).toBe('4\u00a0s (03:01:30 UTC)')
    expect(read(plot, inThird)).toEqual([
      '1\u202f500/s',
      '300/s',
      '20.0\u00a0ms',
      '30.0\u00a0ms',
      '40.0\u00a0ms',
      '40.0\u00a0ms',
    ])
    const { rows } = prepared.table()
    expect(rows[first]).toEqual(['0\u00a0s (03:01:26 UTC)', '1\u202f000', '0', '10.0', '20.0', '20.0', '20.0', '20.0'])
    expect(rows[second]?.slice(1)).toEqual(['0', '0', '–', '–', '–', '–', '–'])
  })

  it('draws a percentile only where 10 requests of the bin are slower, and notes that once', () => {
    const requests = [50, 100, 999, 1_000]
    const same = (ms: number) => requests.map(() => ms)
    const columns = { p50Ms: same(1), p90Ms: same(2), p95Ms: same(3), p99Ms: same(4), maxMs: same(5) }
    const few: Timeline = { ...hole, requests, errors: same(0), ...columns }
    const prepared = prepareTimeline(few)
    expect(marksOf(prepared, 'line').map(({ y }) => y)).toEqual([
      [1, 1, 1, 1],
      [null, 2, 2, 2],
      [null, null, null, 4],
      [5, 5, 5, 5],
    ])
    expect(prepared?.table().rows.map((row) => row[6])).toEqual(['–', '–', '–', '4.00'])
    expect(prepared?.plot.note).toContain(
      'A gap: fewer than 10 requests of the bin would be slower (p90 from 100, p99 from 1\u202f000 a bin).',
    )
    const enough = prepareTimeline({ ...few, requests: same(1_000) })
    expect(enough?.plot.note).not.toContain('A gap')
  })

  it('draws the bins that a selected range touches, at their own times', () => {
    const four = [500, 600, 700, 800]
    const columns = { p50Ms: four, p90Ms: four, p95Ms: four, p99Ms: four, maxMs: four }
    const long: Timeline = { ...hole, requests: four, errors: [0, 0, 0, 0], ...columns }
    const part = prepareTimeline(long, { fromMs: 2_500, toMs: 5_000 })
    expect(part?.plot.x.domain).toEqual([2_000, 6_000])
    expect(part?.plot.places).toEqual([3_000, 5_000])
    expect(marksOf(part, 'bars').map(({ y }) => y)).toEqual([
      [300, 350],
      [0, 0],
    ])
    expect(part?.table().rows.map(([from, requests]) => [from?.slice(0, 3), requests])).toEqual([
      ['2\u00a0s', '600'],
      ['4\u00a0s', '700'],
    ])
    expect(part?.plot.note).not.toContain('partly covered')
    // One bin is no range, and all of them are the whole run.
    expect(prepareTimeline(long, { fromMs: 0, toMs: 1 })?.plot.x.domain).toEqual([0, 8_000])
    expect(prepareTimeline(long, { fromMs: 0, toMs: 9_000 })?.plot.note).toContain('partly covered')
  })

  it('draws a lone bin as a dot and never connects across a gap', () => {
    const plot = prepareTimeline(hole)?.plot
    if (!plot) throw new Error('a plot expected')
    const markup = draw(plot)
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
    expect(markup).toContain('d="M1667 7500l0 0M8333 5000l0 0"')
  })

  it('has every request of the heat map in a cell, even with merged columns', () => {
    const bands = 60
    const columns = 60
    const dense: Timeline = {
      ...hole,
      heat: {
        binMs: 100,
        lowerMs: Array.from({ length: bands }, (_, band) => 0.001 * 2 ** (band / 2)),
        counts: Array.from({ length: bands }, () => new Array<number>(columns).fill(3)),
      },
    }
    const prepared = prepareTimeline(dense)
    const cells = cellsOf(prepared)
    expect(cells.filter((count) => count > 0).length).toBeLessThanOrEqual(2_000)
    expect(sum(cells)).toBe(bands * columns * 3)
    expect(Math.max(...cells)).toBe(6)
    expect(prepared && draw(prepared.plot)).not.toMatch(/NaN|Infinity|undefined/)
  })

  /** 40 bins of a second, the first of which started 250 ms before the first request. */
  const bins = 40
  const warming = (warmUp: Timeline['warmUp']): Timeline => {
    const same = (value: number) => new Array<number>(bins).fill(value)
    const columns = { p50Ms: same(1), p90Ms: same(2), p95Ms: same(3), p99Ms: same(4), maxMs: same(5) }
    return { ...hole, binMs: 1_000, requests: same(1_000), errors: same(0), ...columns, warmUp }
  }
  const steady = {
    fromMs: 4_750,
    requests: 35_000,
    errors: 0,
    servedPerSecond: 1_000,
    meanMs: 1,
    p50Ms: 1,
    p90Ms: 2,
    p95Ms: 3,
    p99Ms: 4,
    maxMs: 5,
  }

  it('shades the warm-up behind every panel, labelled once, in the table, at the cursor and in a file', () => {
    const prepared = prepareTimeline(warming({ endMs: 4_210, isSteady: true, steady }))
    if (!prepared) throw new Error('a plot expected')
    const { plot } = prepared
    const bands = marksOf(prepared, 'band')
    expect(bands).toHaveLength(3)
    // It counts from the first request, the axis from the first bin.
    for (const band of bands) expect(band.x).toEqual([0, 4_460])
    const rules = plot.panels.flatMap((panel) => panel.rules ?? [])
    expect(rules.map(({ at }) => at)).toEqual([4_460, 4_460, 4_460])
    expect(rules.map(({ label }) => label)).toEqual(['', 'Warm-up until 4.2\u00a0s', ''])
    expect(plot.note).toContain('Shaded: the warm-up until 4.2\u00a0s after the first request.')
    expect(plot.panels[1]?.label).toContain('over time. Warm-up until 4.2\u00a0s after the first request')

    const [, , , , fifth = 0, sixth = 0] = plot.places
    expect(headingAt(plot, fifth)).toBe('4\u00a0s (03:01:30 UTC), warm-up')
    expect(headingAt(plot, sixth)).toBe('5\u00a0s (03:01:31 UTC)')
    expect(read(plot, fifth)).toHaveLength(6)
    const { head, rows } = prepared.table()
    expect(head.at(-1)).toBe('Part')
    expect(rows.map((row) => row.at(-1)).slice(3, 6)).toEqual(['warm-up', 'warm-up', 'steady'])

    expect(draw(plot)).toContain('Warm-up until 4.2\u00a0s')
    const file = drawFile(plot, { width: 800, height: null }, (color) => color)
    expect(file.texts.map(({ text }) => text)).toContain('Warm-up until 4.2\u00a0s')
    expect(toSvg(file, plot.title, (color) => color)).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('shades all of a run that never became steady, and nothing of one that always was', () => {
    const never = prepareTimeline(warming({ endMs: null, isSteady: false, steady: null }))
    expect(marksOf(never, 'band').map(({ x }) => x[1])).toEqual([40_000, 40_000, 40_000])
    expect(never && draw(never.plot)).toContain('Never steady: it still changes at the end')
    expect(never?.table().rows.every((row) => row.at(-1) === 'not steady')).toBe(true)
    expect(never && headingAt(never.plot, 500)).toBe('0\u00a0s (03:01:26 UTC)')
    const plain = JSON.stringify(prepareTimeline(warming(null))?.plot)
    expect(JSON.stringify(prepareTimeline(warming({ endMs: 0, isSteady: true, steady: null }))?.plot)).toBe(plain)
    expect(plain).not.toMatch(/[Ww]arm-up/)
  })

  it('keeps the shade within the run if no whole bin is left', () => {
    const prepared = prepareTimeline(warming({ endMs: 39_900, isSteady: true, steady: null }))
    expect(marksOf(prepared, 'band')[0]?.x).toEqual([0, 39_900])
  })

  it('shows what importers read from raw results, without NaN', async () => {
    for (const fixture of [
      'vegeta-csv/three-targets-by-latency.csv',
      'vegeta-csv/one-request.csv',
      'vegeta-csv/all-failed.csv',
      'hey-csv/slow.csv',
      'hey-csv/one-response.csv',
    ]) {
      const timeline = await timelineOf(fixture)
      const prepared = prepareTimeline(timeline)
      if (!prepared) throw new Error('a plot expected')
      const { plot } = prepared
      expect(sum(cellsOf(prepared))).toBe(sum(timeline.requests))
      expect(plot.places).toHaveLength(timeline.requests.length)
      for (const { y } of plot.panels) {
        expect(y.ticks.length).toBeGreaterThan(0)
        expect(y.ticks.every(({ at }) => at >= y.domain[0] && at <= y.domain[1])).toBe(true)
      }
      expect(draw(plot)).not.toMatch(/NaN|Infinity|undefined/)
    }
  })
})

it('is restored as sent', async () => {
  const raw = ['vegeta-csv/three-targets-by-latency.csv', 'vegeta-csv/all-failed.csv', 'hey-csv/slow.csv']
  for (const timeline of [hole, ...(await Promise.all(raw.map(timelineOf)))]) {
    const plot = prepareTimeline(timeline)?.plot
    if (!plot) throw new Error('a plot expected')
    const arrived: Plot = unpack(JSON.parse(JSON.stringify(pack(plot))))
    const short = (_: string, one: unknown) => (typeof one === 'number' ? Number(one.toPrecision(12)) : one)
    expect(arrived).toEqual(JSON.parse(JSON.stringify(plot, short)))
  }
})

describe('timeTicks', () => {
  it('has round times in one unit, at most eight', () => {
    expect(timeTicks(1_000).map(({ label }) => label)).toEqual(['0\u00a0s', '1\u00a0s'])
    expect(timeTicks(100_000).map(({ label }) => label)).toEqual([0, 15, 30, 45, 60, 75, 90].map((s) => `${s}\u00a0s`))
    expect(timeTicks(3_600_000).map(({ ms }) => ms / 60_000)).toEqual([0, 10, 20, 30, 40, 50, 60])
    for (const spanMs of [7e3, 8e3, 123_456, 9e6, 4e8, 9e9]) expect(timeTicks(spanMs).length).toBeLessThanOrEqual(9)
  })
})

describe('TargetsTable', () => {
  it('sorts as the address says, and counts the rest below', () => {
    const target = (url: string | null, count: number, p99Ms: number) => ({
      method: url === null ? null : 'GET',
      url,
      count,
      errors: 0,
      bytesIn: 10,
      meanMs: 1,
      p50Ms: 1,
      p95Ms: 1,
      p99Ms,
      maxMs: 9,
    })
    const targets = [target('/often', 70, 2), target('/slow', 20, 8), target(null, 10, 3)]
    const text = (sort: 'requests' | 'p99', requests: number | null = null) =>
      renderToStaticMarkup(createElement(TargetsTable, { targets, requests, view: { ...plainView, sort } }))
    expect(text('requests').indexOf('/often')).toBeLessThan(text('requests').indexOf('/slow'))
    expect(text('p99').indexOf('/slow')).toBeLessThan(text('p99').indexOf('/often'))
    expect(text('p99')).toContain('70\u00a0%')
    // Unreadable rows are requests, too.
    expect(text('p99', 200)).toContain('35\u00a0%')
    expect(text('p99')).toContain('Other targets: 10 requests, 0 errors')
  })
})
