'use client'

import { plural } from '@/lib/format'
import { readPair } from '@/lib/text'
import { useForm, type Fields } from '../ui/action'
import { callApi } from '../ui/call-api'
import { announce } from '../ui/toasts'
import styles from './bulk-edit.module.css'

interface BulkEditProps {
  readonly slug: string
  readonly runIds: readonly string[]
  readonly onDone: () => void
}

type Body = Record<string, unknown>

/** Changes names and labels of the selected runs together. Empty fields keep the runs' own. */
export function BulkEdit({ slug, runIds, onDone }: BulkEditProps) {
  const { isBusy, problem, onSubmit } = useForm(async (fields) => {
    const change = changeOf(fields)
    await callApi('POST', `/api/v1/projects/${slug}/runs/bulk`, { action: 'edit', runs: runIds, ...change })
    onDone()
    announce(`${plural(runIds.length, 'run')} changed`)
  })
  const field = (name: string, label: string, placeholder: string) => (
    <label className={styles.field}>
      {label}
      <input className="input" name={name} maxLength={301} placeholder={placeholder} autoComplete="off" />
    </label>
  )
  return (
    <form className={styles.form} aria-label="Edit selected runs" onSubmit={onSubmit}>
      {field('scenario', 'Scenario', 'unchanged')}
      {field('variant', 'Variant', 'unchanged; – for none')}
      {field('environment', 'Environment', 'unchanged; – for none')}
      {field('add', 'Add label', 'key=value')}
      {field('remove', 'Remove label', 'key')}
      <div className={styles.end}>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          Change {plural(runIds.length, 'run')}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <span role="alert" className={styles.error}>
          {problem}
        </span>
      </div>
    </form>
  )
}

/** The changes in the form. Throws an Error that explains why there are none. */
function changeOf({ text: of }: Fields): Body {
  const change: Body = {}
  if (of('scenario') !== '') change['scenario'] = of('scenario')
  for (const name of ['variant', 'environment']) {
    if (of(name) !== '') change[name] = /^[–-]$/.test(of(name)) ? null : of(name)
  }
  const add = of('add')
  const pair = readPair(add)
  if (add !== '' && pair === null) throw new Error('Write the label as key=value, such as branch=main.')
  if (pair !== null) change['addLabels'] = { [pair[0]]: pair[1] }
  if (of('remove') !== '') change['removeLabels'] = [of('remove')]
  if (Object.keys(change).length === 0) throw new Error('Enter at least one change.')
  return change
}
