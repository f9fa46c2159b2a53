import { describe, expect, it } from 'vitest'
import { prepareCurves, prepareFan, type FanInput, type FanRun } from '../../../components/charts/fan'
import { drawFile, toSvg } from '../../../components/charts/plot/file'
import { apart } from '../../../components/charts/plot/svg'

const run = (id: string, factor: number, more: Partial<FanRun> = {}): FanRun => ({
  id,
  tool: 'vegeta',
  quantiles: [
    { q: 0.5, ms: 10 * factor },
    { q: 0.9, ms: 20 * factor },
    { q: 0.99, ms: 40 * factor },
  ],
  maxMs: 90 * factor,
  requests: 10_000,
  ...more,
})
const past = (count: number) => ({
  name: 'median',
  runs: Array.from({ length: count }, (_, at) => run(`r${at}`, 1 + at / 100)),
})
const newest = { ...run('new', 1.5), name: 'newest run' }
const fan = (more: Partial<FanInput> = {}) =>
  prepareFan({ id: 'fan', title: 'Latency by percentile', past: past(9), run: newest, state: 'unusual', ...more })
const marksOf = (prepared: ReturnType<typeof fan>) => prepared?.plot.panels[0]?.marks ?? []
const kindsOf = (prepared: ReturnType<typeof fan>) => marksOf(prepared).map(({ kind }) => kind)

