import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** Shown where nothing is yet: what belongs here and how to add it. */
export function EmptyState({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={`card ${styles.empty}`}>
      <h2 className="section-title">{title}</h2>
      {children}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </section>
  )
}
