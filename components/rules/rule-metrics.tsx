import { findMetric, metrics, type Metric } from '@/lib/run/metrics'
import { usualMetrics } from '@/lib/rules/rule-words'
import styles from './rule-metrics.module.css'

const groups: readonly { readonly name: string; readonly ids: readonly string[] }[] = [
  { name: 'Speed', ids: ['requests-per-second', 'throughput'] },
  { name: 'Latency', ids: ['mean', 'std-dev', 'min', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'] },
  { name: 'Failures', ids: ['success-ratio', 'error-ratio', 'error-count'] },
  { name: 'Lambda', ids: ['billed', 'init', 'max-memory'] },
]
const grouped = new Set(groups.flatMap(({ ids }) => ids))
const named = groups.map(({ name, ids }) => ({ name, metrics: ids.flatMap((id) => findMetric(id) ?? []) }))
const shown: readonly { readonly name: string; readonly metrics: readonly Metric[] }[] = [
  ...named,
  { name: 'Volume', metrics: metrics.filter(({ id }) => !grouped.has(id)) },
]

/** The metrics that a rule watches: a checkbox for each there is, in groups. None ticked: the usual ones. */
export function RuleMetrics({ chosenIds }: { readonly chosenIds: readonly string[] }) {
  return (
    <fieldset className={styles.metrics} aria-describedby="usual-metrics">
      <legend>Metrics</legend>
      {shown.map(({ name, metrics }) => (
        <div key={name} role="group" aria-label={name} className={styles.group}>
          <span aria-hidden="true" className={styles.name}>
            {name}
          </span>
          {metrics.map((metric) => (
            <label key={metric.id} title={metric.explain} className={styles.box}>
              <input type="checkbox" name="metric" value={metric.id} defaultChecked={chosenIds.includes(metric.id)} />
              {metric.label}
            </label>
          ))}
        </div>
      ))}
      <small id="usual-metrics">None selected: the defaults ({usualMetrics}).</small>
    </fieldset>
  )
}
