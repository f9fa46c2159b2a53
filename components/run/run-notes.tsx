'use client'

import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useForm } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { useIsAllowed } from '../ui/actions/access'
import styles from './run-notes.module.css'

/** The Markdown reader is as large as the page: it is loaded only for the first preview. */
const Markdown = lazy(async () => ({ default: (await import('./markdown')).Markdown }))

interface RunNotesProps {
  /** API path for changing it. */
  readonly url: string
  readonly field?: 'notes' | 'takeaways'
  readonly title?: string
  /** Markdown, as written. */
  readonly notes: string
  /** The notes rendered: the Markdown reader stays on the server. */
  readonly children: ReactNode
}

/** The user's notes, or another text of theirs, shown or edited in place with a preview. */
export function RunNotes({ url, field = 'notes', title = 'Notes', notes, children }: RunNotesProps) {
  const [isEditing, setIsEditing] = useState(false)
  const mayEdit = useIsAllowed('edit')
  return (
    <section className="card">
      <div className="row between below-8">
        <h2 className="text-14">{title}</h2>
        {isEditing || !mayEdit ? null : (
          <button type="button" className="button" onClick={() => setIsEditing(true)}>
            {`${notes === '' ? 'Add' : 'Edit'} ${title.toLowerCase()}`}
          </button>
        )}
      </div>
      {isEditing ? (
        <NotesForm url={url} field={field} title={title} notes={notes} onDone={() => setIsEditing(false)} />
      ) : (
        children
      )}
    </section>
  )
}

interface FormProps extends Required<Omit<RunNotesProps, 'children'>> {
  onDone(): void
}

function NotesForm({ url, field, title, notes, onDone }: FormProps) {
  const [text, setText] = useState(notes)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const { isBusy, problem, onSubmit } = useForm(async () => {
    await callApi('PATCH', url, { [field]: text })
    onDone()
  })
  return (
    <form className="grid gap-8" onSubmit={onSubmit}>
      {isPreviewed ? (
        <div
          className={`outlined ${styles.preview}`}
          role="region"
          aria-label={`Preview of the ${title.toLowerCase()}`}
        >
          <Suspense fallback={<p className="muted">Preparing the preview …</p>}>
            {text.trim() === '' ? <p className="muted">Nothing to preview.</p> : <Markdown text={text} />}
          </Suspense>
        </div>
      ) : (
        <textarea
          className="input"
          aria-label={`${title}, Markdown`}
          rows={8}
          maxLength={20_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoFocus
        />
      )}
      <div className="row gap-8">
        <button type="submit" className="button button-primary" disabled={isBusy}>
          Save {title.toLowerCase()}
        </button>
        <button type="button" className="button" onClick={() => setIsPreviewed(!isPreviewed)}>
          {isPreviewed ? 'Write' : 'Preview'}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <span role="status" className="worse">
          {problem}
        </span>
      </div>
    </form>
  )
}
