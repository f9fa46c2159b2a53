'use client'

import { useEffect, useState } from 'react'
import { annotationKinds, type Annotation } from '@/lib/project/annotations'
import { formatTime } from '@/lib/format'
import { placePicked } from '../charts/plot/cursor'
import { ActionForm } from '../forms/action-form'
import { ConfirmButton } from '../forms/confirm-button'
import type { Fields } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { Dialog } from '../ui/dialog'
import dialogs from '../ui/dialog.module.css'
import { useIsAllowed } from '../ui/actions/access'
import styles from './annotations.module.css'

interface Props {
  readonly projectSlug: string
  readonly scenario: string
  /** Annotations of the scenario and of the whole project, oldest first. */
  readonly annotations: readonly Annotation[]
}

/** Events outside of the runs, newest first; the key E in the chart, a long press or a button adds one. */
export function Annotations({ projectSlug, scenario, annotations }: Props) {
  const mayEdit = useIsAllowed('edit')
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
  return (
    <section aria-label="Annotations">
      {mayEdit && (
        <button type="button" className="button" onClick={() => setAt('')}>
          Add event
        </button>
      )}
      {at !== null && (
        <Dialog label="Add event" onClose={() => setAt(null)}>
          {(close) => <EventForm url={url} scenario={scenario} at={at} onDone={close} />}
        </Dialog>
      )}
      <ul className={`grid gap-4 above-12 ${styles.list}`}>
        {[...annotations].reverse().map((one) => (
          <li key={one.id}>
            <time dateTime={one.at}>{formatTime(one.at)}</time>
            <span>
              <strong>{one.kind}</strong> {one.text}
              {one.scenario === null && <span className="muted"> whole project</span>}
            </span>
            {mayEdit && (
              <ConfirmButton
                isCalm
                verb="Remove"
                name={`${one.kind} ${one.text}`}
                url={`${url}/${one.id}`}
                done={`Event “${one.text}” removed`}
              />
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
  const send = async ({ text }: Fields) => {
    const when = text('at') === '' ? {} : { at: `${text('at')}:00Z` }
    const scope = text('scope') === '' ? null : scenario
    await callApi('POST', url, { kind: text('kind'), text: text('text'), scenario: scope, ...when })
    onDone()
  }
  return (
    <ActionForm
      className={dialogs.form}
      labelClass={dialogs.field}
      buttonsClass={dialogs.buttons}
      head={<h2 className="section-title">Add event</h2>}
      fields={[
        {
          name: 'text',
          label: 'What happened',
          required: true,
          maxLength: 500,
          placeholder: 'Deployed 2.4.1',
          autoFocus: true,
        },
        { name: 'at', label: 'When, UTC (empty: now)', type: 'datetime-local', defaultValue: at },
        { name: 'kind', label: 'Kind', options: annotationKinds.map((kind) => ({ value: kind, name: kind })) },
        {
          name: 'scope',
          label: 'For',
          options: [
            { value: '', name: 'Whole project' },
            { value: 'scenario', name: scenario },
          ],
        },
      ]}
      button="Add"
      onCancel={onDone}
      send={send}
    />
  )
}
