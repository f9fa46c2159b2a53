import type { ProjectEnvironment, ReportedShift, SeriesOfEnvironment } from '@/lib/rules/project-environments'
import { formatMoment } from '@/lib/format'
import type { ControlRule } from '@/lib/project/control-rule'
import { eventSentence, eventWords } from '@/lib/rules/rule-words'
import { IfAllowed } from '../ui/actions/access'
import { EnvironmentLink } from '../ui/links/environment-link'
import { Link } from '../ui/links/link'
import { ListTable, actions } from '../ui/list-table'
import { ControlButton } from './control-button'
import { ControlRuleForm } from './control-rule'
import styles from './environments-list.module.css'

interface Props {
  readonly slug: string
  readonly environments: readonly ProjectEnvironment[]
  /** By which label series become controls; null: no rule. */
  readonly rule: ControlRule | null
}

/** The environments of a project: when each moved by itself, and which of its series are controls. */
export function EnvironmentsList({ slug, environments, rule }: Props) {
  if (environments.length === 0)
    return (
      <p className="muted">
        No run names its environment. Upload with environment=NAME to compare a machine with itself.
      </p>
    )
  return (
    <>
      <p className="muted">
        If most series of an environment move at once and no commit explains it, the environment itself moved: one alert
        reports that. A control is a test of something that never changes, such as a static file. It is never better or
        worse, and separates a slower machine from slower code.
      </p>
      {environments.map((one) => (
        <section key={one.name} className={styles.environment} aria-label={one.name}>
          <h3>
            <EnvironmentLink slug={slug} name={one.name} />
          </h3>
          <Shifts slug={slug} shifts={one.shifts} />
          <ListTable label={`Series on ${one.name}`} head={['Series', 'Role', actions]}>
            {one.series.map((series) => (
              <SeriesRow key={series.id} slug={slug} series={series} />
            ))}
          </ListTable>
        </section>
      ))}
      <IfAllowed need="administer">
        <ControlRuleForm slug={slug} rule={rule} />
      </IfAllowed>
    </>
  )
}

function Shifts({ slug, shifts }: { readonly slug: string; readonly shifts: readonly ReportedShift[] }) {
  if (shifts.length === 0) return <p className="muted">No shift so far.</p>
  return (
    <ul className={styles.shifts}>
      {shifts.map((shift) => (
        <li key={shift.since}>
          {shift.alertId === null ? (
            eventWords(shift)
          ) : (
            <Link href={`/p/${slug}/alerts/${shift.alertId}`}>{eventWords(shift)}</Link>
          )}{' '}
          on {formatMoment(shift.since)}
          {shift.overSince === null ? '' : `, back since ${formatMoment(shift.overSince)}`}.{' '}
          <span className="muted">{eventSentence(shift)}</span>
        </li>
      ))}
    </ul>
  )
}

function SeriesRow({ slug, series }: { readonly slug: string; readonly series: SeriesOfEnvironment }) {
  const { id, scenario, variant, isControl } = series
  const name = [scenario, variant].filter((part) => part !== null).join(' · ')
  return (
    <tr>
      <td>
        <Link href={`/p/${slug}/trends/${id}`}>{name}</Link>
      </td>
      <td>{isControl ? 'Control' : <span className="muted">Measured</span>}</td>
      <td>
        <ControlButton {...{ slug, seriesId: id, name, isControl }} />
      </td>
    </tr>
  )
}
