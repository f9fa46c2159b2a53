import type { Account, InvitationRow } from '@/lib/account/account'
import { actions, ListTable } from '../ui/list-table'
import { Tabs } from '../ui/tabs'
import { Time } from '../ui/time'
import { AccountActions } from './account-actions'
import styles from './account.module.css'
import { InvitationsTable } from './invitations-table'
import { InviteForm } from './invite-form'

/** Pages of the installation for owners. */
export function PeopleTabs({ here }: { readonly here: 'Accounts' | 'Audit log' }) {
  const tabs = [
    { name: 'Accounts', href: '/people' },
    { name: 'Audit log', href: '/people/audit' },
  ]
  return <Tabs label="People" tabs={tabs.map((tab) => ({ ...tab, isHere: tab.name === here }))} />
}

interface Props {
  readonly accounts: readonly Account[]
  readonly invitations: readonly InvitationRow[]
  /** The viewer's account. */
  readonly ownId: string
  readonly nowMs: number
}

/** The people who may sign in, and the invitations. */
export function PeopleView({ accounts, invitations, ownId, nowMs }: Props) {
  return (
    <>
      <ListTable isStacked label="Accounts" head={['Name', 'E-mail', 'Signs in with', 'Since', actions]}>
        {accounts.map((account) => (
          <tr key={account.id}>
            <th scope="row" className={styles.name}>
              {account.name} {account.id === ownId && <span className="chip">you</span>}{' '}
              {account.isOwner && <span className="chip">owner</span>}{' '}
              {account.disabledAt !== null && <span className="chip">disabled</span>}
            </th>
            <td>{account.email}</td>
            <td data-label="Signs in with">{signInWords(account)}</td>
            <td data-label="Since">
              <Time at={account.createdAt} nowMs={nowMs} />
            </td>
            <td>
              <AccountActions account={account} />
            </td>
          </tr>
        ))}
      </ListTable>
      <section className={styles.section}>
        <h2 className="section-title">Invite</h2>
        <InviteForm slug={null} />
        <div className={styles.list}>
          <InvitationsTable invitations={invitations} api="/api/v1/invitations" nowMs={nowMs} />
        </div>
      </section>
    </>
  )
}

const signInWords = ({ hasPassword, hasOidc }: Account): string =>
  [hasPassword ? 'password' : null, hasOidc ? 'single sign-on' : null].filter((way) => way !== null).join(', ') || '–'
