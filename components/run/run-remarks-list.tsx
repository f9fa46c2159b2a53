import { LearnLink } from '../learn/learn-link'
import { LineLink, type LineHref } from './line-link'
import { severityWords, type Remark } from './run-remarks'
import styles from './run-remarks-list.module.css'

/** Findings and warnings, one line each. Nothing when there are none. `canLearn`: with links to the explanations. */
export function RunRemarksList({
  remarks,
  lineHref,
  canLearn = false,
}: {
  remarks: readonly Remark[]
  lineHref: LineHref
  canLearn?: boolean
}) {
  if (remarks.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Findings">
      {remarks.map(({ key, severity, sentence, line, learn }) => {
        const isSevere = severity === 'inconsistent' || severity === 'caution'
        return (
          <li key={key}>
            <span className={`${styles.mark} ${isSevere ? styles.severe : ''}`}>{severityWords[severity]}</span>
            <span>
              {sentence}
              {line === null ? null : (
                <>
                  {' '}
                  <LineLink line={line} lineHref={lineHref} />
                </>
              )}
              {canLearn && learn !== null && (
                <>
                  {' '}
                  <LearnLink topic={learn} />
                </>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
