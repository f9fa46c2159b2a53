import type { ReportedShift } from '@/lib/rules/project-environments'
import { shiftLine, shiftWords } from '@/lib/rules/rule-words'
import { headlineFact } from '@/lib/run/fact'
import { factAttributes } from '../facts/fact-attributes'
import { EnvironmentLink } from '../ui/links/environment-link'
import { Link } from '../ui/links/link'
import { StateShape } from '../ui/state-mark'
import styles from './environment-news.module.css'

interface Props {
  readonly slug: string
  /** Open ones only are shown. */
  readonly shifts: readonly ReportedShift[]
}

/** The headline of its alert. */
const said = (shift: ReportedShift) =>
  shift.alertId === null ? null : headlineFact('alert', shift.alertId, shiftWords(shift))

/** A line for each environment that is another now: what is off on its series is not their code. */
export function EnvironmentNews({ slug, shifts }: Props) {
  const open = shifts.filter(({ isOpen }) => isOpen)
  if (open.length === 0) return null
  return (
    <ul className={styles.lines} aria-label="Environments that moved">
      {open.map((shift) => (
        <li key={`${shift.environment} ${shift.since}`} className="flex wrap baseline text-13">
          <span className="unusual">
            <StateShape state="unusual" />
          </span>
          <span className="fill slim" {...factAttributes(said(shift), 'sentence')}>
            {shiftLine(shift)}.
          </span>
          <span className="linked flex gap-12">
            <EnvironmentLink slug={slug} name={shift.environment} />
            {shift.alertId !== null && <Link href={`/p/${slug}/alerts/${shift.alertId}`}>Alert</Link>}
          </span>
        </li>
      ))}
    </ul>
  )
}
