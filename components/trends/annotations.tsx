'use client'

import { useRouter } from 'next/navigation'
import type { FormEvent } from 'react'
import { annotationKinds, type Annotation } from '@/lib/project/annotations'
import { formatTime } from '@/lib/format'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import { useMay } from '../ui/may'
import styles from './annotations.module.css'

interface Props {
  readonly projectSlug: string
  readonly scenario: string
  /** Of the scenario and of the whole project, oldest first. */
  readonly annotations: readonly Annotation[]
}

/** What happened outside of the runs, newest first, and a form to note more. */
export function Annotations({ projectSlug, scenario, annotations }: Props) {
  const router = useRouter()
  const { problem, attempt } = useAttempts()
  const mayEdit = useMay('edit')
  const url = `/api/v1/projects/${projectSlug}/annotations`
  const change = async (work: () => Promise<unknown>) => {
    if (await attempt(work)) router.refresh()
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const at = text('at') === '' ? {} : { at: `${text('at')}:00Z` }
    const body = { kind: text('kind'), text: text('text'), scenario: text('scope') === '' ? null : scenario, ...at }
    void change(async () => {
      await callApi('POST', url, body)
      form.reset()
    })
  }
  return (
    <section aria-label="Annotations">
      {mayEdit && (
        <form className={styles.form} onSubmit={onSubmit}>
          <label>
            What happened
            <input className="input" name="text" required maxLength={500} placeholder="Deployed 2.4.1" />
          </label>
          <label>
            Kind
            <select className="select" name="kind">
              {annotationKinds.map((kind) => (
                <option key={kind}>{kind}</option>
              ))}
            </select>
          </label>
          <label>
            When, UTC (empty: now)
            <input className="input" name="at" type="datetime-local" />
          </label>
          <label>
            For
            <select className="select" name="scope">
              <option value="">the whole project</option>
              <option value="scenario">{scenario}</option>
            </select>
          </label>
          <button type="submit" className="button">
            Add
          </button>
        </form>
      )}
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
                onClick={() => void change(() => callApi('DELETE', `${url}/${one.id}`))}
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
