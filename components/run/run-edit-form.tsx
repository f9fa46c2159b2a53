'use client'

import type { RunEdits, RunNames } from '@/lib/history/stored-runs'
import type { UtcIso } from '@/lib/run/run'
import { ActionForm } from '../forms/action-form'
import type { FormField } from '../forms/fields'
import type { Fields } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { readLabels, writeLabels } from '../runs/label-text'
import styles from './run-edit-form.module.css'

export interface EditedRun extends RunNames {
  readonly id: string
  readonly projectSlug: string
  readonly startedAt: UtcIso | null
  readonly candidate: boolean
  readonly counted: boolean | null
}

interface RunEditFormProps {
  readonly run: EditedRun
  onDone(): void
}

/** `2022-03-04T09:41:05`, in the form that an input for date and time takes. */
const forInput = (at: UtcIso | null): string => at?.slice(0, 19) ?? ''

const countedOptions = [
  { value: '', name: 'If its guards allow it' },
  { value: 'yes', name: 'Yes, whatever its guards say' },
  { value: 'no', name: 'No' },
  { value: 'candidate', name: 'No: a candidate, judged against it' },
]
const countedWord = (counted: boolean | null): string => (counted === null ? '' : counted ? 'yes' : 'no')

/** Names, labels and start of a run. Sends only what was changed. */
export function RunEditForm({ run, onDone }: RunEditFormProps) {
  const send = async ({ text }: Fields) => {
    const edits = readEdits(run, text)
    if (Object.keys(edits).length > 0)
      await callApi('PATCH', `/api/v1/projects/${run.projectSlug}/runs/${run.id}`, edits)
    onDone()
  }
  return (
    <ActionForm
      className={`grid gap-12 ${styles.form}`}
      label="Edit run"
      fields={fieldsOf(run)}
      button="Save"
      buttonsClass={`row wrap gap-8 ${styles.wide}`}
      onCancel={onDone}
      send={send}
    />
  )
}

function fieldsOf({ scenario, variant, environment, startedAt, labels, candidate, counted }: EditedRun) {
  const name = { maxLength: 200 }
  const fields: readonly FormField[] = [
    { ...name, name: 'scenario', label: 'Scenario', defaultValue: scenario, required: true, autoFocus: true },
    { ...name, name: 'variant', label: 'Variant (empty: none)', defaultValue: variant ?? '' },
    { ...name, name: 'environment', label: 'Environment (empty: none)', defaultValue: environment ?? '' },
    {
      name: 'startedAt',
      label: 'Started, UTC (empty: unknown)',
      type: 'datetime-local',
      step: '1',
      defaultValue: forInput(startedAt),
    },
    {
      name: 'labels',
      label: 'Labels, one key=value per line',
      className: styles.wide,
      rows: Math.max(3, Object.keys(labels).length + 1),
      defaultValue: writeLabels(labels),
    },
    {
      name: 'counted',
      label: 'Part of its series',
      options: countedOptions,
      initial: candidate ? 'candidate' : countedWord(counted),
    },
  ]
  return fields
}

function readEdits(run: EditedRun, read: (name: string) => string): RunEdits {
  const labels = readLabels(read('labels'))
  const scenario = read('scenario')
  const variant = read('variant') || null
  const environment = read('environment') || null
  const started = read('startedAt')
  const part = read('counted')
  const candidate = part === 'candidate'
  const counted = candidate ? run.counted : part === '' ? null : part === 'yes'
  return {
    ...(scenario === run.scenario ? {} : { scenario }),
    ...(variant === run.variant ? {} : { variant }),
    ...(environment === run.environment ? {} : { environment }),
    ...(writeLabels(labels) === writeLabels(run.labels) ? {} : { labels }),
    ...(started.slice(0, 19) === forInput(run.startedAt) ? {} : { startedAt: utcOf(started) }),
    ...(candidate === run.candidate ? {} : { candidate }),
    ...(counted === run.counted ? {} : { counted }),
  }
}

/** Browsers leave seconds out when they are 0. Throws an Error for text that is not a time. */
function utcOf(text: string): UtcIso | null {
  if (text === '') return null
  const at = new Date(`${text}Z`)
  if (Number.isNaN(at.getTime())) throw new Error(`“${text}” is not a date and time.`)
  return at.toISOString()
}
