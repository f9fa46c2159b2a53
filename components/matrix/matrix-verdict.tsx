import { isFailing } from '@/lib/matrix/matrix'
import { StateMark } from '../ui/state-mark'
import styles from './matrix-view.module.css'
import type { PreparedMatrix } from './prepare-matrix'

/** What a matrix says in one sentence, failures first, and how far that may be trusted. */
export function MatrixVerdict({ prepared: { matrix, verdict, caution } }: { readonly prepared: PreparedMatrix }) {
  const fails = matrix.rows.some(({ cells }) => cells.some(isFailing))
  return (
    <>
      <h1 className={styles.sentence}>
        {fails && <StateMark judged={{ state: 'failing', sentence: verdict }} />} {verdict}
      </h1>
      {caution !== null && <p className={styles.caution}>{caution}.</p>}
    </>
  )
}
