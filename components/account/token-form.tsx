'use client'

import { useState } from 'react'
import { roleAllows, tokenScopes, type Need, type Role, type TokenScope } from '@/lib/viewer'
import { Choice } from '../forms/choice'
import { useForm } from '../ui/action'
import { callApi, textOf } from '../ui/call-api'
import { CommandLine, uploadCommand } from '../ui/curl-line'
import styles from './account.module.css'
import { ShownOnce } from './shown-once'

const scopes: Readonly<Record<TokenScope, { readonly does: string; readonly need: Need }>> = {
  upload: { does: 'Sends output to one project and gets its verdict. Reads nothing else.', need: 'upload' },
  read: { does: 'Reads runs, comparisons and alerts. Changes nothing.', need: 'read' },
  admin: { does: 'Everything that your account may do.', need: 'administer' },
}

const expiries = [
  { value: '30', name: 'in 30 days' },
  { value: '90', name: 'in 90 days' },
  { value: '365', name: 'in 1 year' },
  { value: '', name: 'never' },
]
const allProjects = { value: '', name: 'all your projects' }

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
  const offered = projects
    .filter(({ role }) => roleAllows(role, scopes[scope].need))
    .map(({ slug, name }) => ({ value: slug, name }))

  const { isBusy, problem, onSubmit } = useForm(async ({ text, textOrNull, reset }) => {
    const project = textOrNull('project')
    const days = text('days') === '' ? null : Number(text('days'))
    const wanted = { name: text('name'), scope, project, days }
    const token = textOf(await callApi('POST', '/api/v1/account/tokens', wanted), 'token')
    if (token === null) throw new Error('The server returned no token.')
    setMade({ token, command: commandOf(origin, scope, project) })
    reset()
    setScope('upload')
  })
  return (
    <>
      <form className={styles.token} onSubmit={onSubmit}>
        <div className={styles.row}>
          <label>
            Name
            <input name="name" className="input" placeholder="nightly CI" required maxLength={200} />
          </label>
          <label>
            Project
            <Choice
              key={scope}
              label="Project"
              name="project"
              options={scope === 'upload' ? offered : [allProjects, ...offered]}
            />
          </label>
          <label>
            Expires
            <Choice label="Expires" name="days" options={expiries} initial="90" />
          </label>
        </div>
        <fieldset className={styles.scopes}>
          <legend>Scope</legend>
          {tokenScopes.map((one) => (
            <label key={one}>
              <input type="radio" name="scope" value={one} checked={scope === one} onChange={() => setScope(one)} />
              <span>
                <b>{one}</b> <span className="muted">{scopes[one].does}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div className={styles.row}>
          <button type="submit" className="button button-primary" disabled={isBusy}>
            Create token
          </button>
          <span role="status" className="worse">
            {problem}
          </span>
        </div>
      </form>
      {made !== null && (
        <ShownOnce noun="token" secret={made.token}>
          <p>In a terminal or CI, with the token as the secret TAILBOARD_TOKEN:</p>
          <CommandLine command={made.command} name="curl command" />
        </ShownOnce>
      )}
    </>
  )
}

/** A command that uses the token; its secret is not in it: commands are logged. */
function commandOf(origin: string, scope: TokenScope, project: string | null): string {
  if (scope === 'upload' && project !== null) return uploadCommand(origin, project, true)
  const path = project === null ? '/api/v1/projects' : `/api/v1/projects/${project}/runs`
  return `curl -sS --fail-with-body -H "Authorization: Bearer $TAILBOARD_TOKEN" "${origin}${path}"`
}
