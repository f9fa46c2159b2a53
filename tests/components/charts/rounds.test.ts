import { describe, expect, it } from 'vitest'
import { prepareRounds } from '@/components/charts/rounds'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { headingAt, readPanel } from '@/components/charts/plot/readings'
import { findMetric } from '@/lib/run/metrics'

const metric = findMetric('p99') ?? expect.fail('no p99')
const pairs = [
  { base: 60, head: 66 },
  { base: 50, head: 54 },
  { base: 55, head: 54 },
]

describe('a pair of dots per round', () => {
  const prepared = prepareRounds({ metric, pairs }, ['node20', 'node22'])
  const plot = prepared?.plot ?? expect.fail('no plot')
  const [panel] = plot.panels

  it('shows the distance between both sides, on an axis that starts below the smallest', () => {
    expect(panel?.y.domain).toEqual([45, 70])
    expect(plot.title).toBe('p99 in each round (ms)')
    expect(plot.footnote).toBe('One dot a side and round; the axis starts at 45.0.')
    expect(panel?.marks.find(({ kind }) => kind === 'spans')).toMatchObject({ low: [60, 50, 54], high: [66, 54, 55] })
    const labels = panel?.marks.flatMap((mark) => (mark.kind === 'label' ? [mark.text.replace('\u00a0', ' ')] : []))
    expect(labels).toEqual(['+10.0 %', '+8.00 %', '\u22121.82 %'])
    if (panel) expect(String(panelMarkup(plot, panel))).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('is read round by round', () => {
    expect(headingAt(plot, 2).replace('\u00a0', ' ')).toBe('Round 2: +8.00 %')
    const read = panel && readPanel(plot, panel, 2).map(({ name, text }) => `${name} ${text.replace('\u00a0', ' ')}`)
    expect(read).toEqual(['node20 50.0 ms', 'node22 54.0 ms'])
    expect(prepared?.table().rows[0]).toEqual(['1', '60.0', '66.0', '+10.0\u00a0%'])
  })

  it('is not drawn if the sides did not alternate', () => {
    expect(prepareRounds(null, ['a', 'b'])).toBeNull()
  })
})
