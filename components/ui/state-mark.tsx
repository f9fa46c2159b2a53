import { stateWords } from '@/lib/run/judged-states'
import type { JudgedRow } from '@/lib/run/stored'
import styles from './state-mark.module.css'

/** What is said of a run against its series, in a word; the sentence on hover. Nothing is said yet of a run just saved. */
export function StateMark({ judged }: { readonly judged: JudgedRow | null }) {
  if (judged === null)
    return (
      <span className="muted" title="Not judged yet: its series is being evaluated.">
        …
      </span>
    )
  return (
    <span className={styles.mark} data-state={judged.state} title={judged.sentence}>
      {stateWords[judged.state]}
    </span>
  )
}
