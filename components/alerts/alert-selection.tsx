'use client'

import { useState, type ReactNode } from 'react'
import { plural } from '@/lib/format'
import type { AlertMove } from '@/lib/rules/stored-alerts'
import selection from '../runs/selection/run-selection.module.css'
import { useSelection } from '../runs/selection/use-selection'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'

interface Selected {
  readonly id: string
  readonly state: string
}

const moves: readonly { readonly to: AlertMove; readonly name: string; readonly done: string }[] = [
  { to: 'acknowledged', name: 'Acknowledge', done: 'acknowledged' },
  { to: 'resolved', name: 'Fixed', done: 'marked as fixed' },
  { to: 'expected', name: 'Expected: use the new level', done: 'expected: new level in use' },
]

/** Watches the boxes (`name=alert`) of the table inside it, and offers actions on the selected alerts. */
export function AlertSelection({
  projectSlug,
  children,
}: {
  readonly projectSlug: string
  readonly children: ReactNode
}) {
  const [selected, setSelected] = useState<readonly Selected[]>([])
  const { isBusy, act } = useAnnouncedAction()

  const { holder, boxes, select, onChange } = useSelection('alert', (on) =>
    setSelected(on.map((box) => ({ id: box.value, state: box.dataset['state'] ?? '' }))),
  )
  const clear = () => select(boxes(), false)
  const move = async ({ to, done }: (typeof moves)[number]) => {
    const due = selected.filter(({ state }) => state !== to)
    // One after the other: each is a transaction that would wait for the previous one.
    for (const { id } of due) await callApi('POST', `/api/v1/projects/${projectSlug}/alerts/${id}/move`, { to })
    clear()
    return `${plural(due.length, 'alert')} ${done}`
  }
  return (
    <div ref={holder} onChange={(event) => onChange(event.target)}>
      {children}
      {selected.length > 0 && (
        <div
          className={`floating row wrap gap-8 text-13 screen-only ${selection.bar}`}
          role="region"
          aria-label="Selected alerts"
        >
          <span className={selection.count} aria-live="polite">
            {plural(selected.length, 'alert')} selected
          </span>
          {moves.map((one, at) => (
            <button
              key={one.to}
              type="button"
              className={at === 0 ? 'button button-primary' : 'button'}
              disabled={isBusy || selected.every(({ state }) => state === one.to)}
              data-command={`${one.name}, ${plural(selected.length, 'alert')}`}
              onClick={() => void act(() => move(one))}
            >
              {one.name}
            </button>
          ))}
          <button type="button" className="button" onClick={clear}>
            Clear selection
          </button>
        </div>
      )}
    </div>
  )
}
