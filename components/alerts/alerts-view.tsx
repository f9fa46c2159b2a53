import { environmentEventOf } from '@/lib/rules/environment-alert'
import { alertMark, alertSentence, alertSubject, commitOf, sinceOf } from '@/lib/rules/alert-words'
import { liveStates, type AlertRow } from '@/lib/rules/stored-alerts'
import { offWords, type ChannelRow } from '@/lib/rules/stored-channels'
import { StripDrawing, type Strip } from '../charts/plot/rows/strip'
import { StripTip } from '../charts/plot/rows/strip-tip'
import { CommitLink } from '../ui/links/commit-link'
import { Link } from '../ui/links/link'
import { IfAllowed } from '../ui/actions/access'
import { RunNameLink } from '../ui/links/run-name-link'
import { StateMark } from '../ui/state-mark'
import { Time } from '../ui/time'
import { ViewLinks } from '../ui/links/view-links'
import { alertsHref, alertViews, countViews, sizeOf, type AlertsQuery } from './alert-list'
import { AlertSelection } from './alert-selection'
import styles from './alerts.module.css'

interface Shared {
  readonly projectSlug: string
  /** Where the project's commits are shown; null: not known. */
  readonly repositoryUrl: string | null
  /** The last runs of the series of alerts, by alert. */
  readonly strips: ReadonlyMap<string, Strip>
  readonly nowMs: number
}

interface Props extends Shared {
  readonly all: readonly AlertRow[]
  /** The selected ones, in order. */
  readonly alerts: readonly AlertRow[]
  readonly query: AlertsQuery
  /** Channels that were turned off automatically. */
  readonly deadChannels: readonly ChannelRow[]
  /** The viewer's account; null: a server without accounts. */
  readonly accountId: string | null
}

/** All alerts of a project: first those that need attention, then the others with their outcome. */
export function AlertsView({ all, alerts, query, deadChannels, accountId, ...shared }: Props) {
  const { projectSlug } = shared
  const live = alerts.filter((alert) => liveStates.includes(alert.state))
  const closed = alerts.filter((alert) => !liveStates.includes(alert.state))
  const isNarrowed = query.view !== 'all' || query.text !== '' || query.isMine
  return (
    <div className="page">
      <StripTip />
      <div className={`row wrap below-12 ${styles.head}`}>
        {all.length > 0 && <Filter {...{ all, query, accountId }} path={`/p/${projectSlug}/alerts`} />}
        <span className={`flex gap-8 push ${styles.doors}`}>
          <Link className="button" href={`/p/${projectSlug}/settings#rules`}>
            Rules
          </Link>
          <Link
            className="button"
            href={`/p/${projectSlug}/settings#channels`}
            title="Notification channels: Slack, webhooks, e-mail"
          >
            Channels
          </Link>
        </span>
      </div>
      {deadChannels.length > 0 && <DeadChannels channels={deadChannels} projectSlug={projectSlug} />}
      {live.length > 0 && (
        <AlertSelection projectSlug={projectSlug}>
          <AlertTable alerts={live} {...shared} name="Open alerts" isSelectable />
        </AlertSelection>
      )}
      {live.length === 0 && !isNarrowed && <Nothing hasAny={all.length > 0} projectSlug={projectSlug} />}
      {alerts.length === 0 && isNarrowed && (
        <p className="muted">
          No alert fits this filter. <Link href={`/p/${projectSlug}/alerts`}>Show all</Link>
        </p>
      )}
      {closed.length > 0 && (
        <>
          <h2 className={`section-title ${styles.part}`}>Closed</h2>
          <Rating closed={closed} />
          <AlertTable alerts={closed} {...shared} name="Closed alerts" />
        </>
      )}
    </div>
  )
}

const viewNames = { all: 'All', open: 'Open', acknowledged: 'Acknowledged', closed: 'Closed' } as const

/** State and text, in the address: works without scripts. */
function Filter({ all, query, path, accountId }: Pick<Props, 'all' | 'query' | 'accountId'> & { path: string }) {
  const mine = all.filter(({ assignee }) => assignee !== null && assignee.id === accountId)
  const counts = countViews(query.isMine ? mine : all)
  return (
    <>
      <ViewLinks
        label="State"
        choices={alertViews.map((view) => ({
          name: `${viewNames[view]} ${counts[view]}`,
          href: alertsHref(path, { ...query, view }),
          isChosen: view === query.view,
        }))}
      />
      {accountId !== null && (
        <ViewLinks
          label="Assigned to"
          choices={[
            { name: 'Anyone', href: alertsHref(path, { ...query, isMine: false }), isChosen: !query.isMine },
            { name: `Me ${mine.length}`, href: alertsHref(path, { ...query, isMine: true }), isChosen: query.isMine },
          ]}
        />
      )}
      <form method="get" action={path} role="search">
        {query.view !== 'all' && <input type="hidden" name="state" value={query.view} />}
        {query.isMine && <input type="hidden" name="mine" value="1" />}
        <input
          className="input"
          type="search"
          name="q"
          aria-label="Series, commit or metric"
          placeholder="Series, commit or metric"
          maxLength={200}
          defaultValue={query.text}
        />
      </form>
    </>
  )
}

