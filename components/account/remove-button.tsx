'use client'

import { useState } from 'react'
import { useAnnouncedAction } from '../ui/action'
import { callApi } from '../ui/call-api'
import styles from './account.module.css'

interface Props {
  /** API path of what is deleted. */
  readonly url: string
  /** `Revoke`, `Remove`, `Sign out`. */
  readonly verb: string
  /** The thing that it acts on, for screen readers and in the question. */
  readonly name: string
  /** Message once it is done. */
  readonly done: string
  /** What else ends, shown before it is confirmed; null: nothing. */
  readonly consequence?: string | null
}

/** Ends something that gives access: a second press confirms. */
export function RemoveButton({ url, verb, name, done, consequence = null }: Props) {
  const [isSure, setIsSure] = useState(false)
  const { isBusy, act } = useAnnouncedAction()
  const remove = async () => {
    await act(async () => {
      await callApi('DELETE', url)
      return done
    })
    setIsSure(false)
  }
  if (!isSure)
    return (
      <span className={styles.buttons}>
        <button
          type="button"
          className="button button-danger"
          aria-label={`${verb}: ${name}`}
          onClick={() => setIsSure(true)}
        >
          {verb}
        </button>
      </span>
    )
  return (
    <span className={styles.buttons}>
      {consequence !== null && <span className="muted">{consequence}</span>}
      <button type="button" className="button" onClick={() => setIsSure(false)}>
        Cancel
      </button>
      <button
        type="button"
        className="button button-danger"
        disabled={isBusy}
        autoFocus
        aria-label={`Confirm: ${verb.toLowerCase()} ${name}`}
        onClick={() => void remove()}
      >
        Confirm
      </button>
    </span>
  )
}
