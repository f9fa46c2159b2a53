import { describe, expect, it } from 'vitest'
import { objective } from '@/lib/run/limits'
import { preparePercentiles } from '@/components/charts/percentiles'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { pack } from '@/components/charts/plot/sent/pack'
import { unpack } from '@/components/charts/plot/sent/unpack'
import { prepareShift } from '@/components/charts/shift'
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
  it('is computed at the percentiles that both have, never between them', () => {
    const plot = prepareShift(
      [[run('a', 10, 50, [{ q: 0.9, ms: 20 }])], [run('b', 12, 40, [{ q: 0.95, ms: 30 }])]],
      ['a', 'b'],
    )
    expect(plot?.lines[0]?.points).toEqual([
      { q: 0.5, x: 2, ms: 2, lowMs: null, highMs: null },
      { q: 0.99, x: expect.closeTo(100, 6), ms: -10, lowMs: null, highMs: null },
    ])
    expect(plot?.plot.footnote).toBeNull()
    expect(plot?.plot.panels[0]?.y.ticks.map((tick) => tick.label)).toContain('0')
  })

  it('of repeats is the shift of their medians, with a band as wide as they spread', () => {
    const plot = prepareShift(
      [
        [run('a', 10, 50), run('b', 12, 54), run('c', 11, 58)],
        [run('d', 15, 60), run('e', 17, 80), run('f', 16, 70)],
      ],
      ['old', 'new'],
    )
    expect(plot?.lines[0]?.points).toMatchObject([
      { ms: 5, lowMs: 3, highMs: 7 },
      { ms: 16, lowMs: 2, highMs: 30 },
    ])
  })

  it('stops where fewer than 10 requests are slower, and is not drawn for a single shared percentile', () => {
    const few = { ...run('a', 1, 2), imported: sampleRun({ latencies: [sampleLatency({ count: 100 })] }) }
    expect(prepareShift([[few], [few]], ['a', 'b'])).toBeNull()
    expect(prepareShift([[run('a', 1, 2)]], ['a'])).toBeNull()
  })

  it('has a band of sampling error if both runs have samples, which contains the shift', async () => {
    const runs = await runsOf({ fixture: 'vegeta-csv/many-errors.csv' })
    const [imported] = runs
    if (!imported) throw new Error('no run in the fixture')
    const one = { id: 'a', imported }
    const points = prepareShift([[one], [{ ...one, id: 'b' }]], ['a', 'b'])?.lines[0]?.points ?? []
    expect(points.length).toBeGreaterThan(2)
    for (const { ms, lowMs, highMs } of points) {
      expect(ms).toBe(0)
      expect(lowMs).toBeLessThanOrEqual(0)
      expect(highMs).toBeGreaterThanOrEqual(0)
    }
    expect(points.some(({ lowMs }) => (lowMs ?? 0) < 0)).toBe(true)
  })
})

it('draws a limit within the axis, or at its edge if it would press the lines to the floor', () => {
  const panelOf = (p99: number, limitMs: number | null) =>
    preparePercentiles([run('a', 10, p99)], objective(limitMs))?.plot.panels[0]
  const panel = panelOf(50, 120)
  expect(panel?.rules).toMatchObject([{ kind: 'limit', at: 120, label: 'SLO 120\u00a0ms', anchor: 'start' }])
  // Its label is at the end without a curve: far below the tail of this one.
  expect(panelOf(500, 20)?.rules).toMatchObject([{ anchor: 'end' }])
  expect(panel?.y.domain[1]).toBeGreaterThanOrEqual(120)
  const far = panelOf(50, 900)
  expect(far?.y.domain[1]).toBeLessThan(60)
  expect(far?.rules).toMatchObject([{ at: far?.y.domain[1], label: 'SLO 900\u00a0ms, above this scale' }])
  expect(far?.onLog?.rules).toMatchObject([{ at: 900, label: 'SLO 900\u00a0ms' }])
  expect(panel?.onLog?.rules).toHaveLength(1)
  expect(panelOf(50, null)?.rules ?? []).toEqual([])
})

it('is restored as prepared, to nine digits', async () => {
  const [first, ...others] = await runsOf({ document: 'zlib-gzip' })
  if (!first) throw new Error('runs expected')
  const sides = [first, ...others].map((imported, at) => [{ id: String(at), imported }])
  const prepared = prepareShift(
    sides,
    sides.map((_, at) => `v${at}`),
  )
  if (!prepared) throw new Error('a plot expected')
  const { plot, lines } = prepared
  const arrived = unpack<typeof plot>(JSON.parse(JSON.stringify(pack(plot))))
  const draw = (one: typeof plot) => one.panels.map((panel) => String(panelMarkup(one, panel)))
  expect(draw(arrived)).toEqual(draw(plot))
  const values = arrived.panels[0]?.marks.flatMap((mark) => (mark.kind === 'line' ? mark.y : [])) ?? []
  lines.flatMap(({ points }) => points).forEach(({ ms }, at) => expect(values[at]).toBeCloseTo(ms, 6))
})