function Nothing({ hasAny, projectSlug }: { hasAny: boolean; projectSlug: string }) {
  return (
    <>
      <h2 className={styles.calm}>{hasAny ? 'No open alerts.' : 'No alerts yet.'}</h2>
      <p className={`muted above-4 ${styles.how}`}>
        After each upload Tailboard evaluates every series that has a new run. It needs five runs of the same scenario,
        variant and load, and a second run that confirms a change. Changes that raise no alert are listed under{' '}
        <Link href={`/p/${projectSlug}/trends`}>trends</Link>.
      </p>
    </>
  )
}

function DeadChannels({ channels, projectSlug }: { channels: readonly ChannelRow[]; projectSlug: string }) {
  return (
    <p className="notice notice-error" role="status">
      {channels.map((channel) => (
        <span key={channel.id} className="block">
          The channel <strong>{channel.name}</strong> was disabled
          {channel.disabledReason && `: ${offWords[channel.disabledReason]}`}. It receives no alerts.
        </span>
      ))}{' '}
      <Link href={`/p/${projectSlug}/settings#channels`}>Open the channels</Link>
    </p>
  )
}

/** How many of the closed alerts were useful. */
function Rating({ closed }: { closed: readonly AlertRow[] }) {
  const judged = closed.filter(({ state }) => ['expected', 'resolved', 'recovered', 'false-alarm'].includes(state))
  if (judged.length === 0) return null
  const useful = judged.filter(({ state }) => state !== 'false-alarm')
  return (
    <p className="muted">
      {useful.length} of {judged.length} closed alerts reported a real change.
    </p>
  )
}

interface TableProps extends Shared {
  readonly alerts: readonly AlertRow[]
  readonly name: string
  readonly isSelectable?: boolean
}

function AlertTable({ alerts, name, isSelectable = false, ...shared }: TableProps) {
  return (
    <table className={`plain-table ${styles.table}`}>
      <caption className="visually-hidden">{name}</caption>
      <thead>
        <tr>
          {isSelectable && (
            <IfAllowed need="edit">
              <td className={styles.tick}>
                <input type="checkbox" data-all="" aria-label="Select all alerts" />
              </td>
            </IfAllowed>
          )}
          <th scope="col">Alert</th>
          <th scope="col" className={styles.strip}>
            Last runs
          </th>
          <th scope="col" className="num">
            Change
          </th>
          <th scope="col">Cause</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <AlertLine key={alert.id} alert={alert} isSelectable={isSelectable} {...shared} />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps extends Shared {
  readonly alert: AlertRow
  readonly isSelectable: boolean
}

function AlertLine({ alert, isSelectable, projectSlug, repositoryUrl, strips, nowMs }: LineProps) {
  const since = sinceOf(alert)
  const commit = commitOf(alert)
  const { state, words } = alertMark(alert)
  const sentence = alertSentence(alert)
  const { change, levels } = sizeOf(alert)
  const strip = strips.get(alert.id)
  const isOfEnvironment = environmentEventOf(alert) !== null
  const more = isOfEnvironment ? 0 : alert.findings.length + alert.events.length - 1
  const named = alertSubject(alert) ?? { scenario: 'Whole project', variant: null, environment: null }
  return (
    <tr>
      {isSelectable && (
        <IfAllowed need="edit">
          <td className={styles.tick}>
            <input
              type="checkbox"
              name="alert"
              value={alert.id}
              data-state={alert.state}
              aria-label={`Select ${named.scenario}: ${sentence}`}
            />
          </td>
        </IfAllowed>
      )}
      <th scope="row" className={`regular ${styles.who}`}>
        <div className={`row wrap ${styles.name}`}>
          <RunNameLink href={`/p/${projectSlug}/alerts/${alert.id}`} run={named} />
          {named.environment !== null && <span className="muted">{named.environment}</span>}
          <StateMark judged={{ state, sentence }} words={words} />
          {alert.state === 'acknowledged' && <span className="chip">Acknowledged</span>}
          {alert.assignee !== null && <span className="chip">{alert.assignee.name}</span>}
        </div>
        <p className={`muted ${styles.why}`}>
          {sentence}
          {more > 0 && `, and ${more} more`}
        </p>
      </th>
      <td className={styles.strip}>{strip === undefined ? null : <StripDrawing strip={strip} height={40} />}</td>
      <td className={`num ${styles.size}`} data-state={state}>
        <strong>{change}</strong>
        {levels !== '' && <small>{levels}</small>}
      </td>
      <td className={`break ${styles.cause}`}>
        {commit === null ? '–' : <CommitLink commit={commit} repositoryUrl={repositoryUrl} />}
      </td>
      <td className={`nowrap ${styles.since}`}>{since === null ? '–' : <Time at={since} nowMs={nowMs} />}</td>
    </tr>
  )
}
