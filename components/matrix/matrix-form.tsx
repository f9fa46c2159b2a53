import type { Matrix } from '@/lib/matrix'
import { fieldWords, type MatrixField } from '@/lib/matrix-field'
import type { Metric } from '@/lib/metrics'
import { MetricBoxes } from '../compare/metric-choice'
import { keptBeside, type MatrixQuery } from './matrix-url'
import styles from './matrix-form.module.css'

interface Props {
  readonly matrix: Matrix
  /** What rows and columns may stand for. */
  readonly fields: readonly MatrixField[]
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
}

/** Rows, columns, base and metrics of a matrix as a form of the address. */
export function MatrixForm({ matrix, fields, metrics, query }: Props) {
  return (
    <form method="get" className={styles.form}>
      {keptBeside(query, ['rows', 'columns', 'base', 'metric']).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <FieldChoice label="Rows" name="rows" value={matrix.rowsBy} fields={fields} />
      <FieldChoice label="Columns" name="columns" value={matrix.columnsBy} fields={fields} />
      <label className={styles.field}>
        Base
        <select className="select" name="base" defaultValue={matrix.baselineColumn}>
          {matrix.columns.map((column) => (
            <option key={column}>{column}</option>
          ))}
        </select>
      </label>
      <details className={styles.metrics}>
        <summary className="button">Metrics: {metrics.map((metric) => metric.shortLabel).join(', ')}</summary>
        <MetricBoxes name="metric" ids={new Set(metrics.map((metric) => metric.id))} />
      </details>
      <button type="submit" className="button">
        Show
      </button>
    </form>
  )
}

interface FieldChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: MatrixField
  readonly fields: readonly MatrixField[]
}

function FieldChoice({ label, name, value, fields }: FieldChoiceProps) {
  const options = fields.includes(value) ? fields : [...fields, value]
  return (
    <label className={styles.field}>
      {label}
      <select className="select" name={name} defaultValue={value}>
        {options.map((field) => (
          <option key={field} value={field}>
            {fieldWords(field)}
          </option>
        ))}
      </select>
    </label>
  )
}
