import type { ImportedRun } from '@/lib/run/run'
import { prepareColdStarts } from './cold-starts'
import styles from './cold-starts-panel.module.css'
import { SmallTable } from './small-table'

/** How many invocations had to wait for an environment, and how long; nothing where the log does not tell. */
export function ColdStartsPanel({ run }: { run: Pick<ImportedRun, 'lambda' | 'latencies'> }) {
  const cold = prepareColdStarts(run)
  if (cold === null) return null
  return (
    <div className={styles.panel}>
      <SmallTable title="Cold starts" head={['What', 'Invocations', 'p50', 'p99', 'Max']} rows={cold.rows} />
      <p className={styles.summary}>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${cold.shareRatio * 100}%` }} />
        </span>
        {cold.summary}
      </p>
      <dl className={styles.facts}>
        {cold.facts.map(({ name, text, title }) => (
          <div key={name} title={title}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
