import { metricGroups, metrics } from '@/lib/run/metrics'
import { defaultMetricLabels } from '@/lib/rules/rule-words'
import styles from './rule-metrics.module.css'

const groups = metricGroups.map((name) => ({ name, metrics: metrics.filter(({ group }) => group === name) }))

/** The metrics that a rule watches: a checkbox for each, in groups. None ticked: the default ones. */
export function RuleMetrics({ chosenIds }: { readonly chosenIds: readonly string[] }) {
  return (
    <fieldset className={styles.metrics} aria-describedby="default-metrics">
      <legend>Metrics</legend>
      {groups.map(({ name, metrics }) => (
        <div key={name} role="group" aria-label={name} className="row wrap gap-6">
          <span aria-hidden="true" className={`muted text-13 ${styles.name}`}>
            {name}
          </span>
          {metrics.map((metric) => (
            <label key={metric.id} title={metric.explain} className={styles.box}>
              <input
                className="flush"
                type="checkbox"
                name="metric"
                value={metric.id}
                defaultChecked={chosenIds.includes(metric.id)}
              />
              {metric.label}
            </label>
          ))}
        </div>
      ))}
      <small className="muted" id="default-metrics">
        None selected: the defaults ({defaultMetricLabels}).
      </small>
    </fieldset>
  )
}
