import { stateWords, type JudgedState } from '@/lib/run/judged-states'
import type { JudgedRow } from '@/lib/run/judgement'
import { stateFact } from '@/lib/run/fact'
import { factAttributes } from '../facts/fact-attributes'
import { stateShapes } from './icon'
import styles from './state-mark.module.css'

/** The shape of a state, without its word. */
export function StateShape({ state }: { readonly state: JudgedState }) {
  return (
    <svg className={`block rigid ${styles.shape}`} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d={stateShapes[state]} />
    </svg>
  )
}

interface Props {
  /** Null: its series is still being evaluated. */
  readonly judged: JudgedRow | null
  /** Shape only, in a list without room: the word is for screen readers and on hover. */
  readonly isSmall?: boolean
  /** Its run; absent: it marks something else. */
  readonly runId?: string
  /** Replaces the state's own word. */
  readonly words?: string | undefined
}

/** The judgement of a run against its series, in a word; the sentence on hover. A run just saved has none yet. */
export function StateMark({ judged, isSmall = false, runId, words }: Props) {
  if (judged === null)
    return (
      <span className="muted" title="Not judged yet: its series is being evaluated.">
        …
      </span>
    )
  const { state, sentence } = judged
  const fact = runId === undefined ? null : stateFact(runId, judged)
  return (
    <span
      className={
        isSmall ? `inline-row muted nowrap ${styles.small}` : `inline-row muted nowrap text-12 medium ${styles.mark}`
      }
      data-state={state}
      title={sentence}
      {...factAttributes(fact, 'state')}
    >
      <StateShape state={state} />
      {isSmall ? <span className="visually-hidden">{stateWords[state]}</span> : (words ?? stateWords[state])}
    </span>
  )
}
