'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Rule } from '@/lib/rules/rules'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import { Menu } from '../ui/menu'
import type { RuleDraft } from './rule-draft'
import styles from './rules.module.css'

/** Does something through the API and shows anew what the server has; `problem` says why it could not. */
function useChange() {
  const router = useRouter()
  const { problem, attempt } = useAttempts()
  const change = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: RuleDraft, then?: string) => {
    if (!(await attempt(() => callApi(method, url, body)))) return
    if (then !== undefined) router.push(then)
    router.refresh()
  }
  const notice = problem !== null && (
    <p className="notice notice-error" role="alert">
      {problem}
    </p>
  )
  return { change, notice }
}

interface SaveProps {
  readonly projectSlug: string
  readonly draft: RuleDraft
  /** Null: a new rule. */
  readonly ruleId: string | null
}

/** Saves the rule that was just replayed. */
export function SaveRule({ projectSlug, draft, ruleId }: SaveProps) {
  const { change, notice } = useChange()
  const url = `/api/v1/projects/${projectSlug}/rules`
  const { scenario, seriesId, settings, isEnabled, mutedUntil } = draft
  const body = { scenario, seriesId, settings, isEnabled, mutedUntil }
  const save = () =>
    ruleId === null
      ? change('POST', url, body, `/p/${projectSlug}/rules`)
      : change('PUT', `${url}/${ruleId}`, body, `/p/${projectSlug}/rules`)
  return (
    <div className={styles.actions}>
      <button type="button" className="button button-primary" onClick={() => void save()}>
        {ruleId === null ? 'Save this rule' : 'Save the change'}
      </button>
      {notice}
    </div>
  )
}

interface ActionProps {
  readonly projectSlug: string
  readonly rule: Rule
  readonly isBuiltIn: boolean
  readonly isMuted: boolean
}

const weekMs = 7 * 86_400_000

/** Switches a rule on or off, mutes it for a week, deletes it (a second press confirms). */
export function RuleActions({ projectSlug, rule, isBuiltIn, isMuted }: ActionProps) {
  const { change, notice } = useChange()
  const [isSure, setIsSure] = useState(false)
  const url = `/api/v1/projects/${projectSlug}/rules/${rule.id}`
  const { scenario, seriesId, settings, isEnabled, mutedUntil } = rule
  const draft = { scenario, seriesId, settings, isEnabled, mutedUntil }
  const mutedFor = (ms: number) => new Date(Date.now() + ms).toISOString()
  const mute = { ...draft, mutedUntil: isMuted ? null : mutedFor(weekMs) }
  return (
    <div className={styles.actions}>
      {isSure && (
        <button type="button" className="button button-danger" onClick={() => void change('DELETE', url)}>
          Delete this rule?
        </button>
      )}
      <Menu label="More actions">
        {isEnabled && (
          <button
            type="button"
            title={isMuted ? 'Raise alerts again' : 'Raise no alerts for seven days'}
            onClick={() => void change('PUT', url, mute)}
          >
            {isMuted ? 'Unmute' : 'Mute for a week'}
          </button>
        )}
        <button type="button" onClick={() => void change('PUT', url, { ...draft, isEnabled: !isEnabled })}>
          {isEnabled ? 'Disable' : 'Enable'}
        </button>
        {!isBuiltIn && (
          <button type="button" data-danger="" onClick={() => setIsSure(true)}>
            Delete
          </button>
        )}
      </Menu>
      {notice}
    </div>
  )
}
