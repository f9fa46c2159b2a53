import { describe, expect, it } from 'vitest'
import { prepareLevelChange, type LevelChangeInput } from '@/components/charts/level-change'
import type { TrendPoint } from '@/lib/levels/points'
import { findMetric } from '@/lib/run/metrics'

const metric = findMetric('p99') ?? expect.fail('no p99')
const point = (value: number | null, at: number): TrendPoint => ({
  runIds: [`run-${at}`],
  orderedAt: new Date(Date.UTC(2026, 9, 1 + at)).toISOString(),
  labels: {},
  value,
  low: value,
  high: value,
  isBarred: false,
})
const points = [...Array<number>(20).fill(100), ...Array<number>(10).fill(130)].map(point)
const input: LevelChangeInput = {
  id: 'change',
  metric,
  points,
  from: 0,
  at: 20,
  to: 30,
  before: { value: 100, range: { low: 90, high: 110 } },
  since: { value: 130, range: null },
  reach: 3,
  state: 'worse',
  name: '8de2d48',
  projectSlug: 'shop',
}
const prepared = (more: Partial<LevelChangeInput> = {}) =>
  prepareLevelChange({ ...input, ...more }) ?? expect.fail('nothing prepared')
const bandsOf = (more: Partial<LevelChangeInput> = {}) => {
  const { plot } = prepared(more)
  return (plot.panels[0]?.marks ?? []).flatMap((mark) =>
    mark.kind === 'band' ? [{ ...mark, name: plot.series[mark.series]?.name ?? '' }] : [],
  )
}

describe('a change of level', () => {
  it('draws both levels on either side of the change, with the stored ranges', () => {
    const bands = bandsOf()
    const spanOf = (name: string) => bands.find((band) => band.name === name)?.x
    expect(spanOf('level before')).toEqual([-0.5, 19.5])
    expect(spanOf('level since')).toEqual([19.5, 29.5])
    expect(bands.find(({ name }) => name === 'expected before')).toMatchObject({ low: [90, 90], high: [110, 110] })
    expect(spanOf('expected since')).toBeUndefined()
  })

  it('marks where the change may lie, within the runs shown', () => {
    expect(bandsOf().find(({ name }) => name === 'where the change can lie')?.x).toEqual([16.5, 22.5])
    expect(bandsOf({ reach: 15 }).find(({ name }) => name === 'where the change can lie')?.x).toEqual([4.5, 29.5])
    expect(bandsOf({ reach: 0 }).some(({ name }) => name === 'where the change can lie')).toBe(false)
    expect(prepared().plot.note).toContain('3 runs either side of 8de2d48')
  })

  it('reads only the runs, each with its figure', () => {
    const { plot } = prepared()
    const lines = (plot.panels[0]?.marks ?? []).flatMap((mark) => (mark.kind === 'line' ? [mark] : []))
    expect(lines.map(({ at, y }) => [at[0], y[0]])).toEqual([
      [0, 100],
      [20, 130],
    ])
    expect(lines[1]?.hrefs?.[0]).toBe('/p/shop/runs/run-20')
  })

  it('leaves a gap for a run without a figure, and draws nothing if none has one', () => {
    const [, ...rest] = points
    const { plot, table } = prepared({ points: [point(null, 0), ...rest] })
    const [line] = (plot.panels[0]?.marks ?? []).flatMap((mark) => (mark.kind === 'line' ? [mark] : []))
    expect(line?.y[0]).toBeNull()
    expect(table().rows.at(-1)).toEqual(['1 Oct 2026, 00:00:00 UTC', '–', 'before'])
    expect(prepareLevelChange({ ...input, points: [point(null, 0)] })).toBeNull()
  })
})
