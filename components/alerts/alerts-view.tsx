import { Link } from '../ui/link'
import { alertTitle, commitOf, sinceOf, stateWord } from '@/lib/rules/alert-words'
import { liveStates, type AlertRow } from '@/lib/rules/stored-alerts'
import { offWords, type ChannelRow } from '@/lib/rules/stored-channels'
import { CommitLink } from '../ui/commit-link'
import { Time } from '../ui/time'
import styles from './alerts.module.css'

interface Props {
  readonly projectSlug: string
  /** Where the project's commits are seen; null: not known. */
  readonly repositoryUrl: string | null
  readonly alerts: readonly AlertRow[]
  readonly nowMs: number
}

interface ViewProps extends Props {
  /** Channels that turned themselves off. */
  readonly deadChannels: readonly ChannelRow[]
}

/** All alerts of a project: those that need attention first, then what became of the others. */
export function AlertsView({ alerts, deadChannels, ...shared }: ViewProps) {
  const { projectSlug } = shared
  const live = alerts.filter((alert) => liveStates.includes(alert.state))
  const closed = alerts.filter((alert) => !liveStates.includes(alert.state))
  const judged = closed.filter((alert) => ['expected', 'resolved', 'recovered', 'false-alarm'].includes(alert.state))
  const useful = judged.filter((alert) => alert.state !== 'false-alarm')
  return (
    <div className="page">
      <div className={styles.head}>
        <div className={styles.doors}>
          <Link className="button" href={`/p/${projectSlug}/rules`}>
            Rules
          </Link>
          <Link
            className="button"
            href={`/p/${projectSlug}/channels`}
            title="Notification channels: Slack, webhooks, e-mail"
          >
            Channels
          </Link>
        </div>
      </div>
      {deadChannels.length > 0 && (
        <p className="notice notice-error" role="status">
          {deadChannels.map((channel) => (
            <span key={channel.id} className={styles.dead}>
              The channel <strong>{channel.name}</strong> was disabled
              {channel.disabledReason && `: ${offWords[channel.disabledReason]}`}. It receives no alerts.
            </span>
          ))}{' '}
          <Link href={`/p/${projectSlug}/channels`}>Open the channels</Link>
        </p>
      )}
      {live.length === 0 ? (
        <p className="muted">
          {alerts.length === 0 ? 'No alerts yet. ' : 'No open alerts. '}
          After each upload Tailboard evaluates every series that has a new run. It needs five runs of the same
          scenario, variant and load, and a second run that confirms a change. Changes that raise no alert are listed
          under <Link href={`/p/${projectSlug}/trends`}>trends</Link>.
        </p>
      ) : (
        <AlertTable alerts={live} {...shared} name="Open alerts" />
      )}
      {closed.length > 0 && (
        <>
          <h2 className={`section-title ${styles.part}`}>Closed</h2>
          {judged.length > 0 && (
            <p className="muted">
              {useful.length} of {judged.length} closed alerts reported a real change.
            </p>
          )}
          <AlertTable alerts={closed} {...shared} name="Closed alerts" />
        </>
      )}
    </div>
  )
}

interface TableProps extends Props {
  readonly name: string
}

function AlertTable({ alerts, name, ...shared }: TableProps) {
  return (
    <div className="table-scroll">
      <table className={`table ${styles.table}`}>
        <caption className="visually-hidden">{name}</caption>
        <thead>
          <tr>
            <th scope="col">Alert</th>
            <th scope="col">State</th>
            <th scope="col">Cause</th>
            <th scope="col" className={styles.since}>
              Since
            </th>
            <th scope="col">Raised</th>
          </tr>
        </thead>
        <tbody>
          {alerts.map((alert) => (
            <AlertLine key={alert.id} alert={alert} {...shared} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LineProps extends Omit<Props, 'alerts'> {
  readonly alert: AlertRow
}

function AlertLine({ alert, projectSlug, repositoryUrl, nowMs }: LineProps) {
  const since = sinceOf(alert)
  const commit = commitOf(alert)
  return (
    <tr>
      <td>
        <Link href={`/p/${projectSlug}/alerts/${alert.id}`}>{alertTitle(alert)}</Link>
      </td>
      <td>{stateWord(alert.state)}</td>
      <td className="mono">{commit === null ? '–' : <CommitLink commit={commit} repositoryUrl={repositoryUrl} />}</td>
      <td className={styles.since}>{since === null ? '–' : <Time at={since} nowMs={nowMs} />}</td>
      <td>
        <Time at={alert.openedAt} nowMs={nowMs} />
      </td>
    </tr>
  )
}
