import { Link } from '../../ui/links/link'
import { Icon } from '../../ui/icon'
import { StateMark } from '../../ui/state-mark'
import type { Fold } from './fold-level'
import type { ShownLevel } from './level-groups'
import styles from './level-head.module.css'

/** Above the runs of one level: since when it holds, what changed, and what is expected of it. */
export function LevelHead({ level }: { readonly level: ShownLevel }) {
  const { judged, name, count, subject, detail, alertHref } = level
  return (
    <tr className={styles.level} data-state={judged?.state ?? 'before'}>
      <th scope="rowgroup" colSpan={40}>
        <span className={`flex wrap baseline ${styles.head}`}>
          {judged === null ? <strong>{name}</strong> : <StateMark judged={judged} words={name} />}
          <strong>{count}</strong>
          {subject !== null && <span className="break">{subject}</span>}
          <span className="muted regular">{detail}</span>
          {alertHref !== null && (
            <Link href={alertHref} className={styles.alert}>
              Open alert
            </Link>
          )}
        </span>
      </th>
    </tr>
  )
}

/** In place of rows that are like the others of their level, or above them; the address keeps which. */
export function FoldLine({ fold: { words, href, isOpen } }: { readonly fold: Fold }) {
  return (
    <tr className={styles.fold}>
      <td colSpan={40}>
        <Link href={href} replace scroll={false} aria-expanded={isOpen} className="inline-row gap-6 muted">
          <Icon name={isOpen ? 'up' : 'down'} />
          {words}
        </Link>
      </td>
    </tr>
  )
}
