'use client'

import { useRouter } from 'next/navigation'
import { useState, type FormEvent } from 'react'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import { May } from '../ui/may'
import styles from './alert.module.css'

/** Says something about an alert without changing its state. */
export function AlertComment({ projectSlug, alertId }: { readonly projectSlug: string; readonly alertId: string }) {
  const router = useRouter()
  const [text, setText] = useState('')
  const { problem, attempt } = useAttempts()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const url = `/api/v1/projects/${projectSlug}/alerts/${alertId}/comments`
    if (!(await attempt(() => callApi('POST', url, { text })))) return
    setText('')
    router.refresh()
  }
  return (
    <May need="edit">
      <form className={styles.comment} onSubmit={(event) => void submit(event)}>
        <label>
          <span className="visually-hidden">Comment</span>
          <textarea
            className="input"
            rows={2}
            value={text}
            maxLength={2_000}
            required
            placeholder="Comment without changing the state"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit" className="button">
          Add comment
        </button>
        {problem !== null && (
          <p className="notice notice-error" role="alert">
            {problem}
          </p>
        )}
      </form>
    </May>
  )
}
