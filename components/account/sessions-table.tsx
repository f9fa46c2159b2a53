import type { SessionRow } from '@/lib/account/account'
import { browserWords } from '@/lib/account/browser'
import { ConfirmButton } from '../forms/confirm-button'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import styles from './account.module.css'

/** Where an account is signed in: each session can be ended, even this one. */
export function SessionsTable({
  sessions,
  nowMs,
}: {
  readonly sessions: readonly SessionRow[]
  readonly nowMs: number
}) {
  return (
    <ListTable isStacked label="Sessions" head={['Browser', 'Address', 'Signed in', 'Last seen', actions]}>
      {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, isOwn }) => (
        <tr key={id}>
          <th scope="row" className={styles.name} title={userAgent}>
            {browserWords(userAgent)} {isOwn && <span className="chip">this browser</span>}
          </th>
          <td className="mono">{address}</td>
          <td data-label="Signed in">
            <Time at={createdAt} nowMs={nowMs} />
          </td>
          <td data-label="Last seen">
            <Time at={lastSeenAt} nowMs={nowMs} />
          </td>
          <td>
            <ConfirmButton
              url={`/api/v1/account/sessions/${id}`}
              verb="Sign out"
              name={`${browserWords(userAgent)}, ${address}`}
              done="Session signed out"
            />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
