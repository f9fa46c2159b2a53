'use client'

import { useRef, useState, type ReactNode } from 'react'
import type { AlertMove, AlertState } from '@/lib/rules/stored-alerts'
import { useAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { Icon } from '../ui/icon'
import { useIsAllowed } from '../ui/actions/access'
import { Menu } from '../ui/menu'
import styles from './alert.module.css'

const offers: Readonly<Record<AlertMove, { readonly name: string; readonly title: string }>> = {
  acknowledged: { name: 'Acknowledge', title: 'Known, work on it has started' },
  expected: {
    name: 'Expected: use the new level',
    title: 'An intended change: runs at this level no longer alert',
  },
  resolved: { name: 'Fixed', title: 'A real regression that has been fixed' },
  'false-alarm': { name: 'False alarm', title: 'Nothing changed: counted against the detector' },
  open: { name: 'Reopen', title: 'Closed by mistake' },
}

/** Moves offered as buttons, the main one first, and those in the menu. */
function offeredIn(state: AlertState): { readonly shown: readonly AlertMove[]; readonly more: readonly AlertMove[] } {
  if (state === 'open') return { shown: ['acknowledged', 'resolved', 'expected'], more: ['false-alarm'] }
  if (state === 'acknowledged') return { shown: ['resolved', 'expected'], more: ['false-alarm', 'open'] }
  return { shown: [], more: ['open'] }
}

interface Props {
  readonly projectSlug: string
  readonly alertId: string
  readonly state: AlertState
  /** Link to the change: after the moves, before the menu. Null: none. */
  readonly children: ReactNode
}

/** What a person can do with an alert, with a note that is stored with it. */
export function AlertMoves({ projectSlug, alertId, state, children }: Props) {
  const group = useRef<HTMLDivElement>(null)
  const [note, setNote] = useState('')
  const { isBusy, problem, act } = useAction()
  const mayEdit = useIsAllowed('edit')
  const move = async (to: AlertMove) => {
    const url = `/api/v1/projects/${projectSlug}/alerts/${alertId}/move`
    if (!(await act(() => callApi('POST', url, { to, note })))) return
    setNote('')
    // The pressed button disappears: without this, the keyboard would start again at the top of the page.
    group.current?.focus()
  }
  const { shown, more } = offeredIn(state)
  const button = (to: AlertMove, className?: string) => (
    <button
      key={to}
      type="button"
      className={className}
      title={offers[to].title}
      disabled={isBusy}
      data-command={offers[to].name}
      onClick={() => void move(to)}
    >
      {to === 'acknowledged' && <Icon name="check" />}
      {offers[to].name}
    </button>
  )
  if (!mayEdit) return children === null ? null : <div className={`row wrap gap-6 ${styles.moves}`}>{children}</div>
  return (
    <div
      ref={group}
      className={`row wrap gap-6 ${styles.moves}`}
      role="group"
      aria-label="Change the state"
      tabIndex={-1}
    >
      {shown.map((to, at) => button(to, at === 0 ? 'button button-primary' : 'button'))}
      {children}
      <label className={styles.note}>
        <span className="visually-hidden">Note</span>
        <input
          className="input full"
          value={note}
          maxLength={2_000}
          placeholder="Note to go with it (optional)"
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      <Menu label="More actions" at="end">
        {more.map((to) => button(to))}
      </Menu>
      {problem !== null && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
