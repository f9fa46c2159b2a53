import type { HeldLimit } from '@/lib/rules/limits'
import { limitFact } from '@/lib/run/fact'
import { factAttributes } from '../facts/fact-attributes'
import styles from './state-mark.module.css'

interface Props {
  readonly limits: readonly HeldLimit[]
  readonly runId: string
}

/** How a run compares with the limits of its series, beside its state. */
export function LimitChips({ limits, runId }: Props) {
  return limits.map((held) => (
    <span
      key={held.ruleId}
      className={`inline-row text-12 ${styles.limit}`}
      data-missed={held.missedBy !== null || undefined}
      {...factAttributes(limitFact(runId, held), 'missedBy')}
    >
      {held.name}: {held.words}
    </span>
  ))
}
