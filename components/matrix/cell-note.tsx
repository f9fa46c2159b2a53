'use client'

import { useState } from 'react'
import { useForm } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { IfAllowed } from '../ui/actions/access'
import styles from './cell-note.module.css'

/** The cell of a note. */
export interface CellAddress {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
}

interface Props {
  readonly projectSlug: string
  readonly cell: CellAddress
  /** Null: no reason for the missing run is given. */
  readonly note: string | null
  /** The line of the document with the note; absent: a user wrote it. */
  readonly line?: { readonly number: number; readonly href: string } | undefined
}

/** Why a cell has no run, in a user's or author's words, to be edited in place. */
export function CellNote({ projectSlug, cell, note, line }: Props) {
  const [editing, setEditing] = useState(false)
  const { isBusy, problem, onSubmit } = useForm(async ({ text }) => {
    await callApi('PUT', `/api/v1/projects/${projectSlug}/cell-notes`, { ...cell, text: text('text') })
    setEditing(false)
  })
  const name = [cell.scenario, cell.variant, cell.environment].filter(Boolean).join(', ')

  if (!editing) {
    return (
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
  }
  return (
    <form
      className={`flex wrap gap-4 ${styles.form}`}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setEditing(false)
      }}
    >
      <input
        className="input"
        aria-label={`Reason for the missing run: ${name}`}
        placeholder="not possible: 6 MB limit"
        name="text"
        defaultValue={note ?? ''}
        maxLength={500}
        autoFocus
      />
      <button type="submit" className="button" disabled={isBusy}>
        Save
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  )
}
