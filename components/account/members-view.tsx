import type { InvitationRow, Member, TokenRow } from '@/lib/account/account'
import { roleWords } from '@/lib/account/right-words'
import { roles } from '@/lib/viewer'
import { ConfirmButton } from '../forms/confirm-button'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import styles from './account.module.css'
import { InvitationsTable } from './invitations-table'
import { InviteForm } from './invite-form'
import { MemberRole } from './member-role'
import { TokensTable } from './tokens-table'

interface Props {
  readonly slug: string
  readonly members: readonly Member[]
  /** What only admins see; null: the viewer is not one. */
  readonly administered: { readonly invitations: readonly InvitationRow[]; readonly tokens: readonly TokenRow[] } | null
  /** The viewer's account. */
  readonly ownId: string
  readonly nowMs: number
}

/** The members of a project, its invitations, and the tokens that open it. */
export function MembersView({ slug, members, administered, ownId, nowMs }: Props) {
  const api = `/api/v1/projects/${slug}`
  return (
    <>
      <p className="muted">
        {roles.map((role) => `${role}: ${roleWords(role)}`).join(' · ')}. Owners of this server administer every
        project.
      </p>
      {members.length === 0 ? (
        <p className="muted">No members: owners of this server see the project.</p>
      ) : (
        <MembersTable
          members={members}
          api={`${api}/members`}
          canChange={administered !== null}
          ownId={ownId}
          nowMs={nowMs}
        />
      )}
      {administered !== null && (
        <>
          <section className={styles.section}>
            <h3 className="section-title">Invite</h3>
            <InviteForm slug={slug} />
            <div className={styles.list}>
              <InvitationsTable invitations={administered.invitations} api={`${api}/invitations`} nowMs={nowMs} />
            </div>
          </section>
          <section className={styles.section}>
            <h3 className="section-title">Tokens of this project</h3>
            {administered.tokens.length === 0 ? (
              <p className="muted">None. Members create tokens for this project in their accounts.</p>
            ) : (
              <TokensTable tokens={administered.tokens} api={`${api}/tokens`} isOfProject nowMs={nowMs} />
            )}
          </section>
        </>
      )}
    </>
  )
}

interface TableProps extends Pick<Props, 'members' | 'ownId' | 'nowMs'> {
  /** API path of the members: the id follows. */
  readonly api: string
  readonly canChange: boolean
}

function MembersTable({ members, api, canChange, ownId, nowMs }: TableProps) {
  return (
    <ListTable
      isStacked
      label="Members"
      head={['Name', 'E-mail', 'Role', 'Member since', ...(canChange ? [actions] : [])]}
    >
      {members.map(({ accountId, name, email, role, since }) => (
        <tr key={accountId}>
          <th scope="row" className={styles.name}>
            {name} {accountId === ownId && <span className="chip">you</span>}
          </th>
          <td>{email}</td>
          <td>{canChange ? <MemberRole url={`${api}/${accountId}`} name={name} role={role} /> : role}</td>
          <td data-label="Member since">
            <Time at={since} nowMs={nowMs} />
          </td>
          {canChange && (
            <td>
              <ConfirmButton
                url={`${api}/${accountId}`}
                verb="Remove"
                name={name}
                done={`${name} is no longer a member`}
              />
            </td>
          )}
        </tr>
      ))}
    </ListTable>
  )
}
