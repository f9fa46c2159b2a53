'use client'

import { useState } from 'react'
import type { RunForm } from './preview-edits'
import styles from './draft-form.module.css'

interface Props {
  readonly busy: boolean
  readonly problem: string | null
  readonly saveLabel: string
  readonly canSave: boolean
  /** Whether there is more than one run to set things for. */
  readonly several: boolean
  onSetAll(change: (form: RunForm) => RunForm): void
  onDiscard(): void
}

type Field = 'scenario' | 'variant' | 'environment' | 'label'

/** Sets a name or label on a form; a label replaces the one of the same key. */
function withField(form: RunForm, field: Field, text: string): RunForm {
  if (field !== 'label') return { ...form, [field]: text }
  const at = text.indexOf('=')
  const key = at < 0 ? text : text.slice(0, at).trim()
  const value = at < 0 ? '' : text.slice(at + 1).trim()
  return { ...form, labels: [...form.labels.filter(([other]) => other !== key), [key, value]] }
}

/** The bottom bar of a preview: one value for all runs, save, discard. */
export function DraftBar({ busy, problem, saveLabel, canSave, several, onSetAll, onDiscard }: Props) {
  const [field, setField] = useState<Field>('environment')
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const setAll = () => {
    const value = text.trim()
    if ((field === 'scenario' || field === 'label') && value === '') return
    onSetAll((form) => withField(form, field, value))
    setSaid(`${field} set for all runs`)
    setText('')
  }
  return (
    <div className={styles.bar}>
      {problem !== null && (
        <p className={`notice notice-error ${styles.problem}`} role="alert">
          {problem}
        </p>
      )}
      {several && (
        <div className={styles.all}>
          <label>
            <span className="visually-hidden">Field to set for all runs</span>
            <select
              className="select"
              value={field}
              onChange={(event) => setField(fields.find((one) => one === event.target.value) ?? 'environment')}
            >
              {fields.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
          <input
            className={`input ${styles.value}`}
            aria-label={`${field} for all runs`}
            placeholder={field === 'label' ? 'commit=abc123' : `${field} for all`}
            value={text}
            maxLength={field === 'label' ? 301 : 200}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) setAll()
            }}
          />
          <button type="button" className="button" onClick={setAll}>
            Set for all
          </button>
          <span className="visually-hidden" aria-live="polite">
            {said}
          </span>
        </div>
      )}
      <div className={styles.actions}>
        <button type="button" className="button" disabled={busy} onClick={onDiscard}>
          Discard
        </button>
        <button type="submit" className="button button-primary" disabled={busy || !canSave} title="Ctrl+Enter">
          {busy ? 'Saving …' : saveLabel}
        </button>
      </div>
    </div>
  )
}

const fields: readonly Field[] = ['scenario', 'variant', 'environment', 'label']
