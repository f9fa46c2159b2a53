'use client'

import { useForm } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { IfAllowed } from '../ui/actions/access'
import styles from './alert.module.css'

/** Comments on an alert without changing its state. */
export function AlertComment({ projectSlug, alertId }: { readonly projectSlug: string; readonly alertId: string }) {
  const { isBusy, problem, onSubmit } = useForm(async ({ text, reset }) => {
    await callApi('POST', `/api/v1/projects/${projectSlug}/alerts/${alertId}/comments`, { text: text('text') })
    reset()
  })
  return (
    <IfAllowed need="edit">
      <form className={`grid gap-6 above-12 ${styles.comment}`} onSubmit={onSubmit}>
        <label>
          <span className="visually-hidden">Comment</span>
          <textarea
            className="input"
            rows={2}
            name="text"
            maxLength={2_000}
            required
            placeholder="Comment without changing the state"
          />
        </label>
        <button type="submit" className="button" disabled={isBusy}>
          Add comment
        </button>
        {problem !== null && (
          <p className="notice notice-error" role="alert">
            {problem}
          </p>
        )}
      </form>
    </IfAllowed>
  )
}
