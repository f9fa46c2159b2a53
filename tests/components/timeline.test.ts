import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { plainView } from '@/components/charts/chart-view'
import { packSide, packTimeline, unpackSide, unpackTimeline } from '@/components/charts/packed-timeline'
import { timeTicks } from '@/components/charts/elapsed'
import { prepareTimeline } from '@/components/charts/timeline-plot'
import { TimelineSvg } from '@/components/charts/timeline-svg'
import { TargetsTable } from '@/components/run/targets-table'
import type { Timeline } from '@/lib/run/run'
import { runsOf } from '../read-fixture'

async function timelineOf(fixture: string): Promise<Timeline> {
  const [run] = await runsOf({ fixture })
  if (!run?.timeline) throw new Error(`${fixture} has a timeline`)
  return run.timeline
}

const [first, second, third] = [0, 1, 2]
const hole: Timeline = {
  startedAt: '2026-11-21T03:01:26.000Z',
  binMs: 2_000,
  requests: [10, 0, 30],
  errors: [0, 0, 6],
  p50Ms: [10, null, 20],
  p90Ms: [20, null, 30],
  p95Ms: [20, null, 30],
  p99Ms: [20, null, 40],
  maxMs: [20, null, 40],
  heat: {
    binMs: 2_000,
    lowerMs: [8, 12, 16, 24, 32],
    counts: [
      [6, 0, 0],
      [2, 0, 0],
      [2, 0, 24],
      [0, 0, 5],
      [0, 0, 1],
    ],
  },
}

describe('prepareTimeline', () => {
  it('is null without a timeline', () => {
    expect(prepareTimeline(null)).toBeNull()
  })

  it('keeps a second without requests as a gap in latency and as 0 in rate', () => {
    const plot = prepareTimeline(hole)
    expect(plot?.latency.lines.map((line) => line.shares[second])).toEqual([null, null, null, null])
    expect(plot?.latency.lines[0]?.shares).toEqual([0.25, null, 0.5])
    expect(plot?.rate.lines.map((line) => line.shares)).toEqual([
      [5 / 15, 0, 1],
      [0, 0, 3 / 15],
    ])
    expect(plot?.readings.read(second).texts.slice(2)).toEqual(['–', '–', '–', '–'])
    expect(plot?.readings.read(third).when).toBe('4\u00a0s (03:01:30 UTC)')
    expect(plot?.readings.read(third).texts).toEqual([
      '15.0/s',
      '3.00/s',
      '20.0\u00a0ms',
      '30.0\u00a0ms',
      '40.0\u00a0ms',
      '40.0\u00a0ms',
    ])
    expect(plot?.table().rows[first]).toEqual([
      '0\u00a0s (03:01:26 UTC)',
      '10',
      '0',
      '10.0',
      '20.0',
      '20.0',
      '20.0',
      '20.0',
    ])
    expect(plot?.table().rows[second]?.slice(1)).toEqual(['0', '0', '–', '–', '–', '–', '–'])
  })

  it('draws a lone bin as a dot and never joins over a gap', () => {
    const plot = prepareTimeline(hole)
    if (!plot) throw new Error('a plot expected')
    const markup = renderToStaticMarkup(createElement(TimelineSvg, { plot }))
    expect(markup).not.toMatch(/NaN|Infinity|undefined/)
    expect(markup).toContain('d="M1667 7500l0 0M8333 5000l0 0"')
  })

  it('has every request of the heat map in a cell, also when columns are joined', () => {
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
    const heat = prepareTimeline(dense)?.heat
    expect(heat?.cells.length).toBeLessThanOrEqual(2_000)
    expect(heat?.cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(bands * columns * 3)
    expect(heat?.fullest).toBe(6)
    expect(Math.max(...(heat?.cells.map((cell) => cell.x + cell.width) ?? []))).toBeLessThanOrEqual(1)
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
      const plot = prepareTimeline(timeline)
      if (!plot) throw new Error('a plot expected')
      const all = timeline.requests.reduce((sum, count) => sum + count, 0)
      expect(plot.heat?.cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(all)
      expect(plot.binCount).toBe(timeline.requests.length)
      expect(plot.latency.yTicks.every(({ at }) => at >= 0 && at <= 1)).toBe(true)
      expect(plot.heat?.yTicks.length).toBeGreaterThan(0)
      expect(renderToStaticMarkup(createElement(TimelineSvg, { plot }))).not.toMatch(/NaN|Infinity|undefined/)
    }
  })
})

it('arrives as it was sent', async () => {
  const raw = ['vegeta-csv/three-targets-by-latency.csv', 'vegeta-csv/all-failed.csv', 'hey-csv/slow.csv']
  for (const timeline of [hole, ...(await Promise.all(raw.map(timelineOf)))]) {
    expect(unpackTimeline(packTimeline(timeline))).toEqual(timeline)
    const { binMs, requests, p99Ms } = timeline
    expect(unpackSide(packSide(timeline))).toEqual({ binMs, requests, p99Ms })
  }
})

describe('timeTicks', () => {
  it('has round moments of one unit, at most eight', () => {
    expect(timeTicks(1_000).map(({ label }) => label)).toEqual(['0\u00a0s', '1\u00a0s'])
    expect(timeTicks(100_000).map(({ label }) => label)).toEqual([0, 15, 30, 45, 60, 75, 90].map((s) => `${s}\u00a0s`))
    expect(timeTicks(3_600_000).map(({ ms }) => ms / 60_000)).toEqual([0, 10, 20, 30, 40, 50, 60])
    for (const spanMs of [7e3, 8e3, 123_456, 9e6, 4e8, 9e9]) expect(timeTicks(spanMs).length).toBeLessThanOrEqual(9)
  })
})

describe('TargetsTable', () => {
  it('sorts by what the address says, and tells the rest below', () => {
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
    const text = (sort: 'requests' | 'p99') =>
      renderToStaticMarkup(createElement(TargetsTable, { targets, view: { ...plainView, sort } }))
    expect(text('requests').indexOf('/often')).toBeLessThan(text('requests').indexOf('/slow'))
    expect(text('p99').indexOf('/slow')).toBeLessThan(text('p99').indexOf('/often'))
    expect(text('p99')).toContain('70\u00a0%')
    expect(text('p99')).toContain('Other targets: 10 requests, 0 errors')
  })
})
