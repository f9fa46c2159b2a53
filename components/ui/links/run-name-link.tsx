import type { RunNames } from '@/lib/history/stored-runs'
import { Link } from './link'
import styles from './run-name-link.module.css'

interface Props {
  readonly href: string
  readonly run: Pick<RunNames, 'scenario' | 'variant'>
}

/** Scenario › variant as a link, the scenario heavier. */
export function RunNameLink({ href, run: { scenario, variant } }: Props) {
  return (
    <Link href={href} className="text bold break">
      {scenario}
      {variant === null ? null : (
        <>
          <span className={`regular ${styles.sign}`}> › </span>
          <span className={styles.variant}>{variant}</span>
        </>
      )}
    </Link>
  )
}
