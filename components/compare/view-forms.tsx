import type { ReactNode } from 'react'
import { metrics, type Metric } from '@/lib/run/metrics'
import type { CompareView } from './compare-view-state'
import styles from './view-forms.module.css'

interface Props {
  /** Field name in the query string. */
  readonly name: string
  readonly chosen: readonly Metric[]
  /** Fields of the address that stay unchanged. */
  readonly children?: ReactNode
}

/** Choice of metrics as a form of the address: works without scripts. */
export function MetricForm({ name, chosen, children }: Props) {
  const ids = new Set(chosen.map((metric) => metric.id))
  return (
    <form method="get" className={`grid gap-12 ${styles.form}`}>
      {children}
      <MetricBoxes name={name} ids={ids} />
      <button type="submit" className="button button-primary">
        Show
      </button>
    </form>
  )
}

/** A checkbox per metric. */
function MetricBoxes({ name, ids }: { readonly name: string; readonly ids: ReadonlySet<string> }) {
  return (
    <fieldset className={`flex wrap ${styles.boxes}`}>
      <legend className="visually-hidden">Metrics</legend>
      {metrics.map((metric) => (
        <label key={metric.id} title={metric.explain} className={`row gap-6 text-13 ${styles.box}`}>
          <input type="checkbox" name={name} value={metric.id} defaultChecked={ids.has(metric.id)} />
          {metric.label}
        </label>
      ))}
    </fieldset>
  )
}

/** A limit for latencies, drawn as a line in the plots. A form of the address: works without scripts. */
export function SloForm({ view }: { readonly view: CompareView }) {
  return (
    <form method="get" className={`row wrap gap-8 above-8 ${styles.inline}`}>
      <CarriedFields view={view} without={['slo']} />
      <label>
        SLO, ms <input className="input" name="slo" type="number" min="0" step="any" defaultValue={view.sloMs ?? ''} />
      </label>
      <button type="submit" className="button">
        Apply
      </button>
    </form>
  )
}

/** The other fields of the address, so that a form that changes one part of the view keeps the rest. */
export function CarriedFields({ view, without }: { readonly view: CompareView; readonly without: readonly string[] }) {
  const carried = [...new URLSearchParams(view.query)].filter(([key]) => !without.some((part) => key.startsWith(part)))
  return carried.map(([key, value]) => <input key={key} type="hidden" name={key} value={value} />)
}
