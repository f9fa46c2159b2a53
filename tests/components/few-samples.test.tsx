import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { fanRunOf, prepareFan } from '@/components/charts/fan'
import { preparePercentiles } from '@/components/charts/percentiles'
import { viewOf } from '@/components/compare/compare-view-state'
import { ForestTable } from '@/components/compare/forest-table'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { matrixQueryOf } from '@/components/matrix/matrix-url'
import { prepareMatrix } from '@/components/matrix/prepare-matrix'
import { showRows } from '@/components/matrix/shown-rows'
import { FiguresTable } from '@/components/run/figures/figures-table'
import { keyFigures } from '@/components/run/figures/run-figures'
import { runCell, runColumns } from '@/components/runs/run-columns'
import { prepareBoard } from '@/components/shared/prepare-board'
import { restsOnFew } from '@/lib/stats/sampled-run'
import { findMetric, percentiles } from '@/lib/run/metrics'
import { storedDocument } from '../stored-runs'

const metricOf = (id: string) => findMetric(id) ?? expect.fail(id)

/** Percentiles that one place marks, by their ids. */
it('a percentile that rests on few samples is marked in every plot and table, or in none', async () => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  for (const run of runs) {
    const known = percentiles.filter(({ key, q }) => run.figures[key] !== null && q >= 0.5)
    const few = known.filter(({ id }) => restsOnFew(metricOf(id), [run])).map(({ id }) => id)

    const table = renderToStaticMarkup(<FiguresTable run={run} />)
    const rows = table.split('<tr').filter((row) => row.includes('data-few'))
    expect(rows).toHaveLength(few.length)
    const marked = keyFigures(run).filter(({ isFew }) => isFew)
    expect(few).toEqual(expect.arrayContaining(marked.map(({ id }) => id)))

    const cells = runColumns([run]).flatMap((column) => (runCell(column, run).isFew ? [column.metric.id] : []))
    // A list knows the requests only: here they are the samples.
    for (const id of cells) expect(few).toContain(id)

    const [panel] = preparePercentiles([{ id: run.id, name: 'run', imported: run.imported }])?.plot.panels ?? []
    const printed = preparePercentiles([{ id: run.id, name: 'run', imported: run.imported }])?.table()
    expect(printed?.head.includes('Few samples')).toBe(few.length > 0)
    const hollow = panel?.marks.some((mark) => mark.kind === 'dots' && mark.isHollow) ?? false
    expect(hollow).toBe(few.length > 0)

    const past = { name: '', runs: [fanRunOf(run)] }
    const fan = prepareFan({ id: 'fan', title: '', past, run: { ...fanRunOf(run), name: 'run' }, state: 'as-expected' })
    const drawn = fan?.plot.panels[0]?.marks.filter((mark) => mark.kind === 'dots' && mark.isHollow) ?? []
    expect(drawn).toHaveLength(few.length)
    const named = fan?.table().rows.filter((row) => row.at(-1) === 'run, 1 run') ?? []
    expect(named).toHaveLength(few.length)

    const board = prepareBoard([{ ...run, judgement: null }], 'metric=p99')
    expect(board.rows[0]?.lead.isFew === true, 'board').toBe(few.includes('p99'))
  }
})

it('a cell of a matrix underlines the percentiles of which most of its runs have few samples', async () => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  const rows = runs.map(({ imported: _imported, ...row }) => row)
  for (const id of ['p50', 'p95', 'p99']) {
    const { matrix, attributes } = prepareMatrix(rows, matrixQueryOf(`metric=${id}`), [])
    const shown = showRows({ projectSlug: null, hrefOf: null, matrix, attributes, cellNotes: [], runs: rows })
    const marked = shown.rows.flatMap(({ cells }) =>
      cells.flatMap(({ figures = [] }) => figures.filter(({ few }) => few)),
    )
    expect(marked, id).toHaveLength(
      rows.filter((row) => metricOf(id).read(row.figures) !== null && restsOnFew(metricOf(id), [row])).length,
    )
  }
})

it('a comparison underlines the percentiles of a side of which most runs have few samples', async () => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  const run = runs.find((one) => restsOnFew(metricOf('p95'), [one]))
  if (!run) throw new Error('a run expected')
  const many = {
    ...run,
    id: 'many',
    imported: { ...run.imported, latencies: run.imported.latencies.map((one) => ({ ...one, count: 1e6 })) },
  }
  const html = (sides: readonly (readonly (typeof run)[])[]) => {
    const prepared = prepareComparison(sides, viewOf('m=p95'), () => null) ?? expect.fail('nothing to compare')
    return renderToStaticMarkup(<ForestTable comparison={prepared.comparison} names={prepared.names} />)
  }
  expect(html([[many], [{ ...many, id: 'other' }]])).not.toContain('data-few')
  expect(html([[run], [many]])).toContain('data-few')
  expect(html([[many, { ...many, id: 'b' }, run], [many]])).not.toContain('data-few')
})
