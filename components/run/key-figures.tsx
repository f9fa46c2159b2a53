import { BulletDrawing } from '../charts/plot/bullet'
import styles from './key-figures.module.css'
import type { KeyFigure } from './run-figures'

/** The few large figures of a page, each with the range that was expected of it; the printed text on hover. */
export function KeyFigures({ figures }: { readonly figures: readonly KeyFigure[] }) {
  if (figures.length === 0) return null
  return (
    <dl className={styles.figures} aria-label="Key figures">
      {figures.map(({ id, label, text, unit, tone, bullet, sub, title }) => (
        <div key={id} title={title}>
          <dt>{label}</dt>
          <dd className={styles.value} data-tone={tone ?? undefined}>
            {text}
            {unit !== '' && <span className={styles.unit}>{unit === '/s' ? unit : `\u00a0${unit}`}</span>}
          </dd>
          <dd className={styles.sub}>
            <span className={styles.bullet}>{bullet && <BulletDrawing bullet={bullet} />}</span>
            {sub}
          </dd>
        </div>
      ))}
    </dl>
  )
}
