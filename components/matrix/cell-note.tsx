'use client'

import { lazy, Suspense, useState } from 'react'
import { IfAllowed } from '../ui/actions/access'
import type { WrittenNote } from './cell-note-form'
import styles from './cell-note.module.css'

/** Loaded when a reason is written: it costs no page anything. */
const CellNoteForm = lazy(async () => ({ default: (await import('./cell-note-form')).CellNoteForm }))

interface Props extends WrittenNote {
  /** The line of the document with the note; absent: a user wrote it. */
  readonly line?: { readonly number: number; readonly href: string } | undefined
}

/** Why a cell has no run, in a user's or author's words, to be edited in place. */
export function CellNote({ projectSlug, cell, note, line }: Props) {
  const [editing, setEditing] = useState(false)
  const name = [cell.scenario, cell.variant, cell.environment].filter(Boolean).join(', ')
  const shown = (
    <span className={`muted wrap baseline ${styles.note}`}>
      {note ?? 'no run'}
      {line && <a href={line.href}>line {line.number}</a>}
      <IfAllowed need="edit">
        <button
          type="button"
          className={styles.edit}
          aria-label={`${note === null ? 'Add a reason' : 'Edit reason'}: ${name}`}
          onClick={() => setEditing(true)}
        >
          {note === null ? 'why?' : 'edit'}
        </button>
      </IfAllowed>
    </span>
  )
  if (!editing) return shown
  return (
    <Suspense fallback={shown}>
      <CellNoteForm {...{ projectSlug, cell, note, name }} onDone={() => setEditing(false)} />
    </Suspense>
  )
}
