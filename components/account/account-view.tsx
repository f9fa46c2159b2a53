import type { Account, SessionRow, TokenRow } from '@/lib/account/account'
import type { Role } from '@/lib/viewer'
import styles from './account.module.css'
import { NameForm } from './name-form'
import { PasswordForm } from './password-form'
import { SessionsTable } from './sessions-table'
import { TokenForm } from './token-form'
import { TokensTable } from './tokens-table'

interface Props {
  readonly account: Account
  readonly sessions: readonly SessionRow[]
  readonly tokens: readonly TokenRow[]
  readonly projects: readonly { readonly slug: string; readonly name: string; readonly role: Role }[]
  readonly origin: string
  readonly nowMs: number
}

/** A person's own settings: name, password, signed-in browsers, API tokens. */
export function AccountView({ account, sessions, tokens, projects, origin, nowMs }: Props) {
  const { name, email, hasPassword, hasOidc } = account
  return (
    <div className="page">
      <NameForm name={name} email={email} />
      <section className={styles.section}>
        <h2 className="section-title">Password</h2>
        {hasOidc && <p className="muted">Single sign-on is linked with this account.</p>}
        <PasswordForm email={email} hasPassword={hasPassword} tokens={tokens} />
      </section>
      <section className={styles.section}>
        <h2 className="section-title">Sessions</h2>
        <SessionsTable sessions={sessions} nowMs={nowMs} />
      </section>
      <section className={styles.section} id="tokens">
        <h2 className="section-title">API tokens</h2>
        <TokenForm origin={origin} projects={projects} />
        {tokens.length > 0 && (
          <div className={styles.list}>
            <TokensTable tokens={tokens} api="/api/v1/account/tokens" nowMs={nowMs} />
          </div>
        )}
      </section>
    </div>
  )
}
