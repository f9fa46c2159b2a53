import type { Metric } from '@/lib/metrics'
import { axisWords, type SweepAxis } from '@/lib/sweep-axis'
import { MetricBoxes } from '../compare/metric-choice'
import styles from './matrix-form.module.css'
import { keptBeside, type MatrixQuery } from './matrix-url'

interface Props {
  readonly axes: readonly SweepAxis[]
  readonly axis: SweepAxis
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
}

/** The number, scales and metrics of a sweep as a form of the address. */
export function SweepForm({ axes, axis, metrics, query }: Props) {
  return (
    <form method="get" className={styles.form}>
      {keptBeside(query, ['axis', 'x', 'y', 'metric']).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <label className={styles.field}>
        Over
        <select className="select" name="axis" defaultValue={axis.field}>
          {axes.map((one) => (
            <option key={one.field} value={one.field}>
              {axisWords(one)}
            </option>
          ))}
        </select>
      </label>
      {(['x', 'y'] as const).map((name) => (
        <label key={name} className={styles.field}>
          {name.toUpperCase()} axis
          <select className="select" name={name} defaultValue={query.scales[name] ?? ''}>
            <option value="">automatic</option>
            <option value="linear">linear</option>
            <option value="log">logarithmic</option>
          </select>
        </label>
      ))}
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
