import { stateWords, type JudgedState } from '@/lib/run/judged-states'
import type { JudgedRow } from '@/lib/run/stored'
import styles from './state-mark.module.css'

/** On a grid of 12. Each state has its own shape, so that none is told by colour alone. */
const shapes: Readonly<Record<JudgedState, string>> = {
  failing: 'm2 2 8 8M10 2l-8 8',
  worse: 'M6 1l5.5 9.8H.5z',
  unusual: 'M6 .8 11.2 6 6 11.2.8 6z',
  invalid: 'M2 2h8v8H2zM2 10l8-8',
  better: 'M6 11 .5 1.2h11z',
  'no-history': 'M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0z',
  'as-expected': 'M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0z',
}

/** The shape of a state, without its word. */
export function StateShape({ state }: { readonly state: JudgedState }) {
  return (
    <svg className={styles.shape} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d={shapes[state]} />
    </svg>
  )
}

interface Props {
  /** Null: its series is still being evaluated. */
  readonly judged: JudgedRow | null
  /** Shape only, in a list that has no room: the word is for screen readers and on hover. */
  readonly isSmall?: boolean
  /** Instead of the state's own word. */
  readonly words?: string
}

/** What is said of a run against its series, in a word; the sentence on hover. Nothing is said yet of a run just saved. */
export function StateMark({ judged, isSmall = false, words }: Props) {
  if (judged === null)
    return (
      <span className="muted" title="Not judged yet: its series is being evaluated.">
        …
      </span>
    )
  const { state, sentence } = judged
  return (
    <span className={isSmall ? styles.small : styles.mark} data-state={state} title={sentence}>
      <StateShape state={state} />
      {isSmall ? <span className="visually-hidden">{stateWords[state]}</span> : (words ?? stateWords[state])}
    </span>
  )
}
