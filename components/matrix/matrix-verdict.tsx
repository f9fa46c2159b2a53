import { isFailing } from '@/lib/matrix/matrix'
import { headlineFact } from '@/lib/run/fact'
import { factAttributes } from '../facts/fact-attributes'
import { StateMark } from '../ui/state-mark'
import styles from './matrix-view.module.css'
import type { PreparedMatrix } from './prepare-matrix'

interface Props {
  /** Path of the page that shows it. */
  readonly path: string
  readonly prepared: PreparedMatrix
}

/** The verdict of a matrix in one sentence, failures first, and how far it can be trusted. */
export function MatrixVerdict({ path, prepared: { matrix, verdict, caution } }: Props) {
  const fails = matrix.rows.some(({ cells }) => cells.some(isFailing))
  return (
    <>
      <h1
        className={`headline ${styles.sentence}`}
        {...factAttributes(headlineFact('matrix', path, verdict), 'sentence')}
      >
        {fails && <StateMark judged={{ state: 'failing', sentence: verdict }} />} {verdict}
      </h1>
      {caution !== null && <p className={`muted caution ${styles.caution}`}>{caution}.</p>}
    </>
  )
}
