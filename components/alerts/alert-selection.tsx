'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { plural } from '@/lib/format'
import type { AlertMove } from '@/lib/rules/stored-alerts'
import selection from '../runs/run-selection.module.css'
import { callApi } from '../ui/call-api'
import { announce, announceFailure } from '../ui/toasts'

interface Selected {
  readonly id: string
  readonly state: string
}

const moves: readonly { readonly to: AlertMove; readonly name: string; readonly done: string }[] = [
  { to: 'acknowledged', name: 'Acknowledge', done: 'acknowledged' },
  { to: 'resolved', name: 'Fixed', done: 'marked as fixed' },
  { to: 'expected', name: 'Expected: use the new level', done: 'expected: new level in use' },
]

/** Watches the boxes (`name=alert`) of the table inside it and offers what can be done with the selected alerts. */
export function AlertSelection({
  projectSlug,
  children,
}: {
  readonly projectSlug: string
  readonly children: ReactNode
}) {
  const router = useRouter()
  const holder = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<readonly Selected[]>([])
  const [isBusy, setIsBusy] = useState(false)

  const boxes = () => [...(holder.current?.querySelectorAll<HTMLInputElement>('input[name=alert]') ?? [])]
  const read = () => {
    const every = boxes()
    const on = every.filter((box) => box.checked)
    const all = holder.current?.querySelector<HTMLInputElement>('input[data-all]')
    if (all) {
      all.checked = every.length > 0 && on.length === every.length
      all.indeterminate = on.length > 0 && on.length < every.length
    }
    setSelected(on.map((box) => ({ id: box.value, state: box.dataset['state'] ?? '' })))
  }
  const tickAll = (checked: boolean) => {
    for (const box of boxes()) box.checked = checked
    read()
  }
  // Browsers bring ticks back on "back" and on reload.
  useEffect(read, [])

  const change = (target: EventTarget) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.dataset['all'] !== undefined) tickAll(target.checked)
    else read()
  }
  const move = async ({ to, done }: (typeof moves)[number]) => {
    const due = selected.filter(({ state }) => state !== to)
    setIsBusy(true)
    try {
      // One after the other: each is a transaction that waits for the one before.
      for (const { id } of due) await callApi('POST', `/api/v1/projects/${projectSlug}/alerts/${id}/move`, { to })
      announce(`${plural(due.length, 'alert')} ${done}`)
      tickAll(false)
    } catch (error) {
      announceFailure(error)
    } finally {
      setIsBusy(false)
      router.refresh()
    }
  }
  return (
    <div ref={holder} onChange={(event) => change(event.target)}>
      {children}
      {selected.length > 0 && (
        <div className={selection.bar} role="region" aria-label="Selected alerts">
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
              onClick={() => void move(one)}
            >
              {one.name}
            </button>
          ))}
          <button type="button" className="button" onClick={() => tickAll(false)}>
            Clear selection
          </button>
        </div>
      )}
    </div>
  )
}
