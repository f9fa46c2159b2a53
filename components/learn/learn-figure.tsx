import type { ReactNode } from 'react'
import styles from './learn.module.css'

/** A plot of an explanation with what it is of: real runs, or a constructed example, which is said. */
export function LearnFigure({ note, children }: { note: string; children: ReactNode }) {
  return (
    <div className={styles.figure}>
      {children}
      <p className={styles.note}>{note}</p>
    </div>
  )
}
