import type { InvitationRow } from '@/lib/account/account'
import { formatDay } from '@/lib/format'
import { ConfirmButton } from '../forms/confirm-button'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import styles from './account.module.css'

interface Props {
  readonly invitations: readonly InvitationRow[]
  /** API path for revoking them: the id follows. */
  readonly api: string
  readonly nowMs: number
}

/** Links that are still unused. */
export function InvitationsTable({ invitations, api, nowMs }: Props) {
  if (invitations.length === 0) return <p className="muted">No open invitations.</p>
  return (
    <ListTable isStacked label="Open invitations" head={['For', 'As', 'Created', 'Expires', actions]}>
      {invitations.map(({ id, email, role, isOwner, createdAt, expiresAt }) => (
        <tr key={id}>
          <th scope="row" className={styles.name}>
            {email ?? 'anyone with the link'}
          </th>
          <td>{role ?? (isOwner ? 'owner' : 'account')}</td>
          <td data-label="Created">
            <Time at={createdAt} nowMs={nowMs} />
          </td>
          <td data-label="Expires">{formatDay(expiresAt)}</td>
          <td>
            <ConfirmButton
              url={`${api}/${id}`}
              verb="Revoke"
              name={`the invitation for ${email ?? 'anyone with the link'}`}
              done="Invitation revoked: its link no longer works"
            />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
