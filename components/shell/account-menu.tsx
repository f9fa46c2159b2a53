import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'
import styles from './shell.module.css'

/** The signed-in account. */
export interface ShellAccount {
  readonly name: string
  /** Administers the installation. */
  readonly isOwner: boolean
}

/** At the foot of the rail: the person, and the links to their own pages. */
export function AccountMenu({ account }: { readonly account: ShellAccount }) {
  return (
    <div className={`above-8 wide-only ${styles.account}`}>
      <Menu label={account.name} icon="account" isNamed at="above">
        <AccountLinks account={account} />
      </Menu>
    </div>
  )
}

const signOutForm = 'sign-out'

/** The entries, also for a phone's menu. Signing out uses a form: it works without a script. */
export function AccountLinks({ account: { isOwner } }: { readonly account: ShellAccount }) {
  return (
    <>
      <Link href="/account">Account</Link>
      {isOwner && <Link href="/people">People</Link>}
      <button type="submit" form={signOutForm} data-command="Sign out">
        Sign out
      </button>
    </>
  )
}

/** What the buttons send. */
export function SignOutForm() {
  return <form id={signOutForm} method="post" action="/api/v1/session/end" hidden />
}
