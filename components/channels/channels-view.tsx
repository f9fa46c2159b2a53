import { Link } from '../ui/link'
import { offWords, type ChannelRow, type DeliveryRow } from '@/lib/rules/stored-channels'
import { Time } from '../ui/time'
import { ChannelActions } from './channel-actions'
import { ChannelForm } from './channel-form'
import { kindWords, messageWords, statusWords, untilWords } from './channel-words'
import styles from './channels.module.css'
import { ReplayButton } from './replay-button'

interface Props {
  readonly slug: string
  readonly channels: readonly ChannelRow[]
  readonly deliveries: readonly DeliveryRow[]
  readonly canMail: boolean
  readonly nowMs: number
}

/** Where alerts are sent, and what became of each message. */
export function ChannelsView({ slug, channels, deliveries, canMail, nowMs }: Props) {
  return (
    <div className="page">
      <Link href={`/p/${slug}/alerts`} className="back">
        <span aria-hidden="true">‹ </span>Alerts
      </Link>
      <h1 className="page-title">Notification channels</h1>
      <p className="muted">
        Every enabled channel is notified when an alert is raised, and when it recovers. Failed deliveries are retried
        ten times over three days.
      </p>
      <ChannelForm slug={slug} canMail={canMail} />
      {channels.length > 0 && <ChannelTable slug={slug} channels={channels} nowMs={nowMs} />}
      <h2 className={`section-title ${styles.part}`}>Deliveries</h2>
      {deliveries.length === 0 ? (
        <p className="muted">Nothing sent yet.</p>
      ) : (
        <DeliveryTable slug={slug} deliveries={deliveries} nowMs={nowMs} />
      )}
    </div>
  )
}

function ChannelTable({ slug, channels, nowMs }: Pick<Props, 'slug' | 'channels' | 'nowMs'>) {
  return (
    <div className={`table-scroll ${styles.part}`} tabIndex={0} role="region" aria-label="Notification channels">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col">Receiver</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => (
            <tr key={channel.id}>
              <th scope="row" className={styles.name}>
                {channel.name}
              </th>
              <td>{kindWords[channel.kind]}</td>
              <td className="mono">{channel.targetShown}</td>
              <td className={styles.result}>
                <ChannelState channel={channel} nowMs={nowMs} />
              </td>
              <td>
                <ChannelActions slug={slug} channelId={channel.id} name={channel.name} isEnabled={channel.isEnabled} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ChannelState({ channel, nowMs }: { readonly channel: ChannelRow; readonly nowMs: number }) {
  if (!channel.isEnabled) {
    const why = channel.disabledReason ? `: ${offWords[channel.disabledReason]}` : ''
    return <span className={channel.disabledReason === 'user' ? 'muted' : 'worse'}>Disabled{why}</span>
  }
  if (channel.failingSince === null) return 'Enabled'
  return (
    <span className="worse">
      Failing since <Time at={channel.failingSince} nowMs={nowMs} />
    </span>
  )
}

function DeliveryTable({ slug, deliveries, nowMs }: Pick<Props, 'slug' | 'deliveries' | 'nowMs'>) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Deliveries">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">Channel</th>
            <th scope="col">Result</th>
            <th scope="col">Last attempt</th>
            <th scope="col">Next attempt</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((row) => (
            <tr key={row.id}>
              <td className={styles.title}>
                {row.alertId === null ? (
                  (row.title ?? messageWords[row.what])
                ) : (
                  <Link href={`/p/${slug}/alerts/${row.alertId}`}>{row.title ?? messageWords[row.what]}</Link>
                )}
              </td>
              <td className={styles.name}>{row.channelName}</td>
              <td className={styles.result}>
                <span
                  className={
                    row.status === 'failed' || (row.status === 'waiting' && row.attempts > 0) ? 'worse' : undefined
                  }
                >
                  {statusWords(row)}
                </span>
                {row.lastError !== null && <span className={`muted ${styles.why}`}>{row.lastError}</span>}
              </td>
              <td>{row.lastTriedAt === null ? '–' : <Time at={row.lastTriedAt} nowMs={nowMs} />}</td>
              <td>{row.nextTryAt === null ? '–' : untilWords(row.nextTryAt, nowMs)}</td>
              <td>
                {row.status !== 'waiting' && row.what !== 'test' && <ReplayButton slug={slug} deliveryId={row.id} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
