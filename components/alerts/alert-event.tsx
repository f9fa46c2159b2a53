import { Link } from '../ui/links/link'
import { formatCount } from '@/lib/format'
import { seriesWords } from '@/lib/rules/alert-words'
import type { RuleEvent } from '@/lib/rules/rule-events'
import { eventSentence, eventWords } from '@/lib/rules/rule-words'
import type { StoredAlert } from '@/lib/rules/stored-alerts'
import { Time } from '../ui/time'
import styles from './alert.module.css'

interface Props {
  readonly event: RuleEvent
  readonly alert: StoredAlert
  readonly projectSlug: string
  readonly nowMs: number
}

/** What a rule reported: where, since when, whether it lasts, and where to look. */
export function AlertEvent({ event, alert, projectSlug, nowMs }: Props) {
  return (
    <li>
      <h3>
        {eventWords(event)}
        {'seriesId' in event && (
          <span className="muted">
            {' '}
            {seriesWords(alert.seriesOf[event.seriesId] ?? null)} · {event.profile}
          </span>
        )}
      </h3>
      <p>
        {eventSentence(event)} Since <Time at={event.since} nowMs={nowMs} />
        {event.overSince !== null && (
          <>
            , until <Time at={event.overSince} nowMs={nowMs} />
          </>
        )}
        .
      </p>
      <p className={`flex wrap ${styles.links}`}>
        <EventLinks event={event} path={`/p/${projectSlug}`} seriesOf={alert.seriesOf} />
      </p>
    </li>
  )
}

/** Series that are named; an environment may have thousands. */
const shownSeries = 12

interface LinksProps extends Pick<Props, 'event'>, Pick<StoredAlert, 'seriesOf'> {
  readonly path: string
}

function EventLinks({ event, path, seriesOf }: LinksProps) {
  if (event.kind === 'failed-import') return <Link href={`${path}/upload/${event.uploadId}`}>The upload</Link>
  if (event.kind === 'missing') return <Link href={`${path}/runs/${event.lastRunId}`}>The last run</Link>
  if (event.kind === 'environment')
    return (
      <>
        {event.seriesIds.slice(0, shownSeries).map((id) => (
          <Link key={id} href={`${path}/trends/${id}`}>
            Trend of {seriesWords(seriesOf[id] ?? null)}
          </Link>
        ))}
        {event.seriesIds.length > shownSeries && (
          <span className="muted">{formatCount(event.seriesIds.length - shownSeries)} more</span>
        )}
      </>
    )
  const [reference] = event.kind === 'drift' ? [event.firstRunId] : event.referenceRunIds
  return (
    <>
      {reference !== undefined && (
        <Link href={`${path}/compare/${reference}...${event.lastRunId}`}>
          {event.kind === 'drift' ? 'Compare first and newest run' : 'Compare with the baseline'}
        </Link>
      )}
      <Link href={`${path}/trends/${event.seriesId}?metric=${event.metricId}`}>Trend</Link>
      <Link href={`${path}/runs/${event.lastRunId}`}>Newest run</Link>
    </>
  )
}
