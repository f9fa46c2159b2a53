import { describe, expect, it } from 'vitest'
import { preparePercentiles } from '@/components/charts/percentiles'
import { draggedPart, pinchedPart } from '@/components/charts/plot/gestures'
import { hiddenAfter, withoutHidden } from '@/components/charts/plot/hidden'
import { stopsOf } from '@/components/charts/plot/cursor'
import { readPanel } from '@/components/charts/plot/readings'
import {
  cutX,
  cutY,
  readZoom,
  wholePlot,
  withinPart,
  zoomOf,
  zoomTexts,
  zoomWords,
} from '@/components/charts/plot/zoom'
import type { Plot } from '@/components/charts/plot/model'

/** p50 to p99 of 10,000 requests, times `factor`. */
function run(id: string, factor: number, maxMs: number) {
  const quantiles = [
    { q: 0.5, ms: 20 * factor },
    { q: 0.9, ms: 50 * factor },
    { q: 0.95, ms: 60 * factor },
    { q: 0.99, ms: 90 * factor },
  ]
  const known = { minMs: null, meanMs: null, stdDevMs: null, withinOneStdDevRatio: null, histogram: null }
  const latency = {
    ...known,
    of: 'all',
    count: 10_000,
    maxMs,
    quantiles,
    origin: 'summary',
    method: 'as-reported',
  } as const
  return { id, name: id, imported: { tool: 'hey', requests: 10_000, latencies: [latency] } } as const
}

const plot: Plot = preparePercentiles([run('a', 1, 95), run('b', 10, 2_000)])?.plot ?? expect.fail('no plot')
const topOf = ({ panels }: Plot) => panels[0]?.y.domain[1] ?? 0
const linesOf = ({ panels }: Plot) =>
  (panels[0]?.marks ?? []).flatMap((mark) => (mark.kind === 'line' && mark.y.length > 0 ? mark : []))
const marksOf = ({ panels }: Plot, kind: string) => (panels[0]?.marks ?? []).filter((mark) => mark.kind === kind)
const none = { ids: new Set<string>(), isShadow: false }

describe('series left out', () => {
  it('stay as shadows if one is isolated, and go if they are hidden; the axis fits the others', () => {
    const isolated = withoutHidden(plot, hiddenAfter(none, ['a'], ['a', 'b'], false))
    expect(topOf(isolated)).toBeLessThan(100)
    expect(isolated.panels[0]?.column?.own).toBeNull()
    expect(linesOf(isolated).map(({ isShadow, y }) => [isShadow === true, y.length > 0])).toContainEqual([true, true])
    expect(isolated.panels.flatMap((panel) => readPanel(isolated, panel, 10)).map(({ name }) => name)).toEqual(['a'])
    const hidden = withoutHidden(plot, hiddenAfter(none, ['b'], ['a', 'b'], true))
    expect(topOf(hidden)).toBe(topOf(isolated))
    expect(linesOf(hidden).some(({ isShadow }) => isShadow)).toBe(false)
    expect(marksOf(hidden, 'peak')).toHaveLength(1)
  })

  it('are all shown again by the same choice', () => {
    const isolated = hiddenAfter(none, ['a'], ['a', 'b'], false)
    expect(hiddenAfter(isolated, ['a'], ['a', 'b'], false)).toEqual(none)
    const hidden = hiddenAfter(none, ['b'], ['a', 'b'], true)
    expect(hiddenAfter(hidden, ['b'], ['a', 'b'], true)).toEqual(none)
    // Hiding the only other one does not isolate: a click on this one does.
    expect(hiddenAfter(hidden, ['a'], ['a', 'b'], false).isShadow).toBe(true)
  })
})

describe('a part of a percentile plot', () => {
  const part = zoomOf(plot, stopsOf(plot), { x: [0.05, 0.5], y: [0.5, 0.9] })

  it('reaches from one printed percentile to another, and from one latency to another', () => {
    expect(part.x).toEqual([2, expect.closeTo(20)])
    const [low = 0, high = 0] = part.y ?? []
    expect(low / topOf(plot)).toBeCloseTo(0.1)
    expect(high / topOf(plot)).toBeCloseTo(0.5)
    expect(zoomWords({ x: part.x, y: [10, 90] })).toEqual({ x: 'p50–p95', y: '10.0\u00a0ms–90.0\u00a0ms' })
  })

  it('is in the address, and anything else there is all', () => {
    expect(zoomTexts({ x: part.x, y: [10, 90] })).toEqual(['50-95', '10-90'])
    expect(readZoom(['50-95', '10-90'])).toEqual({ x: [2, expect.closeTo(20)], y: [10, 90] })
    expect(readZoom(zoomTexts({ x: null, y: [10, 90] }))).toEqual({ x: null, y: [10, 90] })
    for (const texts of [[], [''], ['95-50'], ['50-100'], ['a-b', '9-1'], ['-1-5', '1e3-2e3']])
      expect(readZoom(texts)).toEqual(wholePlot)
    expect(zoomTexts(wholePlot)).toEqual([])
    expect(withinPart({ x: [2, 20], y: null }, { x: null, y: [1, 2] })).toEqual({ x: [2, 20], y: [1, 2] })
  })

  it('draws only what lies in it, with the axis fitted, and labels where lines now end', () => {
    const cut = cutX(plot, [2, 20])
    expect(linesOf(cut).map(({ y }) => y)).toEqual([
      [20, 50, 60, null],
      [200, 500, 600, null],
    ])
    expect(topOf(cut)).toBe(600)
    expect(cut.x.ticks.map(({ label }) => label)).toEqual(['p50', 'p75', 'p90', 'p95'])
    expect(marksOf(cut, 'label').map((mark) => mark.kind === 'label' && `${mark.text} ${mark.more}`)).toEqual([
      '60.0 a',
      '600 b',
    ])
    expect([marksOf(cut, 'peak'), cut.panels[0]?.column]).toEqual([[], null])
  })

  it('says where an axis does not start at 0', () => {
    const [panel] = cutY(plot, [10, 95]).panels
    expect(panel?.y).toMatchObject({ domain: [10, 95], isBroken: true })
    expect(panel?.y.ticks.map(({ label }) => label)).toEqual(['20', '40', '60', '80'])
    expect([panel?.isCut, panel?.column]).toEqual([true, null])
    expect(cutY(plot, [0, 50]).panels[0]?.y.isBroken).toBe(false)
  })
})

describe('gestures', () => {
  it('a drag along one axis chooses that axis, a small one nothing', () => {
    const drag = (to: readonly [number, number]) => draggedPart({ from: [0.2, 0.2], to }, 1_000, 200)
    expect(drag([0.5, 0.22])).toEqual({ x: [0.2, 0.5], y: null })
    expect(drag([0.205, 0.8])).toEqual({ x: null, y: [0.2, 0.8] })
    expect(drag([0.1, 0.8])).toEqual({ x: [0.1, 0.2], y: [0.2, 0.8] })
    expect(drag([0.205, 0.22])).toBeNull()
  })

  it('two fingers spread show what was between them as wide as they are now, together all', () => {
    const [one, other] = [
      { from: [0.4, 0.5], to: [0.3, 0.5] },
      { from: [0.6, 0.5], to: [0.7, 0.5] },
    ] as const
    expect(pinchedPart(one, other)).toEqual({ x: [expect.closeTo(0.25), expect.closeTo(0.75)], y: null })
    const back = (touch: typeof one | typeof other) => ({ from: touch.to, to: touch.from })
    expect(pinchedPart(back(one), back(other))).toBeNull()
  })
})
