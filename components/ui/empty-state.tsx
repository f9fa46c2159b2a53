import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** Shown where nothing is yet: what belongs here and how to add it. */
export function EmptyState({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={`card above-12 ${styles.empty}`}>
      <h2 className="section-title">{title}</h2>
      {children}
      {actions ? <div className="flex wrap gap-8">{actions}</div> : null}
    </section>
  )
}
