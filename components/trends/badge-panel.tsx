'use client'

import { useState } from 'react'
import type { BadgeSummary } from '@/lib/rules/badge'
import { formatDay } from '@/lib/format'
import { ActionForm } from '../forms/action-form'
import { ConfirmButton } from '../forms/confirm-button'
import type { Fields } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import { CommandLine } from '../ui/actions/curl-line'
import styles from './badge-panel.module.css'

interface Props {
  readonly projectSlug: string
  /** The series that can have badges, that of the page first. */
  readonly series: readonly { readonly id: string; readonly name: string }[]
  readonly metricId: string
  readonly metricName: string
  readonly scenario: string
  /** Badges of the page's series. */
  readonly badges: readonly (BadgeSummary & { readonly metricName: string })[]
}

/** Badges of a series: makes one and shows its address once, lists the others, revokes them. */
export function BadgePanel({ projectSlug, series, metricId, metricName, scenario, badges }: Props) {
  const [made, setMade] = useState<Made>()
  const api = `/api/v1/projects/${projectSlug}`
  const create = async ({ text }: Fields) => {
    const body = { metric: metricId, label: text('label') }
    const answer = await callApi('POST', `${api}/series/${text('series') || series[0]?.id}/badges`, body)
    const url = new URL(textOf(answer, 'url') ?? '')
    setMade({ markdown: textOf(answer, 'markdown') ?? '', path: url.pathname, host: url.hostname })
  }
  return (
    <details className={styles.panel}>
      <summary>Badge for a README</summary>
      <p className="muted">
        An image with the newest {metricName} and whether it regressed, for anyone with its address, until you revoke
        it. It shows nothing else of the project.
      </p>
      <ActionForm
        className={`flex wrap ${styles.form}`}
        fields={[
          ...(series.length > 1
            ? [{ name: 'series', label: 'Series', options: series.map(({ id, name }) => ({ value: id, name })) }]
            : []),
          {
            name: 'label',
            label: 'Text',
            version: metricId,
            defaultValue: `${scenario} ${metricName}`.slice(0, 60),
            maxLength: 60,
            required: true,
          },
        ]}
        button="Create badge"
        tone="plain"
        send={create}
      />
      {made && <MadeBadge {...made} />}
      {badges.length > 0 && (
        <ul className="grid gap-6 break above-12" aria-label="Badges of this series">
          {badges.map((badge) => (
            <li key={badge.id}>
              {badge.label}{' '}
              <span className="muted">
                {badge.metricName}, created {formatDay(badge.createdAt)}
              </span>{' '}
              <ConfirmButton
                verb="Revoke"
                name={`the badge ${badge.label}`}
                url={`${api}/badges/${badge.id}`}
                done={`Badge “${badge.label}” revoked: its address no longer works`}
                onDone={() => setMade(undefined)}
              />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

interface Made {
  readonly markdown: string
  readonly path: string
  readonly host: string
}

function MadeBadge({ markdown, path, host }: Made) {
  return (
    <div className={`grid gap-6 ${styles.made}`} role="status">
      <img src={path} alt="The badge now" height={20} />
      <CommandLine command={markdown} name="Markdown of the badge" />
      <p className="muted">
        Copy the address now: it is not shown again.
        {/^(localhost|127\.|\[?::1)/.test(host) &&
          ' Reachable from this machine only; set TAILBOARD_PUBLIC_URL to publish it.'}
      </p>
    </div>
  )
}
