import type { ReactNode } from 'react'
import type { Metric } from '@/lib/run/metrics'
import { MetricBoxes } from '../compare/metric-choice'
import styles from './matrix-form.module.css'
import { keptBeside, type MatrixQuery } from './matrix-url'

interface Props {
  readonly query: MatrixQuery
  readonly metrics: readonly Metric[]
  /** Parts of the address that the children set. */
  readonly fields: readonly string[]
  readonly children: ReactNode
}

/** What a matrix or sweep is laid out by, and its metrics, as a form of the address. */
export function LayoutForm({ query, metrics, fields, children }: Props) {
  return (
    <form method="get" className={styles.form}>
      {keptBeside(query, [...fields, 'metric']).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
      <details className={styles.metrics}>
        <summary className="button">Metrics: {metrics.map((metric) => metric.shortLabel).join(', ')}</summary>
        <MetricBoxes name="metric" ids={new Set(metrics.map((metric) => metric.id))} />
      </details>
      <button type="submit" className="button">
        Apply
      </button>
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: readonly (readonly [value: string, words: string])[]
}

/** One part of the address, chosen from a list. */
export function Choice({ label, name, value, options }: ChoiceProps) {
  return (
    <label className={styles.field}>
      {label}
      <select className="select" name={name} defaultValue={value}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
