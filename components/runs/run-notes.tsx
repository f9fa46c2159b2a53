'use client'

import { useRouter } from 'next/navigation'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './run-notes.module.css'

interface RunNotesProps {
  readonly projectSlug: string
  readonly runId: string
  /** Markdown, as written. */
  readonly notes: string
  /** The notes rendered: the Markdown reader stays on the server. */
  readonly children: ReactNode
}

/** The user's notes, shown or edited in place. */
export function RunNotes({ projectSlug, runId, notes, children }: RunNotesProps) {
  const router = useRouter()
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('notes') ?? '')
    try {
      await callApi('PATCH', `/api/v1/projects/${projectSlug}/runs/${runId}`, { notes: text })
      setProblem(null)
      setEditing(false)
      router.refresh()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <section className="card">
      <div className={styles.head}>
        <h2 className="section-title">Notes</h2>
        {editing ? null : (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            {notes === '' ? 'Add notes' : 'Edit notes'}
          </button>
        )}
      </div>
      {editing ? (
        <form className={styles.form} onSubmit={(event) => void save(event)}>
          <textarea
            name="notes"
            className="input"
            aria-label="Notes, Markdown"
            rows={8}
            maxLength={20_000}
            defaultValue={notes}
            autoFocus
          />
          <div className={styles.buttons}>
            <button type="submit" className="button button-primary">
              Save notes
            </button>
            <button type="button" className="button" onClick={() => setEditing(false)}>
              Cancel
            </button>
            <span role="status" className="worse">
              {problem}
            </span>
          </div>
        </form>
      ) : (
        children
      )}
    </section>
  )
}
