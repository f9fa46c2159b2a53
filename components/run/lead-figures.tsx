import type { ReactNode } from 'react'
import styles from './lead-figures.module.css'
import type { ShownFigure } from './run-figures'

/** The few large figures of a page, the printed text of each on hover. `children`: further dt/dd groups. */
export function LeadFigures({ figures, children }: { figures: readonly ShownFigure[]; children?: ReactNode }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ id, label, text, title }) => (
        <div key={id} title={title}>
          <dt>{label}</dt>
          <dd className="figure">{text}</dd>
        </div>
      ))}
      {children}
    </dl>
  )
}
