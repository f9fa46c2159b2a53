'use client'

import { useState } from 'react'
import { chooseFileEvent, readTextEvent } from './drop-anywhere'
import styles from './upload-start.module.css'

/** Opens the file chooser of the window's drop zone. */
export function ChooseFileButton({
  label = 'Choose file',
  isPrimary = true,
}: {
  readonly label?: string
  readonly isPrimary?: boolean
}) {
  return (
    <button
      type="button"
      className={isPrimary ? 'button button-primary' : 'button'}
      onClick={() => window.dispatchEvent(new Event(chooseFileEvent))}
    >
      {label}
    </button>
  )
}

/** A box for text from a terminal, for users who prefer to see what they paste. */
export function PasteBox() {
  const [text, setText] = useState('')
  return (
    <form
      className={`grid gap-8 ${styles.paste}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') window.dispatchEvent(new CustomEvent(readTextEvent, { detail: text }))
      }}
    >
      <label htmlFor="paste-box" className="section-title bold">
        Or paste the output here
      </label>
      <textarea
        id="paste-box"
        className={`input mono full ${styles.text}`}
        rows={8}
        spellCheck={false}
        placeholder={'Summary:\n  Total:\t3.6488 secs\n  Requests/sec:\t2740.6270'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={text.trim() === ''}>
        Read this text
      </button>
    </form>
  )
}