describe('fan', () => {
  it('marks values clipped by a timeout as a bound, at the end of the line and in the max column', () => {
    const cut = {
      ...run('cut', 1, {
        quantiles: [
          { q: 0.5, ms: 10 },
          { q: 0.99, ms: 30_001 },
        ],
        maxMs: 30_011,
      }),
    }
    const texts = (one: ReturnType<typeof fan>) =>
      marksOf(one).flatMap((mark) => (mark.kind === 'label' || mark.kind === 'peak' ? [mark.text] : []))
    expect(texts(fan({ run: { ...cut, name: 'newest run' } })).filter((text) => text.startsWith('≥'))).toHaveLength(2)
    // hdr files have no timeout, so nothing says that 30 s were clipped.
    expect(texts(fan({ run: { ...cut, tool: 'hdr', name: 'newest run' } })).join(' ')).not.toContain('≥')
  })

  it('marks medians clipped by a timeout as a bound in its table too, which is the source of files', () => {
    const cut = past(5).runs.map((one) => ({
      ...one,
      quantiles: [
        { q: 0.5, ms: 10 },
        { q: 0.99, ms: 30_000 },
      ],
      maxMs: 30_010,
    }))
    const table = fan({
      past: { name: 'median', runs: cut },
      run: { ...run('cut', 1, { quantiles: cut[0]?.quantiles ?? [], maxMs: 30_010 }), name: 'newest run' },
    })?.table()
    const row = table?.rows.find(([name]) => name === 'p99') ?? []
    expect(row.slice(1).map((text) => text.startsWith('≥'))).toEqual([true, true, true, true])
    expect(table?.rows.find(([name]) => name === 'p50')?.join()).not.toContain('≥')
  })

  it('fades medians and lines of earlier runs where few requests lie beyond', () => {
    const few = (count: number) => ({
      name: 'median',
      runs: past(count).runs.map((one, at) => ({ ...one, requests: at === 0 ? 10_000 : 240 })),
    })
    const lines = (one: ReturnType<typeof fan>) =>
      marksOf(one).flatMap((mark) => (mark.kind === 'line' ? [mark.fadedFrom ?? null] : []))
    // The median of nine runs, eight of which have 2 of their 240 requests beyond p99; then the newest run, with
    // 10,000.
    expect(lines(fan({ past: few(9) }))).toEqual([2, null])
    // Each of three runs separately.
    expect(lines(fan({ past: few(3) }))).toEqual([null, 2, 2, null])
    expect(lines(fan({ past: past(9) }))).toEqual([null, null])
  })

  it('fades its line where its dots are hollow: towards percentiles with fewer than 10 requests beyond', () => {
    const few = { ...run('few', 1, { requests: 240 }), name: 'newest run' }
    const marks = marksOf(fan({ run: few }))
    const place = marks.findLastIndex((mark) => mark.kind === 'line')
    expect(marks[place]).toMatchObject({ fadedFrom: 2 })
    const dots = marks.flatMap((mark) => (mark.kind === 'dots' && mark.of === place ? [mark.isHollow] : []))
    expect(dots.slice(0, 2)).toEqual([false, false])
    expect(dots[2]).toBe(true)
    expect(marksOf(fan()).findLast((mark) => mark.kind === 'line')).not.toHaveProperty('fadedFrom')
  })

  it('shows the level as two bands and a median, and the run in the colour of its state', () => {
    const one = fan()
    const bands = marksOf(one).filter((mark) => mark.kind === 'band')
    expect(bands.map(({ low, high }) => [low[2], high[2]].map((ms) => Math.round((ms ?? 0) * 10) / 10))).toEqual([
      [40, 43.2],
      [40.8, 42.4],
    ])
    expect(one?.plot.series.map(({ name }) => name)).toEqual(['all 9 runs', 'middle half', 'median', 'newest run'])
    expect(one?.plot.series.at(-1)?.style).toMatchObject({ color: 'var(--unusual)', marker: 'diamond' })
    expect(one?.plot.panels[0]?.y.domain[0]).toBe(0)
    expect(one?.plot.x.ticks.map(({ label, below }) => [label, below])).toEqual([
      ['p50', null],
      ['p90', '1 in 10'],
      ['p99', '1 in 100'],
      ['max', undefined],
    ])
  })

  it('shows the max in its own column, never connected to a percentile', () => {
    const marks = marksOf(fan())
    const peak = marks.find((mark) => mark.kind === 'peak')
    expect(peak).toMatchObject({ y: 135, text: '135' })
    expect(marks.find((mark) => mark.kind === 'range')).toMatchObject({ low: 90 })
    expect(
      marks.flatMap((mark) => (mark.kind === 'line' ? Math.max(...mark.y.map((ms) => ms ?? 0)) : [])),
    ).not.toContain(135)
  })

  it('draws every run as a hairline if there are fewer than 5, and only the line if there is none', () => {
    const few = fan({ past: past(3), state: 'no-history' })
    expect(kindsOf(few).filter((kind) => kind === 'line')).toHaveLength(4)
    expect(kindsOf(few)).not.toContain('band')
    const alone = fan({ past: past(0), state: null })
    expect(kindsOf(alone)).toEqual(['line', 'dots', 'dots', 'dots', 'label', 'peak'])
    expect(alone?.plot.panels[0]?.label).toBe('Latency by percentile: newest run as a line, max 135\u00a0ms')
  })

  it('ends the band where fewer than 5 runs have a percentile', () => {
    const runs = past(9).runs.map((one, at) => (at < 6 ? { ...one, quantiles: one.quantiles.slice(0, 2) } : one))
    const band = marksOf(fan({ past: { name: 'median', runs } })).find((mark) => mark.kind === 'band')
    expect(band?.kind === 'band' && band.x).toHaveLength(2)
  })

  it('shows percentiles as hollow if fewer than 10 requests lie above', () => {
    const one = fan({ run: { ...newest, requests: 200 } })
    const dots = marksOf(one).filter((mark) => mark.kind === 'dots')
    expect(dots.map(({ isHollow }) => isHollow)).toEqual([false, false, true])
  })

  it('compares two levels, the later one in the colour of the change', () => {
    const since = { name: 'since 8de2d48', runs: past(6).runs.map((one, at) => run(`s${at}`, 1.3 + at / 50)) }
    const one = fan({ past: { ...past(9), name: 'before' }, since, run: null, state: 'worse' })
    expect(one?.plot.series.map(({ name }) => name)).toEqual([
      'all 9 runs',
      'middle half',
      'before',
      'all 6 runs since 8de2d48',
      'middle half since 8de2d48',
      'since 8de2d48',
    ])
    expect(one?.plot.series.at(-1)?.style.color).toBe('var(--worse)')
    expect(kindsOf(one).filter((kind) => kind === 'range')).toHaveLength(2)
  })

  it('is null without a percentile', () => {
    expect(fan({ run: { ...newest, quantiles: [] } })).toBeNull()
    expect(fan({ past: past(0), run: null })).toBeNull()
  })

  it('has its figures as a table', () => {
    expect(fan()?.table()).toEqual({
      head: ['Percentile', 'newest run (ms)', 'min of 9 runs', 'median of 9 runs', 'max of 9 runs'],
      rows: [
        ['p50', '15.0', '10.0', '10.4', '10.8'],
        ['p90', '30.0', '20.0', '20.8', '21.6'],
        ['p99', '60.0', '40.0', '41.6', '43.2'],
        ['max', '135', '90.0', '93.6', '97.2'],
      ],
    })
  })

  it('is drawn as a file, apart from its labels', () => {
    const one = fan()
    if (one === null) throw new Error('no fan')
    const svg = toSvg(drawFile(one.plot, { width: 600, height: 400 }, String), 'fan', String)
    expect(svg).toContain('>60.0<')
    expect(svg).not.toContain('NaN')
    expect(apart([10, 12, 13], 15, [0, 100])).toEqual([0, 15, 30])
    expect(apart([90, 95], 15, [0, 100])).toEqual([85, 100])
  })

  it('draws runs without a history as curves on one scale, fitted to percentiles, and log first if they are far apart', () => {
    const curves = (...runs: readonly FanRun[]) =>
      prepareCurves(
        'fan',
        'GET /ping',
        runs.map((one, at) => ({ ...one, name: one.id, styleIndex: at })),
      )
    const near = curves(run('a', 1), run('b', 1.2))
    expect(near?.plot.series.map(({ name, style }) => [name, style.color])).toEqual([
      ['a', 'var(--series-1)'],
      ['b', 'var(--series-2)'],
    ])
    expect(near?.plot.panels[0]?.y).toMatchObject({ scale: 'linear', domain: [0, 50] })
    const far = curves(run('a', 1, { maxMs: 900 }), run('b', 1, { maxMs: 700 }))
    const peaks = marksOf(far).flatMap((mark) => (mark.kind === 'peak' ? mark.text : []))
    expect(peaks).toEqual(['900', '700'])
    expect(far?.plot.panels[0]?.column?.own?.domain[1]).toBeGreaterThan(900)
    const apart = curves(run('a', 1), run('b', 100))?.plot
    expect([apart?.isLogFirst, apart?.panels[0]?.onLog?.y.scale]).toEqual([true, 'log'])
    expect(curves()).toBeNull()
  })
})
