import { describe, expect, it } from 'vitest'
import { compareSides, verdictOf, type ComparedRun, type Side } from '@/lib/judge/comparison'
import { buildMatrix, markedColumn } from '@/lib/judge/matrix'
import { findMetric, metrics, figuresOf } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import { sampleRun } from '../../queries/samples'
import { runsOf } from '../../read-fixture'

const metric = (id: string) => {
  const found = findMetric(id)
  if (!found) throw new Error(`no metric ${id}`)
  return found
}
const row = (run: ImportedRun, index: number) => ({
  id: String(index),
  tool: run.tool,
  scenario: run.proposal.scenario ?? '',
  variant: run.proposal.variant,
  environment: run.proposal.environment,
  labels: run.proposal.labels,
  load: run.load,
  figures: figuresOf(run),
  uploadedAt: '2026-11-21T00:00:00.000Z',
  indexInUpload: index,
})

describe('metrics', () => {
  it('have ids of their own', () => {
    expect(new Set(metrics.map((one) => one.id)).size).toBe(metrics.length)
    expect(findMetric('nonsense')).toBeNull()
  })
  it('knows better from worse by direction', () => {
    expect(verdictOf(metric('p99'), 10, 11)).toBe('worse')
    expect(verdictOf(metric('requests-per-second'), 10, 11)).toBe('better')
    expect(verdictOf(metric('requests'), 10, 11)).toBe('neutral')
    expect(verdictOf(metric('p99'), 10, 10)).toBe('same')
  })
})

describe('compareSides of lone runs', () => {
  it('compares dispatcher and direct', async () => {
    const [dispatcher, direct] = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    if (!dispatcher || !direct) throw new Error('runs expected')
    const comparison = compareSides([dispatcher], [[direct]])
    const rps = comparison.rows.find(({ metric: { id } }) => id === 'requests-per-second')
    expect(rps?.deltas[0]).toMatchObject({ verdict: 'better', reason: null })
    expect(rps?.deltas[0]?.factor).toBeCloseTo(5552.6414 / 2740.627, 12)
    expect(rps?.deltas[0]?.absolute).toBeCloseTo(2812.0144, 6)
    expect(comparison.sentence).toBe('p99 is 8.21\u00a0% lower and Req/s is 103\u00a0% higher on Direct Lambda')
    expect(comparison.caution).toMatch(/noise/)
  })
  it('tells how far several runs reach', async () => {
    const [base, ...others] = (await runsOf({ document: 'zlib-gzip' })).map(row)
    if (!base) throw new Error('runs expected')
    expect(
      compareSides(
        [base],
        others.map((other): Side<ComparedRun> => [other]),
      ).sentence,
    ).toBe('p99 ranges from 17.7\u00a0ms (gzipped 300kb payload - :zlib bypassed) to 30.0\u00a0s (300kb payload)')
  })
  it('gives a reason where a value is missing, and no verdict', async () => {
    const runs = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    const few = runs.find((run) => run.figures.p99Ms === null)
    const [first] = runs
    if (!few || !first) throw new Error('a run without p99 expected')
    const [p99] = compareSides([first], [[few]], { metricIds: ['p99'] }).rows
    expect(p99?.deltas[0]).toMatchObject({ value: null, absolute: null, factor: null, verdict: 'unknown' })
    expect(p99?.deltas[0]?.reason).toMatch(/hey prints no p99 for \d+ requests/)
  })
  it('does not divide by 0', async () => {
    const [base, other] = (await runsOf({ document: 'cascade-load-test' })).map(row)
    if (!base || !other) throw new Error('runs expected')
    const [throughput] = compareSides([base], [[other]], { metricIds: ['throughput'] }).rows
    expect(throughput?.deltas[0]).toMatchObject({ changeRatio: null, factor: null, verdict: 'same' })
  })
})

