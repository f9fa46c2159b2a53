'use client'

import { useState } from 'react'
import { scopeWords } from '@/lib/account/right-words'
import { roleCovers, tokenScopes, type Role, type TokenScope } from '@/lib/viewer'
import { ActionForm } from '../forms/action-form'
import type { FormField } from '../forms/fields'
import type { Fields } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import { CommandLine, uploadCommand } from '../ui/actions/curl-line'
import styles from './account.module.css'
import { ShownOnce } from './shown-once'

const expiries = [
  { value: '30', name: 'in 30 days' },
  { value: '90', name: 'in 90 days' },
  { value: '365', name: 'in 1 year' },
  { value: '', name: 'never' },
]

interface Props {
  /** Of this server, as browsers reach it. */
  readonly origin: string
  /** The account's projects, with its role in each. */
  readonly projects: readonly { readonly slug: string; readonly name: string; readonly role: Role }[]
}

/** Makes an API token; its secret is shown once, with the command that uses it. */
export function TokenForm({ origin, projects }: Props) {
  const [scope, setScope] = useState<TokenScope>('upload')
  const [made, setMade] = useState<{ readonly token: string; readonly command: string } | null>(null)
  const send = async ({ text, textOrNull, reset }: Fields) => {
    const project = textOrNull('project')
    const days = text('days') === '' ? null : Number(text('days'))
    if (scope === 'upload' && project === null) throw new Error('There is no project that you may upload to.')
    const wanted = { name: text('name'), scope, project, days }
    const token = textOf(await callApi('POST', '/api/v1/account/tokens', wanted), 'token')
    if (token === null) throw new Error('The server returned no token.')
    setMade({ token, command: commandOf(origin, scope, project) })
    reset()
    setScope('upload')
  }
  return (
    <>
      <ActionForm
        className={styles.token}
        fieldsClass={styles.row}
        fields={fieldsOf(scope, projects)}
        buttonsClass={styles.row}
        button="Create token"
        send={send}
      >
        <fieldset className={`grid gap-6 ${styles.scopes}`}>
          <legend>Scope</legend>
          {tokenScopes.map((one) => (
            <label key={one}>
              <input type="radio" name="scope" value={one} checked={scope === one} onChange={() => setScope(one)} />
              <span>
                <b>{one}</b> <span className="muted">{scopeWords(one)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </ActionForm>
      {made !== null && (
        <ShownOnce noun="token" secret={made.token}>
          <p>In a terminal or CI, with the token as the secret TAILBOARD_TOKEN:</p>
          <CommandLine command={made.command} name="curl command" />
        </ShownOnce>
      )}
    </>
  )
}

/** Its projects follow from the scope: a token that uploads is of one. */
function fieldsOf(scope: TokenScope, projects: Props['projects']): readonly FormField[] {
  const offered = projects
    .filter(({ role }) => roleCovers(role, scope))
    .map(({ slug, name }) => ({ value: slug, name }))
  const all = scope === 'upload' ? [] : [{ value: '', name: 'all your projects' }]
  return [
    { name: 'name', label: 'Name', placeholder: 'nightly CI', required: true, maxLength: 200 },
    { name: 'project', label: 'Project', version: scope, options: [...all, ...offered] },
    { name: 'days', label: 'Expires', options: expiries, initial: '90' },
  ]
}

/** A command that uses the token; its secret is not in it: commands are logged. */
function commandOf(origin: string, scope: TokenScope, project: string | null): string {
  if (scope === 'upload' && project !== null) return uploadCommand(origin, project, true)
  const path = project === null ? '/api/v1/projects' : `/api/v1/projects/${project}/runs`
  return `curl -sS --fail-with-body -H "Authorization: Bearer $TAILBOARD_TOKEN" "${origin}${path}"`
}
