'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { plural } from '@/lib/format'
import { compareUrl, mostCompared } from '../compare/compare-url'
import { callApi } from '../ui/call-api'
import { offerUndo, tellFailure } from '../ui/undo'
import styles from './run-selection.module.css'

/** Watches the boxes (`name=run`) of the table inside it and offers what can be done with the ticked runs. */
export function RunSelection({ slug, children }: { slug: string; children: ReactNode }) {
  const router = useRouter()
  const holder = useRef<HTMLDivElement>(null)
  const [ticked, setTicked] = useState<readonly string[]>([])

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
    // Oldest first: it is the base that the others are compared with.
    on.sort((a, b) => (a.dataset.at ?? '').localeCompare(b.dataset.at ?? ''))
    setTicked(on.map((box) => box.value))
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
    const runs = ticked.map((id) => `/api/v1/projects/${slug}/runs/${id}`)
    tickAll(false)
    const results = await Promise.allSettled(runs.map((run) => callApi('DELETE', run)))
    const failure = results.find((result) => result.status === 'rejected')
    const gone = runs.filter((_, index) => results[index]?.status === 'fulfilled')
    const refresh = () => router.refresh()
    refresh()
    if (failure) tellFailure(failure.reason)
    if (gone.length === 0) return
    const restore = () => Promise.all(gone.map((run) => callApi('POST', `${run}/restore`)))
    offerUndo(`${plural(gone.length, 'run')} deleted`, restore, refresh)
  }

  const comparable = ticked.length >= 2 && ticked.length <= mostCompared
  return (
    <div ref={holder} onChange={(event) => change(event.target)}>
      {children}
      {ticked.length > 0 ? (
        <div className={styles.bar} role="region" aria-label="Ticked runs">
          <span className={styles.count} aria-live="polite">
            {plural(ticked.length, 'run')} ticked
          </span>
          {comparable ? (
            <Link
              className="button button-primary"
              href={compareUrl(slug, ticked, null)}
              data-command="Compare the ticked runs"
            >
              Compare {plural(ticked.length, 'run')}
            </Link>
          ) : (
            <span className="muted">
              {ticked.length < 2 ? 'Tick a second run to compare' : `Up to ${mostCompared} compare`}
            </span>
          )}
          {ticked.length > 1 ? (
            <Link className="button" href={`/p/${slug}/matrix?runs=${ticked.join(',')}`}>
              Matrix of {plural(ticked.length, 'run')}
            </Link>
          ) : null}
          <button type="button" className="button button-danger" onClick={() => void remove()}>
            Delete {plural(ticked.length, 'run')}
          </button>
          <button type="button" className="button" onClick={() => tickAll(false)}>
            Untick
          </button>
        </div>
      ) : null}
    </div>
  )
}
