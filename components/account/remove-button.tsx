'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { callApi } from '../ui/call-api'
import { announce, announceFailure } from '../ui/toasts'
import styles from './account.module.css'

interface Props {
  /** What is deleted in the API. */
  readonly url: string
  /** `Revoke`, `Remove`, `Sign out`. */
  readonly verb: string
  /** What it is done to, for screen readers and in the question. */
  readonly name: string
  /** What is said when it is done. */
  readonly done: string
  /** What else ends, said before it is confirmed; null: nothing. */
  readonly consequence?: string | null
}

/** Ends something that gives access: a second press confirms. */
export function RemoveButton({ url, verb, name, done, consequence = null }: Props) {
  const router = useRouter()
  const [isSure, setIsSure] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await callApi('DELETE', url)
      announce(done)
    } catch (error) {
      announceFailure(error)
    }
    setBusy(false)
    setIsSure(false)
    router.refresh()
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
        disabled={busy}
        autoFocus
        aria-label={`Confirm: ${verb.toLowerCase()} ${name}`}
        onClick={() => void remove()}
      >
        Confirm
      </button>
    </span>
  )
}
