import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costRows } from '@/components/compare/cost-rows'
import { distinctNames } from '@/components/compare/distinct-names'
import { chosenMetrics } from '@/components/matrix/matrix-url'
import { differencesOf } from '@/lib/judge/comparability'
import { compareSides } from '@/lib/judge/comparison'
import { verdictWord } from '@/lib/judge/delta'
import { findingsOf } from '@/lib/judge/findings'
import { buildMatrix } from '@/lib/matrix/matrix'
import type { CellNote } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'
import { buildSweep, chooseAxis, sweepAxes } from '@/lib/matrix/sweep'
import { breakSentences, shapeSentences, valuesOf } from '@/lib/matrix/sweep-findings'
import { storedDocument } from '../stored-runs'

/** Which runs of each document are compared, by their position in it, the base first, and the typed cost inputs. */
const pages = [
  {
    name: 'dispatcher-vs-direct',
    document: 'lambda-dispatcher-vs-direct',
    runs: [1, 0],
    // As if each instance were a 512 MB function that is always on: 0.5 GB · 3600 s · $0.0000166667.
    cost: { rate: '2740.627', '0.price': '0.03', '1.price': '0.03' },
  },
  { name: 'cascade', document: 'cascade-load-test', runs: [0, 1, 2, 3], cost: {} },
  { name: 'protobuf-vs-json', document: 'protobuf-vs-json', runs: [0, 2], cost: { rate: '100' } },
  { name: 'c6i-vs-c6g', document: 'smithy-wrk', runs: [0, 1], cost: {} },
  { name: 'zlib-gzip', document: 'zlib-gzip', runs: [0, 1, 2, 3], cost: {} },
] as const

describe('what the pages show for the seed documents', () => {
  for (const { name, document, runs, cost } of pages) {
    it(name, async () => {
      const stored = await storedDocument(document)
      const [base, ...others] = runs.map((at) => stored.runs[at] ?? expect.fail(`${document} has no run ${at}`))
      if (!base) throw new Error('no base')
      const compared = [base, ...others]
      const comparison = compareSides(
        [base],
        others.map((run) => [run] as const),
      )
      const { sentence, caution } = comparison
      const data = {
        names: distinctNames(compared.map((run) => [run])),
        verdict: caution === '' ? sentence : `${sentence}; ${caution.charAt(0).toLowerCase()}${caution.slice(1)}`,
        table: comparison.rows.map(({ metric, baseValue, deltas }) => ({
          metric: metric.id,
          base: baseValue,
          others: deltas.map((delta) => ({
            value: delta.value,
            changeRatio: delta.changeRatio,
            verdict: verdictWord(delta, metric),
            ...(delta.reason === null ? {} : { why: delta.reason }),
          })),
        })),
        findings: compared.map((run) => findingsOf(run.imported).map(({ id, severity }) => `${severity}: ${id}`)),
        comparability: Object.fromEntries(differencesOf(compared).map(({ field, values }) => [field, values])),
        cost: {
          typed: cost,
          rows: Object.fromEntries(costRows(compared, cost).map(({ label, cells }) => [label, cells])),
        },
        matrix: matrixOf(stored.runs, stored.cellNotes),
        sweep: sweepOf(stored.runs),
      }
      const file = `tests/fixtures/compare/${name}.json`
      const isNew = process.env.UPDATE_GOLDEN !== undefined && process.env.CI === undefined
      if (isNew || !existsSync(file)) expect(isNew, `${file} is missing`).toBe(true)
      if (isNew) writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`)
      expect(data).toEqual(JSON.parse(readFileSync(file, 'utf8')))
    })
  }
})

/** The matrix in its initial state: the axes and metrics that the runs suggest. */
function matrixOf(runs: readonly StoredRun[], cellNotes: readonly CellNote[]) {
  const matrix = buildMatrix(runs, { metrics: chosenMetrics(null, runs), cellNotes })
  return {
    rowsBy: matrix.rowsBy,
    columnsBy: matrix.columnsBy,
    base: matrix.baseColumns,
    rows: matrix.rows.map((row) => ({
      name: [row.name, ...row.others.map(({ value }) => value)],
      cells: Object.fromEntries(
        row.cells.map(({ column, runIds, note, figures }) => [
          column,
          runIds.length === 0
            ? { note }
            : Object.fromEntries(
                figures.map(({ metric, value, delta, word, best }) => [
                  metric.id,
                  { value, factor: delta?.factor ?? null, verdict: word, best },
                ]),
              ),
        ]),
      ),
    })),
  }
}

/** The sweep in its initial state; null: nothing was varied. */
function sweepOf(runs: readonly StoredRun[]) {
  const axes = sweepAxes(runs)
  const axis = chooseAxis(axes, null)
  if (axis === null) return null
  const sweep = buildSweep(runs, axis)
  return {
    axes: axes.map(({ field }) => field),
    over: axis.title,
    unit: axis.unit,
    without: sweep.without.map(({ id }) => id),
    breaks: breakSentences(sweep),
    metrics: Object.fromEntries(
      chosenMetrics(['mean', 'p99'], runs).map((metric) => [
        metric.id,
        {
          series: Object.fromEntries(
            sweep.series.map((one) => [one.name, valuesOf(one, metric).map(({ x, value }) => [x, value])]),
          ),
          says: shapeSentences(sweep, metric),
        },
      ]),
    ),
  }
}
