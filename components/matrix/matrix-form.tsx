import type { Matrix } from '@/lib/judge/matrix'
import { fieldWords, type MatrixField } from '@/lib/judge/matrix-field'
import type { Metric } from '@/lib/run/metrics'
import { Choice, LayoutForm } from './layout-form'
import type { MatrixQuery } from './matrix-url'

interface Props {
  readonly matrix: Matrix
  /** What rows and columns may stand for. */
  readonly fields: readonly MatrixField[]
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
}

/** Rows, columns, base and metrics of a matrix as a form of the address. */
export function MatrixForm({ matrix, fields, metrics, query }: Props) {
  const { rowsBy, columnsBy, columns, baselineColumn } = matrix
  const options = (value: MatrixField) =>
    [...new Set([...fields, value])].map((field) => [field, fieldWords(field)] as const)
  return (
    <LayoutForm query={query} metrics={metrics} fields={['rows', 'columns', 'base']}>
      <Choice label="Rows" name="rows" value={rowsBy} options={options(rowsBy)} />
      <Choice label="Columns" name="columns" value={columnsBy} options={options(columnsBy)} />
      <Choice
        label="Base"
        name="base"
        value={baselineColumn}
        options={columns.map((column) => [column, column] as const)}
      />
    </LayoutForm>
  )
}
