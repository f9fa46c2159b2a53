'use client'

import { useState } from 'react'
import { Choice } from '../forms/choice'
import { useForm } from '../ui/action'
import { callApi, textOf } from '../ui/call-api'
import styles from './account.module.css'
import { roleOptions } from './role-words'
import { ShownOnce } from './shown-once'

const accountKinds = [
  { value: 'account', name: 'account: creates projects of its own' },
  { value: 'owner', name: 'owner: administers every project and account' },
]

/** Makes a link that invites: into a project with a role, or (`slug` null) to the installation, as an owner or not. */
export function InviteForm({ slug }: { readonly slug: string | null }) {
  const [url, setUrl] = useState<string | null>(null)
  const api = slug === null ? '/api/v1/invitations' : `/api/v1/projects/${slug}/invitations`
  const { isBusy, problem, onSubmit } = useForm(async ({ text, textOrNull, reset }) => {
    const email = textOrNull('email')
    const body = slug === null ? { email, isOwner: text('as') === 'owner' } : { email, role: text('as') }
    const made = textOf(await callApi('POST', api, body), 'url')
    if (made === null) throw new Error('The server returned no link.')
    setUrl(made)
    reset()
  })
  return (
    <>
      <form className={styles.row} onSubmit={onSubmit}>
        <label>
          E-mail (empty: anyone with the link)
          <input name="email" type="email" className="input" autoComplete="off" maxLength={254} />
        </label>
        <label>
          {slug === null ? 'As' : 'Role'}
          {slug === null ? (
            <Choice label="As" name="as" options={accountKinds} />
          ) : (
            <Choice label="Role" name="as" options={roleOptions} initial="editor" />
          )}
        </label>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          Create invitation
        </button>
        <span role="status" className="worse">
          {problem}
        </span>
      </form>
      {url !== null && (
        <ShownOnce noun="link" secret={url}>
          <p className="muted">It works once, for a week. Send it by a way that you trust.</p>
        </ShownOnce>
      )}
    </>
  )
}
