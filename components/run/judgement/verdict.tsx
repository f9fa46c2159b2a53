import type { ReactNode } from 'react'
import { formatCount, plural } from '@/lib/format'
import { judgedPartWords } from '@/lib/judge/judged-window'
import { attemptsOfFigures } from '@/lib/run/metrics'
import { standingOf } from '@/lib/run/standing'
import { failureKinds } from '@/lib/run/figures'
import type { StoredRun } from '@/lib/history/stored-runs'
import type { HeldLimit } from '@/lib/rules/limits'
import { LimitChips } from '../../ui/limit-chips'
import { StandingMarks } from '../../ui/standing-marks'
import styles from './verdict.module.css'

interface Props {
  readonly run: StoredRun
  /** Its values against the limits of the project's rules. */
  readonly limits?: readonly HeldLimit[]
  /** Actions that follow from it. */
  readonly children?: ReactNode
}

/** The stored judgement of a run against its series: state and sentence; failures, to scale. */
export function Verdict({ run, limits = [], children }: Props) {
  const { judgement } = run
  if (judgement === null)
    return (
      <section className={styles.verdict} aria-label="Judgement">
        <p className="muted">Not judged yet: its series is being evaluated.</p>
      </section>
    )
  const { state, sentence, judgedBy } = judgement
  const ofPart = judgedPartWords[judgedBy]
  return (
    <section className={styles.verdict} aria-label="Judgement">
      <p className={`bold break ${styles.said}`}>
        <StandingMarks judged={{ state, sentence }} standing={standingOf(judgement)} runId={run.id} />{' '}
        <span>{sentence}</span>
      </p>
      {ofPart !== null && <p className={`muted ${styles.because}`}>{ofPart}</p>}
      {state === 'failing' && <StatusBar run={run} />}
      {limits.length > 0 && (
        <p className="flex wrap gap-8">
          <LimitChips limits={limits} runId={run.id} />
        </p>
      )}
      {children}
    </section>
  )
}

/** How all requests ended, to scale: successes, and each kind of failure. Nothing if that is not known. */
export function StatusBar({ run }: { readonly run: StoredRun }) {
  const { errorCount, errorRatio } = run.figures
  if (!errorCount || !errorRatio) return null
  const succeeded = (attemptsOfFigures(run.figures) ?? errorCount) - errorCount
  const kinds = failureKinds(run.imported)
  const failed = kinds.length === 0 ? [{ words: 'failed', count: errorCount }] : kinds
  const label = [
    `${plural(succeeded, 'request')} succeeded`,
    ...failed.map(({ words, count }) => `${formatCount(count)} ${words}`),
  ]
  return (
    <div className={`grid gap-6 ${styles.status}`}>
      <div className={`flex ${styles.bar}`} role="img" aria-label={label.join(', ')}>
        <i style={{ flexGrow: succeeded }} />
        {failed.map(({ words, count }, at) => (
          <i key={words} data-failed={at} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className={`flex wrap text-13 ${styles.key}`} aria-hidden="true">
        <li>
          <i /> succeeded <strong>{formatCount(succeeded)}</strong>
        </li>
        {failed.map(({ words, count }, at) => (
          <li key={words}>
            <i data-failed={at} /> {words} <strong>{formatCount(count)}</strong>
          </li>
        ))}
      </ul>
    </div>
  )
}
