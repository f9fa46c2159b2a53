import { groupBy } from '@/lib/group-by'
import { shortPair, type Difference } from '@/lib/judge/comparability'
import { Icon } from '../ui/icon'
import styles from './differences.module.css'

/** Other differences between the compared runs, as chips that open: the values, and why they matter. */
export function Differences({
  differences,
  names,
}: {
  readonly differences: readonly Difference[]
  /** What distinguishes the runs, in the order of the values. */
  readonly names: readonly string[]
}) {
  if (differences.length === 0) return <p className={`muted ${styles.differences}`}>Nothing else is known to differ</p>
  return (
    <div className={styles.differences} role="group" aria-label="What differs">
      <span className="muted">What differs</span>
      {differences.map(({ field, values, why }) => {
        const pair = shortPair(values)
        return (
          <details key={field} className={`bare-summary ${styles.difference}`}>
            <summary>
              {field}
              {pair !== null && (
                <span className={styles.short}>
                  {' '}
                  {pair[0]} <Icon name="next" />
                  <span className="visually-hidden">to</span> {pair[1]}
                </span>
              )}
            </summary>
            <div className={styles.more}>
              <p>{why}</p>
              <dl>
                {valuesByRun(values, names).map(({ name, value }) => (
                  <div key={name}>
                    <dt className="muted">{name}</dt>
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

/** A longer list goes unread. */
const maxListed = 40

/** Each run with its value; with many runs, each value once, with its first run and the number of others. */
function valuesByRun(values: Difference['values'], names: readonly string[]) {
  const each = values.map((value, at) => ({ name: names[at] ?? String(at + 1), value }))
  if (each.length <= maxListed) return each
  const kinds = groupBy(each, ({ value }) => value)
  return [...kinds.values()].slice(0, maxListed).flatMap(([first, ...others]) => {
    if (first === undefined) return []
    return { ...first, name: others.length === 0 ? first.name : `${first.name} and ${others.length} more` }
  })
}
