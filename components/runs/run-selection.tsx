'use client'

import { Link } from '../ui/link'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { plural } from '@/lib/format'
import { orderTicked } from '../../lib/run/document-order'
import { compareUrl, maxCompared } from '../../lib/judge/compare-url'
import { callApi } from '../ui/call-api'
import { offerUndo, announceFailure } from '../ui/toasts'
import { BulkEdit } from './bulk-edit'
import styles from './run-selection.module.css'

/** Watches the boxes (`name=run`) of the table inside it and offers what can be done with the selected runs. */
export function RunSelection({ slug, children }: { slug: string; children: ReactNode }) {
  const router = useRouter()
  const holder = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<readonly string[]>([])

  const [isEditing, setIsEditing] = useState(false)

  const boxes = () => [...(holder.current?.querySelectorAll<HTMLInputElement>('input[name=run]') ?? [])]
  const allBox = () => holder.current?.querySelector<HTMLInputElement>('input[data-all]')
  const read = () => {
    const every = boxes()
    const on = every.filter((box) => box.checked)
    const all = allBox()
    if (all) {
      all.checked = every.length > 0 && on.length === every.length
      all.indeterminate = on.length > 0 && on.length < every.length
    }
    const ticked = on.map((box) => ({ id: box.value, at: box.dataset.at ?? '' }))
    setSelected((before) => orderTicked(before, ticked))
    if (on.length === 0) setIsEditing(false)
  }
  const tickAll = (checked: boolean) => {
    for (const box of boxes()) box.checked = checked
    read()
  }
  // Browsers bring ticks back on "back" and on reload.
  useEffect(read, [])

  const change = (target: EventTarget) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.dataset.all !== undefined) tickAll(target.checked)
    else read()
  }
  const remove = async () => {
    const runs = selected
    const refresh = () => router.refresh()
    try {
      await callApi('POST', `/api/v1/projects/${slug}/runs/bulk`, { action: 'delete', runs })
      tickAll(false)
      refresh()
      const restore = () => callApi('POST', `/api/v1/projects/${slug}/trash`, { action: 'restore', runs })
      offerUndo(`${plural(runs.length, 'run')} deleted`, restore, refresh)
    } catch (error) {
      announceFailure(error)
    }
  }

  const comparable = selected.length >= 2 && selected.length <= maxCompared
  return (
    <div ref={holder} onChange={(event) => change(event.target)}>
      {children}
      {selected.length > 0 ? (
        <div className={styles.bar} role="region" aria-label="Selected runs">
          {isEditing ? <BulkEdit slug={slug} runIds={selected} onDone={() => setIsEditing(false)} /> : null}
          <span className={styles.count} aria-live="polite">
            {plural(selected.length, 'run')} selected
          </span>
          {comparable ? (
            <Link
              className="button button-primary"
              href={compareUrl(slug, selected, null)}
              data-command="Compare the selected runs"
              aria-keyshortcuts="C"
            >
              Compare {plural(selected.length, 'run')}
            </Link>
          ) : (
            <span className="muted">
              {selected.length < 2 ? 'Select a second run to compare' : `Up to ${maxCompared} compare`}
            </span>
          )}
          {selected.length > 1 ? (
            <Link className="button" href={`/p/${slug}/matrix?runs=${selected.join(',')}`}>
              Matrix of {plural(selected.length, 'run')}
            </Link>
          ) : null}
          <button type="button" className="button" aria-expanded={isEditing} onClick={() => setIsEditing(!isEditing)}>
            Edit {plural(selected.length, 'run')}
          </button>
          <button type="button" className="button button-danger" onClick={() => void remove()}>
            Delete {plural(selected.length, 'run')}
          </button>
          <button type="button" className="button" onClick={() => tickAll(false)}>
            Clear selection
          </button>
        </div>
      ) : null}
    </div>
  )
}
