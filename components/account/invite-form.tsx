'use client'

import { useState } from 'react'
import { ActionForm } from '../forms/action-form'
import type { FormField } from '../forms/fields'
import type { Fields } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import styles from './account.module.css'
import { roleOptions } from './member-role'
import { ShownOnce } from './shown-once'

const email: FormField = {
  name: 'email',
  label: 'E-mail (empty: anyone with the link)',
  type: 'email',
  autoComplete: 'off',
  maxLength: 254,
}
const accountKinds = [
  { value: 'account', name: 'account: creates projects of its own' },
  { value: 'owner', name: 'owner: administers every project and account' },
]
const toInstallation: readonly FormField[] = [email, { name: 'as', label: 'As', options: accountKinds }]
const toProject: readonly FormField[] = [email, { name: 'as', label: 'Role', options: roleOptions, initial: 'editor' }]

/** Makes a link that invites: into a project with a role, or (`slug` null) to the installation, as an owner or not. */
export function InviteForm({ slug }: { readonly slug: string | null }) {
  const [url, setUrl] = useState<string | null>(null)
  const api = slug === null ? '/api/v1/invitations' : `/api/v1/projects/${slug}/invitations`
  const send = async ({ text, textOrNull, reset }: Fields) => {
    const as = slug === null ? { isOwner: text('as') === 'owner' } : { role: text('as') }
    const made = textOf(await callApi('POST', api, { email: textOrNull('email'), ...as }), 'url')
    if (made === null) throw new Error('The server returned no link.')
    setUrl(made)
    reset()
  }
  return (
    <>
      <ActionForm
        className={styles.row}
        fields={slug === null ? toInstallation : toProject}
        button="Create invitation"
        send={send}
      />
      {url !== null && (
        <ShownOnce noun="link" secret={url}>
          <p className="muted">It works once, for a week. Send it by a way that you trust.</p>
        </ShownOnce>
      )}
    </>
  )
}
