'use client'

import { useForm } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import styles from './cell-note.module.css'

/** The cell of a note. */
export interface CellAddress {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
}

export interface WrittenNote {
  readonly projectSlug: string
  readonly cell: CellAddress
  /** Null: no reason for the missing run is given. */
  readonly note: string | null
}

interface Props extends WrittenNote {
  /** Of the cell, for screen readers. */
  readonly name: string
  onDone(): void
}

/** The reason why a cell has no run, being written. */
export function CellNoteForm({ projectSlug, cell, note, name, onDone }: Props) {
  const { isBusy, problem, onSubmit } = useForm(async ({ text }) => {
    await callApi('PUT', `/api/v1/projects/${projectSlug}/cell-notes`, { ...cell, text: text('text') })
    onDone()
  })
  return (
    <form
      className={`flex wrap gap-4 ${styles.form}`}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
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
