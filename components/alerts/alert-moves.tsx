'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import type { AlertMove, AlertState } from '@/lib/rules/stored-alerts'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './alerts.module.css'

const offers: readonly { readonly to: AlertMove; readonly name: string; readonly title: string }[] = [
  { to: 'acknowledged', name: 'Acknowledge', title: 'Somebody is looking at it' },
  { to: 'expected', name: 'Accept the new level', title: 'The change is wanted: runs at this level alert no more' },
  { to: 'resolved', name: 'Resolve', title: 'It was real and is dealt with' },
  { to: 'false-alarm', name: 'False alarm', title: 'Nothing changed: this counts against the detector' },
  { to: 'open', name: 'Open again', title: 'It was closed by mistake' },
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
  const [problem, setProblem] = useState<string | null>(null)
  const move = async (to: AlertMove) => {
    try {
      await callApi('POST', `/api/v1/projects/${projectSlug}/alerts/${alertId}/move`, { to, note })
      setProblem(null)
      setNote('')
      // The button that was pressed goes away: without this the keyboard starts again at the top of the page.
      group.current?.focus()
      router.refresh()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const offered = offeredIn(state)
  return (
    <div ref={group} className={styles.moves} role="group" aria-label="What to do with it" tabIndex={-1}>
      <label>
        <span className="visually-hidden">Note</span>
        <input
          className="input"
          value={note}
          maxLength={2_000}
          placeholder="Why (optional)"
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
