'use client'

import { useState, type SyntheticEvent } from 'react'
import { useRouter } from 'next/navigation'
import { minPasswordLength, type TokenRow } from '@/lib/account/account'
import { plural } from '@/lib/format'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import styles from './account.module.css'

interface Props {
  /** For password managers. */
  readonly email: string
  /** False: the account signs in elsewhere, and gets its first one. */
  readonly hasPassword: boolean
  /** Those of the account, which may end with the old password. */
  readonly tokens: readonly TokenRow[]
}

/** Sets the password, and ends what is chosen: other sessions unless that is unticked, tokens that are ticked. */
export function PasswordForm({ email, hasPassword, tokens }: Props) {
  const router = useRouter()
  const { problem, attempt } = useAttempts()
  const [done, setDone] = useState<string | null>(null)
  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const text = (name: string) => String(fields.get(name) ?? '')
    const ends = { signOutElsewhere: fields.has('sessions'), revokeTokens: fields.getAll('token').map(String) }
    const body = { current: hasPassword ? text('current') : null, password: text('password'), ...ends }
    const isDone = await attempt(() => callApi('PUT', '/api/v1/account/password', body))
    setDone(isDone ? doneWords(ends.signOutElsewhere, ends.revokeTokens.length) : null)
    if (!isDone) return
    form.reset()
    router.refresh()
  }
  return (
    <form className={styles.token} onSubmit={(event) => void save(event)}>
      <div className={styles.row}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {hasPassword && (
          <label>
            Current password
            <input
              name="current"
              type="password"
              className="input"
              autoComplete="current-password"
              required
              maxLength={256}
            />
          </label>
        )}
        <label>
          New password, {minPasswordLength} characters or more
          <input
            name="password"
            type="password"
            className="input"
            autoComplete="new-password"
            required
            minLength={minPasswordLength}
            maxLength={256}
            aria-invalid={problem !== null}
            aria-describedby="password-problem"
          />
        </label>
      </div>
      <EndsWithPassword tokens={tokens} />
      <div className={styles.row}>
        <button type="submit" className="button">
          {hasPassword ? 'Change password' : 'Set password'}
        </button>
        <span id="password-problem" role="status" className={problem === null ? undefined : 'worse'}>
          {problem ?? done}
        </span>
      </div>
    </form>
  )
}

/** What may end with the old password: sessions by default, tokens by choice. */
function EndsWithPassword({ tokens }: Pick<Props, 'tokens'>) {
  return (
    <>
      <fieldset className={styles.scopes}>
        <legend>With the old password end</legend>
        <label>
          <input type="checkbox" name="sessions" defaultChecked />
          <span>Sessions in other browsers: they are signed out</span>
        </label>
        {tokens.map(({ id, name, hint, scope, project }) => (
          <label key={id}>
            <input type="checkbox" name="token" value={id} />
            <span>
              API token {name} <span className="mono muted">{hint}</span>{' '}
              <span className="muted">
                {scope}, {project?.name ?? 'all projects'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {tokens.length > 0 && (
        <p className="muted">Tokens stay valid unless you select them. Select all that anyone else may know.</p>
      )}
    </>
  )
}

const doneWords = (signsOut: boolean, tokens: number): string =>
  [
    'Changed.',
    signsOut ? 'Other sessions are signed out.' : null,
    tokens === 0 ? null : `${plural(tokens, 'token')} revoked.`,
  ]
    .filter((words) => words !== null)
    .join(' ')
