import type { ReactNode } from 'react'
import styles from './settings.module.css'

/** A part of the settings under its heading. `id`: the target of links. */
export function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className={styles.section} id={id}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  )
}
