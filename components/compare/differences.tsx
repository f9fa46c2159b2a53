import type { Difference } from '@/lib/judge/comparability'
import styles from './differences.module.css'

/** What else is not the same in the compared runs, as chips that open: the values, and why they matter. */
export function Differences({
  differences,
  names,
}: {
  readonly differences: readonly Difference[]
  /** What distinguishes the runs, in the order of the values. */
  readonly names: readonly string[]
}) {
  if (differences.length === 0) return <p className="muted">No other known differences between these runs</p>
  return (
    <div className={styles.differences} role="group" aria-label="What else differs">
      <span className="muted">Also differs:</span>
      {differences.map(({ field, values, why }) => {
        const short = shortOf(values)
        return (
          <details key={field} className={styles.difference}>
            <summary>
              {field}
              {short !== null && <span className={styles.short}> {short}</span>}
            </summary>
            <div className={styles.more}>
              <p>{why}</p>
              <dl>
                {values.map((value, at) => (
                  <div key={at}>
                    <dt>{names[at]}</dt>
                    <dd>{value ?? 'unknown'}</dd>
                  </div>
                ))}
              </dl>
            </div>
          </details>
        )
      })}
    </div>
  )
}

/** Two values beside each other where they are short enough for a chip. */
function shortOf(values: Difference['values']): string | null {
  const text = values.map((value) => value ?? 'unknown').join(' vs ')
  return values.length === 2 && text.length <= 48 ? text : null
}