describe('buildMatrix', () => {
  it('lays the dispatcher document out as 4 × 2 with one empty cell', async () => {
    const runs = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    const note = {
      scenario: 'POST: 9 MB Binary Echo',
      variant: 'Direct Lambda',
      environment: null,
      text: 'not possible: 6 MB limit',
    }
    const matrix = buildMatrix(runs, { metrics: [metric('requests-per-second')], cellNotes: [note] })
    expect(matrix.columns).toEqual(['Lambda Dispatcher', 'Direct Lambda'])
    expect(matrix.rows.map((one) => one.name)).toEqual([
      'GET: Text/Plain Ping',
      'GET: Image/Jpeg',
      'POST: Image/Jpeg Echo',
      'POST: 9 MB Binary Echo',
    ])
    const [ping] = matrix.rows
    expect(ping?.cells.map((cell) => cell.figures[0]?.value)).toEqual([2740.627, 5552.6414])
    expect(ping?.cells[1]?.figures[0]).toMatchObject({ verdict: 'better', best: true, count: 1 })
    const empty = matrix.rows.flatMap((one) => one.cells).filter((cell) => cell.runIds.length === 0)
    expect(empty).toEqual([expect.objectContaining({ note: 'not possible: 6 MB limit' })])
  })
  it('uses environments as columns when there are no variants, and another base on demand', async () => {
    const runs = (await runsOf({ document: 'smithy-wrk' })).map(row)
    const matrix = buildMatrix(runs, { metrics: [metric('p99')], cellNotes: [], baselineColumn: 'c6g.8xlarge' })
    expect(matrix).toMatchObject({
      columnsBy: 'environment',
      columns: ['c6i.8xlarge', 'c6g.8xlarge'],
      baselineColumn: 'c6g.8xlarge',
    })
    expect(matrix.rows[0]?.cells[0]?.figures[0]).toMatchObject({ verdict: 'better', best: true })
    expect(matrix.rows[0]?.cells[1]?.figures[0]).toMatchObject({ factor: null, verdict: null })
  })
  it('lays runs out by labels, those that are quantities by size', async () => {
    const runs = (await runsOf({ document: 'zlib-gzip' })).map(row)
    const matrix = buildMatrix(runs.toReversed(), {
      metrics: [metric('p99')],
      cellNotes: [],
      rowsBy: 'label:content-encoding',
      columnsBy: 'label:payload',
    })
    expect(matrix.columns).toEqual(['250kb', '300kb', '350kb'])
    // Variants that differ in nothing but the payload are one row.
    expect(
      matrix.rows.map(({ name, others, cells }) => [name, others, cells.map((cell) => cell.figures[0]?.value ?? null)]),
    ).toEqual([
      ['(none)', [], [192.614, 30001, null]],
      ['gzip', [], [null, 17.664, 22.218]],
    ])
  })
  it('keeps tools apart, and takes them as an axis', async () => {
    const [run] = (await runsOf({ document: 'smithy-wrk' })).map(row)
    if (!run) throw new Error('a run expected')
    const two = [run, { ...run, id: 'hey', tool: 'hey' as const }]
    const usual = buildMatrix(two, { metrics: [], cellNotes: [] })
    expect(usual.rows.map(({ others, cells }) => [others[0]?.value, cells[0]?.runIds])).toEqual([
      ['wrk', ['0']],
      ['hey', ['hey']],
    ])
    const byTool = buildMatrix(two, { metrics: [], cellNotes: [], rowsBy: 'environment', columnsBy: 'tool' })
    expect(byTool).toMatchObject({ columns: ['wrk', 'hey'], rows: [{ name: 'c6i.8xlarge', others: [] }] })
    expect(buildMatrix(two, { metrics: [], cellNotes: [], rowsBy: 'tool', columnsBy: 'tool' }).columnsBy).toBe(
      'environment',
    )
  })
  it('keeps the note of an empty cell when rows and columns change places', async () => {
    const runs = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).map(row)
    const cell = { scenario: 'POST: 9 MB Binary Echo', variant: 'Direct Lambda', environment: null }
    const turned = buildMatrix(runs, {
      metrics: [],
      cellNotes: [{ ...cell, text: 'not possible: 6 MB limit' }],
      rowsBy: 'variant',
      columnsBy: 'scenario',
    })
    const direct = turned.rows.find(({ name }) => name === 'Direct Lambda')
    expect(direct?.cells.at(-1)).toMatchObject({ column: cell.scenario, note: 'not possible: 6 MB limit' })
    const byLabel = buildMatrix(runs, {
      metrics: [],
      cellNotes: [{ ...cell, text: 'not possible: 6 MB limit' }],
      columnsBy: 'label:instances',
    })
    expect(byLabel.columns).toEqual(['2', '20', '100'])
    expect(byLabel.rows.flatMap(({ cells }) => cells.map(({ note }) => note)).every((note) => note === null)).toBe(true)
  })
  it('compares get with get and send with send', async () => {
    const runs = (await runsOf({ document: 'protobuf-vs-json' })).map(row)
    const [small] = buildMatrix(runs, { metrics: [metric('mean')], cellNotes: [] }).rows
    expect(small?.cells.map((cell) => [cell.column, cell.baseColumn, cell.figures[0]?.verdict])).toEqual([
      ['get_protobuf_data', 'get_protobuf_data', null],
      ['send_protobuf_data', 'send_protobuf_data', null],
      ['get_json_data', 'get_protobuf_data', 'worse'],
      ['send_json_data', 'send_protobuf_data', 'worse'],
    ])
  })
  it('takes the median of a cell’s runs', async () => {
    const [run] = (await runsOf({ document: 'smithy-wrk' })).map(row)
    if (!run) throw new Error('a run expected')
    const repeats = [1, 5, 3].map((p99Ms, index) => ({ ...run, id: String(index), figures: { ...run.figures, p99Ms } }))
    const [only] = buildMatrix(repeats, { metrics: [metric('p99')], cellNotes: [] }).rows
    expect(only?.cells[0]?.figures[0]).toMatchObject({ value: 3, count: 3 })
    expect(only?.cells[0]?.isMixed).toBe(false)
    const mixed = repeats.map((one, index) => ({ ...one, load: { kind: 'closed', connections: index } as const }))
    expect(buildMatrix(mixed, { metrics: [], cellNotes: [] }).rows[0]?.cells[0]?.isMixed).toBe(true)
  })
})

