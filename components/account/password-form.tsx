'use client'

import { useState } from 'react'
import { minPasswordLength, type TokenRow } from '@/lib/account/account'
import { plural } from '@/lib/format'
import { ActionForm } from '../forms/action-form'
import type { FormField } from '../forms/fields'
import type { Fields } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import styles from './account.module.css'

interface Props {
  /** For password managers. */
  readonly email: string
  /** False: the account signs in elsewhere, and is setting its first one. */
  readonly hasPassword: boolean
  /** Tokens of the account, which may end with the old password. */
  readonly tokens: readonly TokenRow[]
}

/** Sets the password, and ends the chosen access: other sessions unless unticked, and ticked tokens. */
export function PasswordForm({ email, hasPassword, tokens }: Props) {
  const [done, setDone] = useState<string | null>(null)
  const send = async ({ data, reset }: Fields) => {
    setDone(null)
    // Spaces at the ends of a password are part of it.
    const password = (name: string) => String(data.get(name) ?? '')
    const ends = { signOutElsewhere: data.has('sessions'), revokeTokens: data.getAll('token').map(String) }
    const body = { current: hasPassword ? password('current') : null, password: password('password'), ...ends }
    await callApi('PUT', '/api/v1/account/password', body)
    setDone(doneWords(ends.signOutElsewhere, ends.revokeTokens.length))
    reset()
  }
  return (
    <ActionForm
      className={styles.token}
      head={<input type="hidden" name="username" autoComplete="username" value={email} readOnly />}
      fieldsClass={styles.row}
      fields={hasPassword ? [currentPassword, newPassword] : [newPassword]}
      buttonsClass={styles.row}
      button={hasPassword ? 'Change password' : 'Set password'}
      tone="plain"
      done={done}
      send={send}
    >
      <EndsWithPassword tokens={tokens} />
    </ActionForm>
  )
}

const secret = { type: 'password', required: true, maxLength: 256 } as const
const currentPassword: FormField = {
  ...secret,
  name: 'current',
  label: 'Current password',
  autoComplete: 'current-password',
}
const newPassword: FormField = {
  ...secret,
  name: 'password',
  label: `New password, ${minPasswordLength} characters or more`,
  autoComplete: 'new-password',
  minLength: minPasswordLength,
}

/** What may end with the old password: sessions by default, tokens by choice. */
function EndsWithPassword({ tokens }: Pick<Props, 'tokens'>) {
  return (
    <>
      <fieldset className={`grid gap-6 ${styles.scopes}`}>
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
