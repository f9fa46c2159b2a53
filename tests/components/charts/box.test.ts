import { expect, it } from 'vitest'
import { boxChoiceOf, boxHref } from '@/components/run/box/box-choice'
import { boxQuery } from '@/components/charts/plot/box-layer'
import { prepareHeatMap, prepareTimeline } from '@/components/charts/timeline'
import { readRowBox, type RowBox } from '@/lib/cube/row-box'
import type { StoredRun } from '@/lib/history/stored-runs'
import { boxedText, homogeneousRows, readBoxed } from '../../lib/explain/boxed-rows'
import { randomOf } from '../../lib/explain/generated-pairs'

const open: RowBox = { fromMs: null, toMs: null, aboveMs: null, belowMs: null }
const { run: imported } = await readBoxed(boxedText(homogeneousRows(41, 'target')), open)
const stored = { id: 'r', projectSlug: 'p', form: imported.form, upload: { rawRemovedAt: null }, imported }
const run = stored as unknown as StoredRun
const { timeline } = imported
const plot = prepareHeatMap(timeline)?.plot
if (timeline === null || plot === undefined) throw new Error('the run has a heat map')

it('a box that is shown is the box that is drawn', () => {
  const { lowerMs, binMs, counts } = timeline.heat
  const random = randomOf(5)
  for (let tries = 0; tries < 200; tries++) {
    const [columns, rows] = [counts[0]?.length ?? 0, lowerMs.length]
    const [x, y] = [Math.floor(random() * columns), Math.floor(random() * rows)]
    const [x1, y1] = [x + 1 + Math.floor(random() * (columns - x)), y + 1 + Math.floor(random() * (rows - y))]
    const box: RowBox = {
      ...{ fromMs: x === 0 ? null : x * binMs, toMs: x1 * binMs },
      ...{ aboveMs: y === 0 ? null : (lowerMs[y] ?? 0), belowMs: lowerMs[y1] ?? null },
    }
    const choice = boxChoiceOf(run, box)
    if (choice?.shown == null) throw new Error('it is shown')
    const [top = 0, right = 0, bottom = 0, left = 0] = choice.shown.split(' ').map((side) => parseFloat(side) / 100)
    const query = boxQuery(plot, { x: [left, 1 - right], y: [top, 1 - bottom] }, choice)
    expect(readRowBox(new URLSearchParams(query ?? ''))).toEqual(box)
    expect(boxHref(run, box)).toBe(`${choice.base}${query}`)
  }
})

it('a part of the time keeps its own', () => {
  const part = prepareTimeline(timeline, { fromMs: 10_000, toMs: 20_000 })?.plot
  const choice = boxChoiceOf(run, null)
  if (part === undefined || choice === undefined) throw new Error('it is drawn')
  expect(boxQuery(part, { x: [0, 0.5], y: [0.01, 0.99] }, choice)).toBe('from=10&to=15')
  expect(boxQuery(part, { x: [0.42, 0.43], y: null }, choice)).toBe('from=14&to=15')
})

it('what cannot be read again is not offered', () => {
  const removed = { ...stored, upload: { rawRemovedAt: '2026-11-01T00:00:00Z' } } as unknown as StoredRun
  expect(boxChoiceOf(removed, null)).toBeUndefined()
  expect(boxChoiceOf({ ...run, form: 'wrk' }, null)).toBeUndefined()
})
