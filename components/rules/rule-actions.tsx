'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Rule } from '@/lib/rules/rules'
import { Confirmation } from '../forms/confirm-button'
import { useAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { Menu } from '../ui/menu'
import type { RuleDraft } from './rule-draft'

/** Why an action failed; null: it did not. */
function Problem({ text }: { readonly text: string | null }) {
  if (text === null) return null
  return (
    <p className="notice notice-error" role="alert">
      {text}
    </p>
  )
}

interface SaveProps {
  readonly projectSlug: string
  readonly draft: RuleDraft
  /** Null: a new rule. */
  readonly ruleId: string | null
}

/** Saves the rule that was just replayed. */
export function SaveRule({ projectSlug, draft, ruleId }: SaveProps) {
  const router = useRouter()
  const { isBusy, problem, act } = useAction({ leaves: true })
  const url = `/api/v1/projects/${projectSlug}/rules`
  const { scenario, seriesId, settings, isEnabled, mutedUntil } = draft
  const body = { scenario, seriesId, settings, isEnabled, mutedUntil }
  const save = async () => {
    if (ruleId === null) await callApi('POST', url, body)
    else await callApi('PUT', `${url}/${ruleId}`, body)
    router.push(`/p/${projectSlug}/settings#rules`)
  }
  return (
    <div className="row wrap gap-8">
      <button type="button" className="button button-primary" disabled={isBusy} onClick={() => void act(save)}>
        {ruleId === null ? 'Save this rule' : 'Save the change'}
      </button>
      <Problem text={problem} />
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

/** Switches a rule on or off, mutes it for a week, deletes it. */
export function RuleActions({ projectSlug, rule, isBuiltIn, isMuted }: ActionProps) {
  const { problem, act } = useAction()
  const [isSure, setIsSure] = useState(false)
  const url = `/api/v1/projects/${projectSlug}/rules/${rule.id}`
  const { scenario, seriesId, settings, isEnabled, mutedUntil } = rule
  const draft: RuleDraft = { scenario, seriesId, settings, isEnabled, mutedUntil }
  const save = (changed: Partial<RuleDraft>) => void act(() => callApi('PUT', url, { ...draft, ...changed }))
  const mutedFor = (ms: number) => new Date(Date.now() + ms).toISOString()
  return (
    <div className="row wrap gap-8">
      {isSure && (
        <Confirmation
          verb="Delete"
          name="this rule"
          consequence="this rule"
          url={url}
          done="The rule was deleted"
          onClose={() => setIsSure(false)}
        />
      )}
      <Menu label="More actions">
        {isEnabled && (
          <button
            type="button"
            title={isMuted ? 'Raise alerts again' : 'Raise no alerts for seven days'}
            onClick={() => save({ mutedUntil: isMuted ? null : mutedFor(weekMs) })}
          >
            {isMuted ? 'Unmute' : 'Mute for a week'}
          </button>
        )}
        <button type="button" onClick={() => save({ isEnabled: !isEnabled })}>
          {isEnabled ? 'Disable' : 'Enable'}
        </button>
        {!isBuiltIn && (
          <button type="button" data-danger="" onClick={() => setIsSure(true)}>
            Delete
          </button>
        )}
      </Menu>
      <Problem text={problem} />
    </div>
  )
}