const emptyFigures = figuresOf(sampleRun())

describe('compareSides', () => {
  const p99 = metric('p99')
  const side = (variant: string, values: readonly number[]): Side<ComparedRun> => {
    const runs = values.map((value, at): ComparedRun => ({
      id: `${variant}-${at}`,
      tool: 'vegeta',
      scenario: 's',
      variant,
      environment: null,
      figures: { ...emptyFigures, p99Ms: value },
    }))
    const [first, ...rest] = runs
    return first ? [first, ...rest] : expect.fail('no values')
  }
  const gzip = [10, 11, 10.5, 10.2]

  it('calls a difference one only when the runs show it', () => {
    const apart = compareSides(side('gzip', gzip), [side('zlib', [12, 12.5, 12.2, 13])])
    // U = 0 of 4 + 4: p = 2 / 70; sorted differences 1 … 3, the outermost are the interval of 97.1 %.
    expect(apart.rows[0]?.deltas[0]).toMatchObject({ evidence: 'shown', verdict: 'worse', counts: [4, 4] })
    expect(apart.rows[0]?.deltas[0]?.shift).toMatchObject({ low: 1, high: 3, exact: true })
    expect(apart.rows[0]?.deltas[0]?.shift?.p).toBeCloseTo(2 / 70, 12)
    expect(apart.rows[0]).toMatchObject({ baseValue: 10.35, metric: p99 })
    expect(apart.caution).toBe('4 + 4 runs: p99 differs beyond run-to-run noise (p < 0.05)')
    const mixed = compareSides(side('gzip', gzip), [side('zlib', [10.1, 10.7, 11.5, 10.3])])
    expect(mixed.rows[0]?.deltas[0]?.evidence).toBe('not-shown')
    expect(mixed.sentence).toBe('No figure of zlib differs beyond noise')
  })

  it('says how many runs would tell', () => {
    const one = (variant: string, value: number) => side(variant, [value])
    expect(compareSides(one('gzip', 100), [one('zlib', 119)])).toMatchObject({
      sentence: 'p99 is 19.0\u00a0% higher on zlib',
      caution: 'One run per side, so this may be noise: 3 more runs per side needed',
    })
    const four = compareSides(one('a', 1), [one('b', 2), one('c', 3), one('d', 4)])
    expect(four.caution).toBe('One run of each of the four, so this may be noise: 3 more runs of each needed')
    const few = compareSides(side('gzip', [10, 11]), [one('zlib', 19)])
    expect(few.rows[0]?.deltas[0]?.evidence).toBe('too-few')
    expect(few.caution).toBe('2 + 1 runs are too few to rule out noise: 4 per side needed')
  })

  it('takes the noise of the history for single runs', () => {
    const judge = (value: number) =>
      compareSides(side('gzip', [100]), [side('zlib', [value])], { noiseOf: () => 0.02 }).rows[0]?.deltas[0]
    // 1.96 · 0.02 · √2 = 5.5 %, as a ratio of 1.057.
    expect(judge(105)).toMatchObject({ evidence: 'not-shown', noiseRatio: expect.closeTo(0.057, 3) })
    expect(judge(106)).toMatchObject({ evidence: 'shown', verdict: 'worse' })
    expect(judge(94)).toMatchObject({ evidence: 'shown', verdict: 'better' })
  })
})

it('lets the column of the marked baselines lead, in the scenarios that are shown', () => {
  const at = (scenario: string, variant: string | null, environment: string) => ({
    scenario,
    variant,
    environment,
    tool: 'wrk' as const,
    labels: {},
  })
  const shown = [at('s', 'gzip', 'c6i'), at('s', 'zlib', 'c6i'), at('t', 'zlib', 'c6g')]
  const marked = [at('s', 'zlib', 'c6i'), at('t', 'zlib', 'c6g'), at('elsewhere', 'gzip', 'c6i')]
  expect(markedColumn(shown, marked, {})).toBe('zlib')
  expect(markedColumn(shown, marked.slice(1, 2), { columnsBy: 'environment' })).toBe('c6g')
  expect(markedColumn(shown, marked.slice(2), {})).toBeNull()
})
