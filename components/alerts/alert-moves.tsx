'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import type { AlertMove, AlertState } from '@/lib/rules/stored-alerts'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import styles from './alerts.module.css'

const offers: readonly { readonly to: AlertMove; readonly name: string; readonly title: string }[] = [
  { to: 'acknowledged', name: 'Acknowledge', title: 'Known, work on it has started' },
  {
    to: 'expected',
    name: 'Expected: use the new level',
    title: 'An intended change: runs at this level no longer alert',
  },
  { to: 'resolved', name: 'Fixed', title: 'A real regression that has been fixed' },
  { to: 'false-alarm', name: 'False alarm', title: 'Nothing changed: counted against the detector' },
  { to: 'open', name: 'Reopen', title: 'Closed by mistake' },
]

function offeredIn(state: AlertState): readonly AlertMove[] {
  if (state === 'open') return ['acknowledged', 'expected', 'resolved', 'false-alarm']
  return state === 'acknowledged' ? ['expected', 'resolved', 'false-alarm'] : ['open']
}

interface Props {
  readonly projectSlug: string
  readonly alertId: string
  readonly state: AlertState
}

/** What a person can do with an alert, with a note that stays beside it. */
export function AlertMoves({ projectSlug, alertId, state }: Props) {
  const router = useRouter()
  const group = useRef<HTMLDivElement>(null)
  const [note, setNote] = useState('')
  const { problem, attempt } = useAttempts()
  const move = async (to: AlertMove) => {
    const url = `/api/v1/projects/${projectSlug}/alerts/${alertId}/move`
    if (!(await attempt(() => callApi('POST', url, { to, note })))) return
    setNote('')
    // The button that was pressed goes away: without this the keyboard starts again at the top of the page.
    group.current?.focus()
    router.refresh()
  }
  const offered = offeredIn(state)
  return (
    <div ref={group} className={styles.moves} role="group" aria-label="Change the state" tabIndex={-1}>
      <label>
        <span className="visually-hidden">Note</span>
        <input
          className="input"
          value={note}
          maxLength={2_000}
          placeholder="Reason (optional)"
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      {offers
        .filter((offer) => offered.includes(offer.to))
        .map((offer, at) => (
          <button
            key={offer.to}
            type="button"
            className={at === 0 ? 'button button-primary' : 'button'}
            title={offer.title}
            onClick={() => void move(offer.to)}
          >
            {offer.name}
          </button>
        ))}
      {problem !== null && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
