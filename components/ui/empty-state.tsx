import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** What stands where nothing is yet: what belongs here and how to get it there. */
export function EmptyState({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={`card ${styles.empty}`}>
      <h2 className="section-title">{title}</h2>
      {children}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </section>
  )
}
