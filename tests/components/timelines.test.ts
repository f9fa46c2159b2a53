import { expect, it } from 'vitest'
import { prepareTimelines, type TimedRun } from '@/components/charts/timelines-plot'
import type { Timeline } from '@/lib/run/run'

function timeline(requests: readonly number[], p99Ms: readonly (number | null)[], binMs = 1_000): Timeline {
  const rest = { p50Ms: p99Ms, p90Ms: p99Ms, p95Ms: p99Ms, maxMs: p99Ms, errors: requests.map(() => 0) }
  return { startedAt: null, binMs, requests, p99Ms, ...rest, heat: { binMs, lowerMs: [], counts: [] } }
}

const run = (id: string, styleIndex: number, own: Timeline | null, side?: TimedRun['side']): TimedRun => {
  return { id, name: id, styleIndex, side, timeline: own }
}

it('puts runs of other lengths and bins on one scale; what is past the end is a gap', () => {
  const fine = timeline([10, 30, 20, 20], [5, null, 7, 100])
  const plot = prepareTimelines([run('a', 0, fine), run('b', 1, timeline([80, 40, 40], [10, 50, 20], 2_000))])
  if (!plot) throw new Error('a plot expected')
  expect(plot.binCount).toBe(3)
  const [a, b] = plot.sides
  // 40 requests in two seconds of 1 s bins; the highest p99 of both, the only one where the other is missing.
  expect([0, 1, 2].map((bin) => a?.reading(bin).replaceAll('\u00a0', ' '))).toEqual([
    '20.0/s, p99 5.00 ms',
    '20.0/s, p99 100 ms',
    'ended',
  ])
  expect(b?.reading(0).replaceAll('\u00a0', ' ')).toBe('40.0/s, p99 10.0 ms')
  expect(a?.rate[0]?.shares).toEqual([0.5, 0.5, null])
  expect(b?.rate[0]?.shares).toEqual([1, 0.5, 0.5])
  expect(a?.p99[0]?.shares).toEqual([0.05, 1, null])
  expect(b?.p99[0]?.shares).toEqual([0.1, 0.5, 0.2])
  expect(plot.note).toContain('the highest p99')
})

it('keeps repeats in one cell, and all lines together under 2,000 points', () => {
  const long = timeline(
    Array.from({ length: 200 }, () => 100),
    Array.from({ length: 200 }, (_, at) => 10 + at),
  )
  const side = { name: 'gzip', size: 10 }
  const repeats = Array.from({ length: 10 }, (_, at) => run(`gzip (${at + 1})`, 0, long, side))
  const plot = prepareTimelines([...repeats, ...Array.from({ length: 9 }, (_, at) => run(`v${at}`, at + 1, long))])
  if (!plot) throw new Error('a plot expected')
  expect(plot.sides.map((one) => one.rate.length)).toEqual([10, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  expect(plot.sides[0]?.name).toBe('gzip (10 of 10 runs)')
  const points = plot.sides.flatMap((one) => [...one.rate, ...one.p99]).flatMap((line) => line.shares)
  expect(points.length).toBeGreaterThan(500)
  expect(points.length).toBeLessThanOrEqual(2_000)
  expect(plot.sides[1]?.p99[0]?.shares.at(-1)).toBe(Math.round((209 / 250) * 1e4) / 1e4)
})

it('is left out where fewer than two runs have a timeline, and names those that lack one', () => {
  const short = timeline([1], [2])
  expect(prepareTimelines([run('a', 0, short), run('b', 1, null)])).toBeNull()
  const plot = prepareTimelines([run('a', 0, short), run('b', 1, null), run('c', 2, short)])
  expect(plot?.note).toContain('No timeline: b.')
  expect(plot?.sides.map((one) => one.name)).toEqual(['a', 'c'])
})
