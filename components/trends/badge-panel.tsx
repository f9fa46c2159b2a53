'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import type { BadgeSummary } from '@/lib/rules/badge'
import { formatDate } from '@/lib/format'
import { findMetric } from '@/lib/run/metrics'
import { callApi, textOf } from '../ui/call-api'
import { CommandLine } from '../ui/curl-line'
import { tell, tellFailure } from '../ui/undo'
import styles from './badge-panel.module.css'

interface Props {
  readonly projectSlug: string
  /** The series that may have badges, the one of the page first. */
  readonly series: readonly { readonly id: string; readonly name: string }[]
  readonly metricId: string
  readonly metricName: string
  readonly scenario: string
  /** Those of the page's series. */
  readonly badges: readonly BadgeSummary[]
}

/** Badges of a series: makes one and shows its address this once, lists the others, revokes them. */
export function BadgePanel({ projectSlug, series, metricId, metricName, scenario, badges }: Props) {
  const router = useRouter()
  const [made, setMade] = useState<{ readonly markdown: string; readonly path: string; readonly host: string }>()
  const api = `/api/v1/projects/${projectSlug}`
  const make = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = { metric: metricId, label: String(form.get('label')) }
    try {
      const answer = await callApi('POST', `${api}/series/${String(form.get('series'))}/badges`, body)
      const url = new URL(textOf(answer, 'url') ?? '')
      setMade({ markdown: textOf(answer, 'markdown') ?? '', path: url.pathname, host: url.hostname })
      router.refresh()
    } catch (error) {
      tellFailure(error)
    }
  }
  const revoke = async (badge: BadgeSummary) => {
    try {
      await callApi('DELETE', `${api}/badges/${badge.id}`)
      tell(`The badge “${badge.label}” was revoked: its address shows nothing any more`)
      setMade(undefined)
      router.refresh()
    } catch (error) {
      tellFailure(error)
    }
  }
  return (
    <details className={styles.panel}>
      <summary>Badge for a README</summary>
      <p className="muted">
        A picture with the newest {metricName} and whether it regressed, for whoever has its address: nothing else of
        the project, and only until you revoke it.
      </p>
      <form className={styles.form} onSubmit={(event) => void make(event)}>
        {series.length > 1 ? (
          <label>
            Series
            <select className="select" name="series">
              {series.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <input type="hidden" name="series" value={series[0]?.id} />
        )}
        <label>
          Text on it
          <input
            className="input"
            name="label"
            key={metricId}
            defaultValue={`${scenario} ${metricName}`.slice(0, 60)}
            maxLength={60}
            required
          />
        </label>
        <button type="submit" className="button">
          Make a badge
        </button>
      </form>
      {made && (
        <div className={styles.made} role="status">
          <img src={made.path} alt="The badge as it stands now" height={20} />
          <CommandLine command={made.markdown} name="Markdown of the badge" />
          <p className="muted">
            Copy it now: the address is not shown again.
            {/^(localhost|127\.|\[?::1)/.test(made.host) &&
              ' Only this machine reaches it; set TAILBOARD_PUBLIC_URL so that others do.'}
          </p>
        </div>
      )}
      {badges.length > 0 && (
        <ul className={styles.list} aria-label="Badges of this series">
          {badges.map((badge) => (
            <li key={badge.id}>
              {badge.label}{' '}
              <span className="muted">
                {findMetric(badge.metricId)?.shortLabel ?? badge.metricId}, made {formatDate(badge.createdAt)}
              </span>{' '}
              <button
                type="button"
                className="button button-danger"
                aria-label={`Revoke the badge ${badge.label}`}
                onClick={() => void revoke(badge)}
              >
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
