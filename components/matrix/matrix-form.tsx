import type { Matrix } from '@/lib/matrix'
import type { Metric } from '@/lib/metrics'
import { MetricBoxes } from '../compare/metric-choice'
import type { MatrixQuery } from './matrix-url'
import styles from './matrix-form.module.css'

interface Props {
  readonly matrix: Matrix
  readonly metrics: readonly Metric[]
  /** What narrows the runs, kept in the address. */
  readonly kept: MatrixQuery['kept']
}

/** Metrics, base and columns of a matrix as a form of the address. */
export function MatrixForm({ matrix, metrics, kept }: Props) {
  return (
    <form method="get" className={styles.form}>
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <label className={styles.field}>
        Columns
        <select className="select" name="columns" defaultValue={matrix.columnsBy}>
          <option value="variant">variants</option>
          <option value="environment">environments</option>
        </select>
      </label>
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
