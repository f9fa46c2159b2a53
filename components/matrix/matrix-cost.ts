import { computeLambdaCost } from '@/lib/judge/cost'
import { formatFactor, formatNumber } from '@/lib/format'
import type { ColumnAttribute, MatrixAttribute } from '@/lib/matrix/attributes'
import { isFailing, type Matrix, type MatrixCell, type MatrixRow } from '@/lib/matrix/matrix'
import { rowName } from '@/lib/matrix/matrix-words'
import type { RunRow } from '@/lib/history/stored-runs'
import { costInputsOf, labelledInstances } from '../compare/cost-rows'

/**
 * Cost per request by column, from the first row that has it for several: for Lambda at the default list prices, for
 * instances of one price relative to the base. Prices of instances are not known here: a comparison takes them.
 */
export function costAttributes(matrix: Matrix, runs: readonly RunRow[]): readonly MatrixAttribute[] {
  const runOf = new Map(runs.map((run) => [run.id, run]))
  const newestOf = (cell: MatrixCell) => (isFailing(cell) ? undefined : runOf.get(cell.runIds[0] ?? ''))
  const attribute = (
    name: string,
    read: (run: RunRow) => number | null,
    write: (value: number) => string | null,
  ): MatrixAttribute[] => {
    const valuesOf = (row: MatrixRow) =>
      row.cells.map((cell) => {
        const run = newestOf(cell)
        return run === undefined ? null : read(run)
      })
    const row = matrix.rows.find((one) => new Set(valuesOf(one).filter((value) => value !== null)).size > 1)
    if (row === undefined) return []
    const values = valuesOf(row)
    const columns = values.map((value, at): ColumnAttribute | null => {
      if (value === null) return null
      // A sending function is compared with a sending one, as in the cells above.
      const base = values[matrix.columns.indexOf(row.cells[at]?.baseColumn ?? matrix.baselineColumn)] ?? null
      const factor = base === null || base <= 0 ? null : formatFactor(value / base)
      const text = write(value) ?? factor
      return text === null ? null : { text, factor: text === factor || value === base ? null : factor, except: '' }
    })
    return [{ name: `${name}, ${rowName(row)}`, columns }]
  }
  return [
    ...attribute('Lambda, per million requests', lambdaUsd, (usd) => `$${formatNumber(usd)}`),
    ...attribute('Cost per request at equal instance prices', instancesPerRate, () => null),
  ]
}

function lambdaUsd(run: RunRow): number | null {
  const { billedMs, meanMs } = run.figures
  if (billedMs === null) return null
  // As it was billed: a list knows only a run's mean.
  const lambda = { billedMs: { count: 1, sum: billedMs, mean: billedMs }, initMs: null, memorySizeMb: {} }
  const inputs = costInputsOf({ ...run, environmentAttributes: {} }, {})
  return computeLambdaCost({ lambda, meanMs, startedAt: run.startedAt }, inputs)?.usdPerMillionRequests ?? null
}

/** Instances per request a second; null: not known, or labels do not give their number. */
function instancesPerRate(run: RunRow): number | null {
  const instances = labelledInstances(run)
  const { throughputPerSecond, requestsPerSecond } = run.figures
  const rate = throughputPerSecond ?? requestsPerSecond
  return instances === null || rate === null || rate <= 0 ? null : instances / rate
}
