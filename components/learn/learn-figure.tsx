import type { ReactNode } from 'react'
import styles from './learn.module.css'

/** A plot of an explanation with a note on its data: real runs, or a constructed example. */
export function LearnFigure({ note, children }: { note: string; children: ReactNode }) {
  return (
    <div className={styles.figure}>
      {children}
      <p className={styles.note}>{note}</p>
    </div>
  )
}
