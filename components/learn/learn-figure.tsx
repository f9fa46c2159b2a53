import type { ReactNode } from 'react'
import styles from './learn.module.css'

/** A plot of an explanation with a note on its data: real runs, or a constructed example. */
export function LearnFigure({ note, children }: { note: string; children: ReactNode }) {
  return (
    <div className={`text-14 ${styles.figure}`}>
      {children}
      <p className={`muted text-12 ${styles.note}`}>{note}</p>
    </div>
  )
}
