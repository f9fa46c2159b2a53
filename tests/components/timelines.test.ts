import { expect, it } from 'vitest'
import type { Plot } from '@/components/charts/plot/model'
import { readCell } from '@/components/charts/plot/readings'
import { prepareTimelines, type TimedRun } from '@/components/charts/timelines'
import type { Timeline } from '@/lib/run/run'

function timeline(requests: readonly number[], p99Ms: readonly (number | null)[], binMs = 1_000): Timeline {
  const rest = { p50Ms: p99Ms, p90Ms: p99Ms, p95Ms: p99Ms, maxMs: p99Ms, errors: requests.map(() => 0) }
  return { startedAt: null, binMs, requests, p99Ms, ...rest, heat: { binMs, lowerMs: [], counts: [] }, warmUp: null }
}

const linesOf = (plot: Plot, cell: number, at: number) => {
  const panel = plot.panels.filter((one) => one.cell === cell)[at]
  return panel?.marks.flatMap((mark) => (mark.kind === 'line' ? [mark.y] : [])) ?? []
}

const run = (id: string, styleIndex: number, own: Timeline | null, side?: TimedRun['side']): TimedRun => {
  return { id, name: id, styleIndex, side, timeline: own }
}

it('puts runs with different lengths and bins on one scale; past the end is a gap', () => {
  const fine = timeline([1_000, 3_000, 2_000, 2_000], [5, null, 7, 100])
  const plot = prepareTimelines([
    run('a', 0, fine),
    run('b', 1, timeline([8_000, 4_000, 4_000], [10, 50, 20], 2_000)),
  ])?.plot
  if (!plot) throw new Error('a plot expected')
  expect(plot.places).toHaveLength(3)
  // 4 000 requests in two seconds of 1 s bins; the highest p99 of both, or the only one if the other is missing.
  const read = (cell: number) => plot.places.map((x) => readCell(plot, cell, x).replaceAll('\u00a0', ' '))
  expect(read(0)).toEqual(['2\u202f000/s, p99 5.00 ms', '2\u202f000/s, p99 100 ms', 'ended'])
  expect(read(1)[0]).toBe('4\u202f000/s, p99 10.0 ms')
  expect(plot.panels.map(({ y }) => y.domain)).toEqual([
    [0, 4_000],
    [0, 100],
    [0, 4_000],
    [0, 100],
  ])
  expect(linesOf(plot, 0, 0)).toEqual([[2_000, 2_000]])
  expect(linesOf(plot, 1, 0)).toEqual([[4_000, 2_000, 2_000]])
  expect(linesOf(plot, 0, 1)).toEqual([[5, 100]])
  expect(linesOf(plot, 1, 1)).toEqual([[10, 50, 20]])
  expect(plot.note).toContain('the highest p99')
})

it('keeps repeats in one cell, and all lines together under 2,000 points', () => {
  const long = timeline(
    Array.from({ length: 200 }, () => 1_000),
    Array.from({ length: 200 }, (_, at) => 10 + at),
  )
  const side = { name: 'gzip', size: 10 }
  const repeats = Array.from({ length: 10 }, (_, at) => run(`gzip (${at + 1})`, 0, long, side))
  const plot = prepareTimelines([
    ...repeats,
    ...Array.from({ length: 9 }, (_, at) => run(`v${at}`, at + 1, long)),
  ])?.plot
  if (!plot) throw new Error('a plot expected')
  const cells = Array.from({ length: 10 }, (_, cell) => cell)
  expect(cells.map((cell) => linesOf(plot, cell, 0).length)).toEqual([10, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  expect(plot.series[0]?.name).toBe('gzip (10 of 10 runs)')
  const points = cells.flatMap((cell) => [...linesOf(plot, cell, 0), ...linesOf(plot, cell, 1)]).flat()
  expect(points.length).toBeGreaterThan(500)
  expect(points.length).toBeLessThanOrEqual(2_000)
  expect(linesOf(plot, 1, 1)[0]?.at(-1)).toBe(209)
})

it('shades the warm-up of each side, for repeats the longest', () => {
  const own = timeline([1_000, 1_000, 1_000, 1_000], [9, 5, 5, 5])
  const warm = (endMs: number | null): Timeline => ({
    ...own,
    warmUp: { endMs, isSteady: endMs !== null, steady: null },
  })
  const side = { name: 'gzip', size: 2 }
  const plotOf = (...runs: readonly TimedRun[]) => prepareTimelines(runs)?.plot
  const plot = plotOf(
    run('a', 0, warm(1_000), side),
    run('b', 0, warm(2_000), side),
    run('c', 1, warm(0)),
    run('d', 2, warm(null)),
  )
  const bandsOf = (cell: number) =>
    plot?.panels.filter((one) => one.cell === cell).map(({ marks }) => marks.find(({ kind }) => kind === 'band'))
  expect(bandsOf(0)).toMatchObject([{ x: [0, 2_000] }, { x: [0, 2_000] }])
  expect(bandsOf(1)).toEqual([undefined, undefined])
  expect(bandsOf(2)).toMatchObject([{ x: [0, 4_000] }, { x: [0, 4_000] }])
  const band = bandsOf(0)?.[0]
  expect(band && plot?.series[band.series]?.name).toBe('Warm-up')
  expect(plot?.panels[1]?.rules).toMatchObject([{ kind: 'label', at: 2_000, label: 'Warm-up until 2\u00a0s' }])
  expect(plot?.note).toContain('Shaded: warm-up')
  const none = plotOf(run('a', 0, own), run('b', 1, warm(0)))
  expect(none?.note).not.toContain('Shaded')
  expect(none?.series.map(({ name }) => name)).not.toContain('Warm-up')
})

it('is omitted if fewer than two runs have a timeline, and names those without one', () => {
  const short = timeline([1], [2])
  expect(prepareTimelines([run('a', 0, short), run('b', 1, null)])).toBeNull()
  const plot = prepareTimelines([run('a', 0, short), run('b', 1, null), run('c', 2, short)])?.plot
  expect(plot?.note).toContain('No timeline: b.')
  expect(plot?.series.slice(0, 2).map((one) => one.name)).toEqual(['a', 'c'])
})

it('draws the highest percentile for which most bins have enough requests, with gaps in the others', () => {
  const plot = prepareTimelines([
    run('a', 0, timeline([150, 20, 150], [9, 9, 9])),
    run('b', 1, timeline([5_000, 5_000, 5_000], [9, 9, 9])),
  ])?.plot
  if (!plot) throw new Error('a plot expected')
  expect(plot.panels[1]?.title).toMatch(/^p90 /)
  expect(linesOf(plot, 0, 1)).toEqual([[9, null, 9]])
  expect(linesOf(plot, 1, 1)).toEqual([[9, 9, 9]])
  expect(plot.note).toContain('fewer than 10 requests of the bin would be slower (p90 from 100 a bin).')
})
