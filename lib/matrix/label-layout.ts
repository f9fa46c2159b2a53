import { readQuantity } from './quantity'
import { experimentKeys } from './attributes'
import type { FieldedRun, MatrixField } from './matrix-field'
import { namingKeys } from './sweep-axis'

/**
 * Two labels that distinguish all variants of one scenario, a quantity down and the other across: `payload` ×
 * `encoding` instead of four names in one row. Null: no such pair.
 */
export function labelLayout(
  runs: readonly FieldedRun[],
): { readonly rowsBy: MatrixField; readonly columnsBy: MatrixField } | null {
  const names = new Set(runs.map(({ variant, environment }) => JSON.stringify([variant, environment])))
  if (names.size < 3 || new Set(runs.map(({ scenario }) => scenario)).size > 1) return null
  const valueOf = ({ labels }: FieldedRun, key: string) => (Object.hasOwn(labels, key) ? (labels[key] ?? '') : '')
  const keys = [...new Set(runs.flatMap(({ labels }) => Object.keys(labels)))].filter(
    (key) =>
      !namingKeys.test(key) && !experimentKeys.has(key) && new Set(runs.map((run) => valueOf(run, key))).size > 1,
  )
  const isQuantity = (key: string) => runs.every((run) => readQuantity(valueOf(run, key)) !== null)
  for (const row of keys.filter(isQuantity))
    for (const column of keys) {
      if (column === row) continue
      const cells = runs.map((run) => JSON.stringify([valueOf(run, row), valueOf(run, column)]))
      const ofName = runs.map((run, at) => JSON.stringify([run.variant, run.environment, cells[at]]))
      if (new Set(cells).size === names.size && new Set(ofName).size === names.size)
        return { rowsBy: `label:${row}`, columnsBy: `label:${column}` }
    }
  return null
}
