import { Link } from '../ui/links/link'
import { offWords, type ChannelRow, type DeliveryRow } from '@/lib/rules/stored-channels'
import { actions, ListTable } from '../ui/list-table'
import { IfAllowed } from '../ui/actions/access'
import { Time } from '../ui/time'
import { ChannelActions, ReplayButton } from './channel-actions'
import { ChannelForm } from './channel-form'
import { kindWords, messageWords, statusWords, untilWords } from './channel-words'
import styles from './channels.module.css'

interface Props {
  readonly slug: string
  readonly channels: readonly ChannelRow[]
  readonly deliveries: readonly DeliveryRow[]
  readonly canMail: boolean
  readonly nowMs: number
}

/** Where alerts are sent, and the outcome of each message. */
export function ChannelsView({ slug, channels, deliveries, canMail, nowMs }: Props) {
  return (
    <>
      <p className="muted">
        Every enabled channel is notified when an alert is raised, and when it recovers. Failed deliveries are retried
        ten times over three days.
      </p>
      <IfAllowed need="administer">
        <ChannelForm slug={slug} canMail={canMail} />
      </IfAllowed>
      {channels.length > 0 && <ChannelTable slug={slug} channels={channels} nowMs={nowMs} />}
      <h3 className={`section-title ${styles.part}`}>Deliveries</h3>
      {deliveries.length === 0 ? (
        <p className="muted">Nothing sent yet.</p>
      ) : (
        <DeliveryTable slug={slug} deliveries={deliveries} nowMs={nowMs} />
      )}
    </>
  )
}

function ChannelTable({ slug, channels, nowMs }: Pick<Props, 'slug' | 'channels' | 'nowMs'>) {
  return (
    <ListTable
      label="Notification channels"
      head={['Name', 'Kind', 'Receiver', 'State', actions]}
      className={styles.part}
    >
      {channels.map((channel) => (
        <tr key={channel.id}>
          <th scope="row" className={`break ${styles.name}`}>
            {channel.name}
          </th>
          <td>{kindWords[channel.kind]}</td>
          <td className="mono">{channel.targetShown}</td>
          <td className={`break ${styles.result}`}>
            <ChannelState channel={channel} nowMs={nowMs} />
          </td>
          <td>
            <IfAllowed need="administer">
              <ChannelActions slug={slug} channelId={channel.id} name={channel.name} isEnabled={channel.isEnabled} />
            </IfAllowed>
          </td>
        </tr>
      ))}
    </ListTable>
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
    <ListTable label="Deliveries" head={['Message', 'Channel', 'Result', 'Last attempt', 'Next attempt', actions]}>
      {deliveries.map((row) => (
        <tr key={row.id}>
          <td className={styles.title}>
            {row.alertId === null ? (
              (row.title ?? messageWords[row.what])
            ) : (
              <Link href={`/p/${slug}/alerts/${row.alertId}`}>{row.title ?? messageWords[row.what]}</Link>
            )}
          </td>
          <td className={`break ${styles.name}`}>{row.channelName}</td>
          <td className={`break ${styles.result}`}>
            <span
              className={
                row.status === 'failed' || (row.status === 'waiting' && row.attempts > 0) ? 'worse' : undefined
              }
            >
              {statusWords(row)}
            </span>
            {row.lastError !== null && <span className={`muted block ${styles.why}`}>{row.lastError}</span>}
          </td>
          <td>{row.lastTriedAt === null ? '–' : <Time at={row.lastTriedAt} nowMs={nowMs} />}</td>
          <td>{row.nextTryAt === null ? '–' : untilWords(row.nextTryAt, nowMs)}</td>
          <td>
            {row.status !== 'waiting' && row.what !== 'test' && (
              <IfAllowed need="administer">
                <ReplayButton slug={slug} deliveryId={row.id} />
              </IfAllowed>
            )}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
