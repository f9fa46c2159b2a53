'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import styles from './confirm-button.module.css'

/** Something that takes a confirmation because it cannot be undone, or takes a right from somebody. */
interface Confirmed {
  /** `Delete`, `Revoke`, `Sign out`. */
  readonly verb: string
  /** What it acts on, for screen readers. */
  readonly name: string
  /** What else ends, after the verb of the question: `with its delivery log`; null: nothing. */
  readonly consequence?: string | null
  readonly method?: 'DELETE' | 'PATCH' | 'POST'
  /** API path. */
  readonly url: string
  readonly body?: unknown
  /** Message once it is done. */
  readonly done: string
  /** The page to open then; absent: this one stays. */
  readonly next?: string
  onDone?(): void
}

/** Requires a second press: Confirm acts, Cancel and Escape go back. */
export function ConfirmButton({ isCalm = false, ...props }: Confirmed & { readonly isCalm?: boolean }) {
  const [isAsked, setIsAsked] = useState(false)
  const { verb, name } = props
  return (
    <span className={`row wrap end gap-8 ${styles.question}`}>
      {isAsked && <Confirmation {...props} onClose={() => setIsAsked(false)} />}
      <button
        type="button"
        className={isCalm ? 'button' : 'button button-danger'}
        hidden={isAsked}
        aria-label={`${verb}: ${name}`}
        onClick={() => setIsAsked(true)}
      >
        {verb}
      </button>
    </span>
  )
}

/** The question alone, for what begins in a menu. */
export function Confirmation({ onClose, ...props }: Confirmed & { onClose(): void }) {
  const { verb, name, consequence = null, method = 'DELETE', url, body, done, next, onDone } = props
  const router = useRouter()
  const { isBusy, act } = useAnnouncedAction()
  useFocusBack()
  const confirm = async () => {
    const isDone = await act(async () => {
      await callApi(method, url, body)
      onDone?.()
      if (next !== undefined) router.push(next)
      return done
    })
    if (!isDone || next === undefined) onClose()
  }
  return (
    <span
      className={`row wrap end gap-8 ${styles.question}`}
      role="group"
      aria-label={`${verb} ${name}?`}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {consequence !== null && <span className="muted">{`${verb} ${consequence}?`}</span>}
      <button type="button" className="button" disabled={isBusy} onClick={onClose}>
        Cancel
      </button>
      <button
        type="button"
        className="button button-danger"
        disabled={isBusy}
        autoFocus
        aria-label={`Confirm: ${verb.toLowerCase()} ${name}`}
        onClick={() => void confirm()}
      >
        Confirm
      </button>
    </span>
  )
}

/** Returns the focus to where it came from when the calling component goes: a button, or the opener of its menu. */
function useFocusBack(): void {
  const [from] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const back = from?.closest('[data-menu]')?.querySelector('summary') ?? from
      if (back instanceof HTMLElement) back.focus()
    },
    [from],
  )
}
