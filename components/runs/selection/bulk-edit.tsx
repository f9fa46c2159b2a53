'use client'

import { plural } from '@/lib/format'
import { readPair } from '@/lib/text'
import { ActionForm } from '../../forms/action-form'
import type { FormField } from '../../forms/fields'
import type { Fields } from '../../ui/actions/action'
import { callApi } from '../../ui/actions/call-api'
import { announce } from '../../ui/actions/toasts'
import styles from './bulk-edit.module.css'

interface BulkEditProps {
  readonly slug: string
  readonly runIds: readonly string[]
  readonly onDone: () => void
}

type Body = Record<string, unknown>

const fields: readonly FormField[] = [
  { name: 'scenario', label: 'Scenario', placeholder: 'unchanged' },
  { name: 'variant', label: 'Variant', placeholder: 'unchanged; – for none' },
  { name: 'environment', label: 'Environment', placeholder: 'unchanged; – for none' },
  { name: 'add', label: 'Add label', placeholder: 'key=value' },
  { name: 'remove', label: 'Remove label', placeholder: 'key' },
].map((field) => ({ ...field, maxLength: 301, autoComplete: 'off' }))

/** Changes names and labels of the selected runs together. Empty fields keep the runs' own. */
export function BulkEdit({ slug, runIds, onDone }: BulkEditProps) {
  const send = async (values: Fields) => {
    const change = changeOf(values)
    await callApi('POST', `/api/v1/projects/${slug}/runs/bulk`, { action: 'edit', runs: runIds, ...change })
    onDone()
    announce(`${plural(runIds.length, 'run')} changed`)
  }
  return (
    <ActionForm
      className={`grid full ${styles.form}`}
      label="Edit selected runs"
      fields={fields}
      labelClass={`grid gap-4 slim ${styles.field}`}
      buttonsClass={`row wrap gap-8 ${styles.end}`}
      button={`Change ${plural(runIds.length, 'run')}`}
      onCancel={onDone}
      send={send}
    />
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
