'use client'

import { useState, type SyntheticEvent } from 'react'
import { useRouter } from 'next/navigation'
import { minPasswordLength } from '@/lib/account/account'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import styles from './account.module.css'

interface Props {
  /** For password managers. */
  readonly email: string
  /** False: the account signs in elsewhere, and gets its first one. */
  readonly hasPassword: boolean
}

/** Sets the password; other browsers are signed out. */
export function PasswordForm({ email, hasPassword }: Props) {
  const router = useRouter()
  const { problem, attempt } = useAttempts()
  const [isDone, setIsDone] = useState(false)
  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = (name: string) => String(new FormData(form).get(name) ?? '')
    const body = { current: hasPassword ? text('current') : null, password: text('password') }
    const done = await attempt(() => callApi('PUT', '/api/v1/account/password', body))
    setIsDone(done)
    if (!done) return
    form.reset()
    router.refresh()
  }
  return (
    <form className={styles.row} onSubmit={(event) => void save(event)}>
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
      <button type="submit" className="button">
        {hasPassword ? 'Change password' : 'Set password'}
      </button>
      <span id="password-problem" role="status" className={problem === null ? undefined : 'worse'}>
        {problem ?? (isDone ? 'Changed. Other sessions are signed out.' : null)}
      </span>
    </form>
  )
}
