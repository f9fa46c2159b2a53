'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { formatCount, plural } from '@/lib/format'
import { compareUrl, maxCompared } from '../../lib/judge/compare-url'
import { orderTicked } from '../../lib/run/document-order'
import { useAnnouncedAction } from '../ui/action'
import { callApi } from '../ui/call-api'
import { Icon } from '../ui/icon'
import { isField } from '../ui/is-field'
import { Link } from '../ui/link'
import { useMay } from '../ui/may'
import { Menu } from '../ui/menu'
import { offerUndo } from '../ui/toasts'
import { BulkEdit } from './bulk-edit'
import { MergeDialog } from '../merge/merge-dialog'
import styles from './run-selection.module.css'
import { useSelection } from './use-selection'

interface Props {
  readonly slug: string
  /** Runs of the whole list; null: not counted. */
  readonly total: number | null
  readonly children: ReactNode
}

/**
 * Watches the boxes (`name=run`) of the table inside it and offers what can be done with the selected runs. J and K move
 * through its lines, X selects, Shift selects a range; Enter is the link's own.
 */
export function RunSelection({ slug, total, children }: Props) {
  const router = useRouter()
  const anchor = useRef<string | null>(null)
  const [selected, setSelected] = useState<readonly string[]>([])
  const [isEditing, setIsEditing] = useState(false)
  const [merging, setMerging] = useState<readonly string[] | null>(null)
  const mayEdit = useMay('edit')
  const { isBusy, act } = useAnnouncedAction()

  const { holder, boxes, select, onChange } = useSelection('run', (on) => {
    const ticked = on.map((box) => ({ id: box.value, at: box.dataset.at ?? '' }))
    setSelected((before) => orderTicked(before, ticked))
    if (on.length === 0) setIsEditing(false)
  })
  /** Sets all boxes from the last one that was set to this one. */
  const selectTo = (box: HTMLInputElement, checked: boolean) => {
    const every = boxes()
    const [from, to] = [every.findIndex(({ value }) => value === anchor.current), every.indexOf(box)]
    select(from < 0 ? [box] : every.slice(Math.min(from, to), Math.max(from, to) + 1), checked)
  }

  const onClick = ({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'run') return
    if (shiftKey) selectTo(target, target.checked)
    anchor.current = target.value
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return
      if (isField(event.target) || document.querySelector('dialog:modal') !== null) return
      const lines = boxes().flatMap((one) => one.closest('tr') ?? [])
      const at = lines.findIndex((line) => line.contains(document.activeElement))
      const key = event.key.toLowerCase()
      if (key === 'j' || key === 'k') {
        const next = lines[at < 0 ? 0 : Math.min(lines.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))]
        next?.querySelector('a')?.focus()
        next?.scrollIntoView({ block: 'nearest' })
        event.preventDefault()
      }
      const box = lines[at]?.querySelector<HTMLInputElement>('input[name=run]')
      if (key !== 'x' || !box) return
      event.preventDefault()
      if (event.shiftKey) selectTo(box, true)
      else select([box], !box.checked)
      anchor.current = box.value
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  const remove = async () => {
    const runs = selected
    await callApi('POST', `/api/v1/projects/${slug}/runs/bulk`, { action: 'delete', runs })
    select(boxes(), false)
    const restore = () => callApi('POST', `/api/v1/projects/${slug}/trash`, { action: 'restore', runs })
    offerUndo(`${plural(runs.length, 'run')} deleted`, restore, () => router.refresh())
    return null
  }

  const comparable = selected.length >= 2 && selected.length <= maxCompared
  return (
    <div ref={holder} onClick={onClick} onChange={(event) => onChange(event.target)}>
      {children}
      <p className={`muted ${styles.keys}`}>
        <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>X</kbd> selects, <kbd>Shift</kbd> selects a range, <kbd>Enter</kbd>{' '}
        opens, <kbd>C</kbd> compares.
      </p>
      {selected.length > 0 ? (
        <div className={styles.bar} role="region" aria-label="Selected runs" data-editing={isEditing ? '' : undefined}>
          {isEditing ? <BulkEdit slug={slug} runIds={selected} onDone={() => setIsEditing(false)} /> : null}
          <span className={styles.count} aria-live="polite">
            <strong>{formatCount(selected.length)} selected</strong>
            {total === null ? null : <span className={styles.total}> of {formatCount(total)}</span>}
          </span>
          {comparable ? (
            <Link
              className="button button-primary"
              href={compareUrl(slug, selected, null)}
              data-command="Compare the selected runs"
              aria-keyshortcuts="C"
            >
              <Icon name="compare" /> Compare<span className="visually-hidden"> {plural(selected.length, 'run')}</span>
              <kbd aria-hidden="true">C</kbd>
            </Link>
          ) : (
            <span className="muted">
              {selected.length < 2 ? 'Select a second run to compare' : `Up to ${maxCompared} compare`}
            </span>
          )}
          {mayEdit && (
            <button
              type="button"
              className={`button ${styles.wide}`}
              aria-expanded={isEditing}
              onClick={() => setIsEditing(!isEditing)}
            >
              Edit labels
            </button>
          )}
          {(mayEdit || selected.length > 1) && (
            <Menu label="More with the selected runs" at="above">
              {mayEdit && (
                <button type="button" className={styles.narrow} onClick={() => setIsEditing(true)}>
                  Edit labels
                </button>
              )}
              {selected.length > 1 ? (
                <Link
                  href={`/p/${slug}/matrix?runs=${selected.join(',')}`}
                  data-command={`Matrix of ${plural(selected.length, 'run')}`}
                >
                  Matrix of {plural(selected.length, 'run')}
                </Link>
              ) : null}
              {mayEdit && selected.length > 1 && (
                <button
                  type="button"
                  data-command={`Merge ${plural(selected.length, 'run')} into one`}
                  onClick={() => setMerging(selected)}
                >
                  Merge into one run …
                </button>
              )}
              {mayEdit && (
                <button
                  type="button"
                  data-danger=""
                  data-command={`Delete ${plural(selected.length, 'run')}`}
                  disabled={isBusy}
                  onClick={() => void act(remove)}
                >
                  Delete {plural(selected.length, 'run')}
                </button>
              )}
            </Menu>
          )}
          <button
            type="button"
            className={`button button-icon ${styles.clear}`}
            title="Clear selection"
            onClick={() => select(boxes(), false)}
          >
            <Icon name="close" />
            <span className="visually-hidden">Clear selection</span>
          </button>
        </div>
      ) : null}
      {merging === null ? null : <MergeDialog slug={slug} runIds={merging} onClose={() => setMerging(null)} />}
    </div>
  )
}
