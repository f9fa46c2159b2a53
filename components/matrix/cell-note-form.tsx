'use client'

import { useForm } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import type { CellNoteProps } from './cell-note'
import styles from './cell-note.module.css'

interface Props extends Omit<CellNoteProps, 'line'> {
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
