'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { plural } from '@/lib/format'
import { readPair } from '@/lib/text'
import { callApi, sentenceOf } from '../ui/call-api'
import { announce } from '../ui/toasts'
import styles from './bulk-edit.module.css'

interface BulkEditProps {
  readonly slug: string
  readonly runIds: readonly string[]
  readonly onDone: () => void
}

type Body = Record<string, unknown>

/** Changes names and labels of the selected runs together. Empty fields leave what the runs have. */
export function BulkEdit({ slug, runIds, onDone }: BulkEditProps) {
  const router = useRouter()
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const change = changeOf(new FormData(event.currentTarget))
    if (typeof change === 'string') return setError(change)
    setBusy(true)
    try {
      await callApi('POST', `/api/v1/projects/${slug}/runs/bulk`, { action: 'edit', runs: runIds, ...change })
      onDone()
      announce(`${plural(runIds.length, 'run')} changed`)
      router.refresh()
    } catch (failure) {
      setError(sentenceOf(failure))
    }
    setBusy(false)
  }
  const field = (name: string, label: string, placeholder: string) => (
    <label className={styles.field}>
      {label}
      <input className="input" name={name} maxLength={301} placeholder={placeholder} autoComplete="off" />
    </label>
  )
  return (
    <form className={styles.form} aria-label="Edit selected runs" onSubmit={(event) => void save(event)}>
      {field('scenario', 'Scenario', 'unchanged')}
      {field('variant', 'Variant', 'unchanged; – for none')}
      {field('environment', 'Environment', 'unchanged; – for none')}
      {field('add', 'Add label', 'key=value')}
      {field('remove', 'Remove label', 'key')}
      <div className={styles.end}>
        <button type="submit" className="button button-primary" disabled={busy}>
          Change {plural(runIds.length, 'run')}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <span role="alert" className={styles.error}>
          {error}
        </span>
      </div>
    </form>
  )
}

/** What the form asks for, or why it asks for nothing. */
function changeOf(form: FormData): Body | string {
  const of = (name: string) => {
    const text = form.get(name)
    return typeof text === 'string' ? text.trim() : ''
  }
  const change: Body = {}
  if (of('scenario') !== '') change['scenario'] = of('scenario')
  for (const name of ['variant', 'environment']) {
    if (of(name) !== '') change[name] = /^[–-]$/.test(of(name)) ? null : of(name)
  }
  const add = of('add')
  const pair = readPair(add)
  if (add !== '' && pair === null) return 'Write the label as key=value, such as branch=main.'
  if (pair !== null) change['addLabels'] = { [pair[0]]: pair[1] }
  if (of('remove') !== '') change['removeLabels'] = [of('remove')]
  return Object.keys(change).length === 0 ? 'Enter at least one change.' : change
}
