'use client'

import { useEffect, useRef, useState } from 'react'
import { annotationKinds, type Annotation } from '@/lib/project/annotations'
import { formatTime } from '@/lib/format'
import { placePicked } from '../charts/plot/cursor'
import { useAction, useForm } from '../ui/action'
import { callApi } from '../ui/call-api'
import dialogs from '../ui/dialog.module.css'
import { useMay } from '../ui/may'
import { PickList } from '../rules/pick-list'
import styles from './annotations.module.css'

interface Props {
  readonly projectSlug: string
  readonly scenario: string
  /** Annotations of the scenario and of the whole project, oldest first. */
  readonly annotations: readonly Annotation[]
}

/** Events outside of the runs, newest first; a click in the chart or a button adds one. */
export function Annotations({ projectSlug, scenario, annotations }: Props) {
  const { problem, act } = useAction()
  const mayEdit = useMay('edit')
  const dialog = useRef<HTMLDialogElement>(null)
  /** Its time, as in the field; empty: now. Null: the form is closed. */
  const [at, setAt] = useState<string | null>(null)
  const url = `/api/v1/projects/${projectSlug}/annotations`
  useEffect(() => {
    const onPlace = (event: Event) => {
      if (mayEdit && event instanceof CustomEvent && typeof event.detail === 'number')
        setAt(new Date(event.detail).toISOString().slice(0, 16))
    }
    document.addEventListener(placePicked, onPlace)
    return () => document.removeEventListener(placePicked, onPlace)
  }, [mayEdit])
  useEffect(() => {
    if (at !== null && dialog.current?.open === false) dialog.current.showModal()
  }, [at])
  const remove = (id: string) => act(() => callApi('DELETE', `${url}/${id}`))
  return (
    <section aria-label="Annotations">
      {mayEdit && (
        <button type="button" className="button" onClick={() => setAt('')}>
          Add event
        </button>
      )}
      <dialog ref={dialog} className={dialogs.dialog} aria-labelledby="add-event" onClose={() => setAt(null)}>
        {at !== null && <EventForm url={url} scenario={scenario} at={at} onDone={() => dialog.current?.close()} />}
      </dialog>
      {problem !== null && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
      <ul className={styles.list}>
        {[...annotations].reverse().map((one) => (
          <li key={one.id}>
            <time dateTime={one.at}>{formatTime(one.at)}</time>
            <span>
              <strong>{one.kind}</strong> {one.text}
              {one.scenario === null && <span className="muted"> whole project</span>}
            </span>
            {mayEdit && (
              <button
                type="button"
                className="button"
                aria-label={`Remove ${one.kind} ${one.text}`}
                onClick={() => void remove(one.id)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FormProps {
  /** API path for adding one. */
  readonly url: string
  readonly scenario: string
  /** `2026-10-30T00:00`, UTC; empty: now. */
  readonly at: string
  readonly onDone: () => void
}

/** What happened, when, and to which runs. */
function EventForm({ url, scenario, at, onDone }: FormProps) {
  const { isBusy, problem, onSubmit } = useForm(async ({ text }) => {
    const when = text('at') === '' ? {} : { at: `${text('at')}:00Z` }
    const scope = text('scope') === '' ? null : scenario
    await callApi('POST', url, { kind: text('kind'), text: text('text'), scenario: scope, ...when })
    onDone()
  })
  return (
    <form className={dialogs.form} onSubmit={onSubmit}>
      <h2 id="add-event" className="section-title">
        Add event
      </h2>
      <label className={dialogs.field}>
        What happened
        <input className="input" name="text" required maxLength={500} placeholder="Deployed 2.4.1" autoFocus />
      </label>
      <label className={dialogs.field}>
        When, UTC (empty: now)
        <input className="input" name="at" type="datetime-local" defaultValue={at} />
      </label>
      <div className={dialogs.buttons}>
        <PickList
          name="kind"
          label="Kind"
          kind="radio"
          options={annotationKinds.map((kind) => ({ value: kind, name: kind }))}
          chosen={annotationKinds.slice(0, 1)}
          searches="kinds"
        />
        <PickList
          name="scope"
          label="For"
          kind="radio"
          options={[
            { value: '', name: 'Whole project' },
            { value: 'scenario', name: scenario },
          ]}
          chosen={['']}
          searches="scenarios"
        />
      </div>
      {problem !== null && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
      <div className={dialogs.buttons}>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          Add
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  )
}
