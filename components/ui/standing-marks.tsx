import { stateWords } from '@/lib/run/judged-states'
import type { JudgedRow } from '@/lib/run/judgement'
import type { Standing } from '@/lib/run/standing'
import { StateMark, StateShape } from './state-mark'
import styles from './state-mark.module.css'

interface Props {
  /** Null: its series is still being evaluated. */
  readonly judged: JudgedRow | null
  /** Null: the state is the run's own. */
  readonly standing: Standing | null
  readonly runId: string
}

/** The judgement of a run in a word; while its level is changed, since when, and how the run itself stands there. */
export function StandingMarks({ judged, standing, runId }: Props) {
  if (standing === null) return <StateMark judged={judged} runId={runId} />
  const { level, own } = standing
  return (
    <>
      <StateMark judged={judged} runId={runId} words={level} />
      {own !== null && (
        <span className={`inline-row text-12 nowrap ${styles.own}`} data-state={own}>
          <StateShape state={own} />
          this run: {stateWords[own].toLowerCase()}
        </span>
      )}
    </>
  )
}
