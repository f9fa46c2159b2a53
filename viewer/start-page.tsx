import { useRef, useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { givenFiles, type Given } from './given-files'
import styles from './viewer.module.css'

interface Props {
  readonly onChoose: () => void
  readonly onTake: (given: Given) => void
}

/** Before any file: what to drop, and what becomes of it. */
export function StartPage({ onChoose, onTake }: Props) {
  const [text, setText] = useState<string | null>(null)
  return (
    <>
      <section className={`grid gap-12 ${styles.drop}`} aria-label="Files">
        <span className={styles.sign}>
          <Icon name="upload" />
        </span>
        <h1 className="page-title">Drop results here</h1>
        <p className={`muted flush ${styles.what}`}>
          One file shows a run, two or more a comparison. hey, vegeta, wrk, k6, JMeter, oha, Lambda logs and others;
          gzip, zip and tar, too.
        </p>
        <p className="row wrap gap-8 flush">
          <button type="button" className="button button-primary" onClick={onChoose}>
            <Icon name="upload" /> Choose files
          </button>
          <FolderChooser onTake={onTake} />
          <button type="button" className="button" onClick={() => setText(text === null ? '' : null)}>
            Paste text
          </button>
        </p>
        {text !== null && (
          <form
            className={`grid gap-8 ${styles.paste}`}
            onSubmit={(event) => {
              event.preventDefault()
              if (text.trim() !== '') onTake(givenFiles([new File([text], 'pasted.txt', { type: 'text/plain' })]))
            }}
          >
            <label className="grid gap-4 text-13">
              Output of a tool
              <textarea
                className="input mono"
                rows={8}
                autoFocus
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            </label>
            <button type="submit" className="button">
              Show it
            </button>
          </form>
        )}
      </section>
      <ul className={`grid gap-16 ${styles.promises}`}>
        <li>
          <strong>Nothing leaves this computer.</strong>
          <span className="muted">The page makes no request after it has loaded, and works from a folder, too.</span>
        </li>
        <li>
          <strong>A comparison fits in a link.</strong>
          <span className="muted">Names and figures only, up to 8 kB, with secrets masked.</span>
        </li>
        <li>
          <strong>Up to 500 MB a file.</strong>
          <span className="muted">
            Above that: <code>tailboard compare A B</code>
          </span>
        </li>
      </ul>
    </>
  )
}

/** A folder with all below it, for whoever does not drag. */
function FolderChooser({ onTake }: Pick<Props, 'onTake'>) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className="button" onClick={() => chooser.current?.click()}>
        Choose a folder
      </button>
      <input
        ref={(input) => {
          chooser.current = input
          if (input !== null) input.webkitdirectory = true
        }}
        type="file"
        hidden
        aria-label="Folder to show"
        onChange={({ target }) => onTake(givenFiles([...(target.files ?? [])]))}
      />
    </>
  )
}
