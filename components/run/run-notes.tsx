'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState, type ReactNode, type SyntheticEvent } from 'react'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import { useMay } from '../ui/may'
import styles from './run-notes.module.css'

/** The Markdown reader weighs as much as the page: it is fetched for the first preview only. */
const Markdown = lazy(async () => ({ default: (await import('./markdown')).Markdown }))

interface RunNotesProps {
  /** Where the API takes a change. */
  readonly url: string
  readonly field?: 'notes' | 'takeaways'
  readonly title?: string
  /** Markdown, as written. */
  readonly notes: string
  /** The notes rendered: the Markdown reader stays on the server. */
  readonly children: ReactNode
}

/** The user's notes, or another text of theirs, shown, or edited in place with a preview. */
export function RunNotes({ url, field = 'notes', title = 'Notes', notes, children }: RunNotesProps) {
  const router = useRouter()
  const [editing, setEditing] = useState(false)
  const [text, setText] = useState(notes)
  const [previewed, setPreviewed] = useState(false)
  const { problem, attempt } = useAttempts()
  const mayEdit = useMay('edit')

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!(await attempt(() => callApi('PATCH', url, { [field]: text })))) return
    setEditing(false)
    router.refresh()
  }
  const edit = () => {
    setText(notes)
    setPreviewed(false)
    setEditing(true)
  }
  return (
    <section className="card">
      <div className={styles.head}>
        <h2 className="section-title">{title}</h2>
        {editing || !mayEdit ? null : (
          <button type="button" className="button" onClick={edit}>
            {`${notes === '' ? 'Add' : 'Edit'} ${title.toLowerCase()}`}
          </button>
        )}
      </div>
      {editing ? (
        <form className={styles.form} onSubmit={(event) => void save(event)}>
          {previewed ? (
            <div className={styles.preview} role="region" aria-label={`Preview of the ${title.toLowerCase()}`}>
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
          <div className={styles.buttons}>
            <button type="submit" className="button button-primary">
              Save {title.toLowerCase()}
            </button>
            <button type="button" className="button" onClick={() => setPreviewed(!previewed)}>
              {previewed ? 'Write' : 'Preview'}
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
