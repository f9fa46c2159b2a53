import type { ReactNode } from 'react'
import type { Matrix } from '@/lib/matrix/matrix'
import { fieldWords, type MatrixField } from '@/lib/matrix/matrix-field'
import { axisWords, type SweepAxis } from '@/lib/matrix/sweep-axis'
import type { Metric } from '@/lib/run/metrics'
import { MetricBoxes } from '../compare/view-forms'
import styles from './layout-form.module.css'
import { otherParts, searchOf, type MatrixQuery } from './matrix-url'

interface MatrixFormProps {
  readonly matrix: Matrix
  /** What rows and columns may stand for. */
  readonly fields: readonly MatrixField[]
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
}

/** Rows, columns, base and metrics of a matrix as a form of the address. */
export function MatrixForm({ matrix, fields, metrics, query }: MatrixFormProps) {
  const { rowsBy, columnsBy, columns, baselineColumn } = matrix
  const options = (value: MatrixField) =>
    [...new Set([...fields, value])].map((field) => [field, fieldWords(field)] as const)
  return (
    <LayoutForm
      key={[rowsBy, columnsBy, baselineColumn, searchOf(query)].join(' ')}
      query={query}
      metrics={metrics}
      fields={['rows', 'columns', 'base']}
    >
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

interface SweepFormProps {
  readonly axes: readonly SweepAxis[]
  readonly axis: SweepAxis
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
}

const scales = [
  ['', 'automatic'],
  ['linear', 'linear'],
  ['log', 'logarithmic'],
] as const

/** The number, scales and metrics of a sweep as a form of the address; made anew with it, so that it says what is drawn. */
export function SweepForm({ axes, axis, metrics, query }: SweepFormProps) {
  return (
    <LayoutForm key={`${axis.field} ${searchOf(query)}`} query={query} metrics={metrics} fields={['axis', 'x', 'y']}>
      <Choice
        label="Over"
        name="axis"
        value={axis.field}
        options={axes.map((one) => [one.field, axisWords(one)] as const)}
      />
      <Choice label="X axis" name="x" value={query.scales.x ?? ''} options={scales} />
      <Choice label="Y axis" name="y" value={query.scales.y ?? ''} options={scales} />
    </LayoutForm>
  )
}

interface LayoutProps {
  readonly query: MatrixQuery
  readonly metrics: readonly Metric[]
  /** Parts of the address that the children set. */
  readonly fields: readonly string[]
  readonly children: ReactNode
}

/** What a matrix or sweep is laid out by, and its metrics, as a form of the address. */
function LayoutForm({ query, metrics, fields, children }: LayoutProps) {
  return (
    <form method="get" className={styles.form}>
      {otherParts(query, [...fields, 'metric']).map(([name, value]) => (
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
function Choice({ label, name, value, options }: ChoiceProps) {
  return (
    <label className={styles.field}>
      {label}
      <select className="select" name={name} defaultValue={value} autoComplete="off">
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
