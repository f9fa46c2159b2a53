'use client'

import type { RunEdits, RunNames } from '@/lib/run/stored'
import type { UtcIso } from '@/lib/run/run'
import { Choice } from '../forms/choice'
import { useForm } from '../ui/action'
import { callApi } from '../ui/call-api'
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
  const { isBusy, problem, onSubmit } = useForm(async ({ text }) => {
    const edits = readEdits(run, text)
    if (Object.keys(edits).length > 0)
      await callApi('PATCH', `/api/v1/projects/${run.projectSlug}/runs/${run.id}`, edits)
    onDone()
  })
  const field = (name: 'scenario' | 'variant' | 'environment', label: string) => (
    <label>
      {label}
      <input
        name={name}
        className="input"
        defaultValue={run[name] ?? ''}
        required={name === 'scenario'}
        autoFocus={name === 'scenario'}
        maxLength={200}
      />
    </label>
  )
  return (
    <form className={styles.form} aria-label="Edit run" onSubmit={onSubmit}>
      {field('scenario', 'Scenario')}
      {field('variant', 'Variant (empty: none)')}
      {field('environment', 'Environment (empty: none)')}
      <label>
        Started, UTC (empty: unknown)
        <input
          name="startedAt"
          type="datetime-local"
          step="1"
          className="input"
          defaultValue={forInput(run.startedAt)}
        />
      </label>
      <label className={styles.wide}>
        Labels, one key=value per line
        <textarea
          name="labels"
          className="input"
          rows={Math.max(3, Object.keys(run.labels).length + 1)}
          defaultValue={writeLabels(run.labels)}
        />
      </label>
      <label>
        Part of its series
        <Choice
          label="Part of its series"
          name="counted"
          options={countedOptions}
          initial={run.candidate ? 'candidate' : countedWord(run.counted)}
        />
      </label>
      <div className={`${styles.buttons} ${styles.wide}`}>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          Save
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <span role="status" className="worse">
          {problem}
        </span>
      </div>
    </form>
  )
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
