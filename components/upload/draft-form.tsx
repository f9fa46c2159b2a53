'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { plural } from '@/lib/format'
import { readPair } from '@/lib/text'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import { announceFailure } from '../ui/toasts'
import { settleDraft, useEditing } from './draft-ledger'
import { DraftRunCard } from './draft-run-card'
import type { PreviewRun } from './prepare-preview'
import { editsOf, formOf, pageAfterSave, savedRunIds, type RunForm } from './preview-edits'
import styles from './draft-form.module.css'

const previewPath = (projectSlug: string, uploadId: string) => `/p/${projectSlug}/upload/${uploadId}`
const apiPath = (projectSlug: string, uploadId: string) => `/api/v1/projects/${projectSlug}/uploads/${uploadId}`

interface Props {
  readonly projectSlug: string
  readonly uploadId: string
  readonly runs: readonly PreviewRun[]
  /** What is above the cards and scrolls with them. */
  readonly children: ReactNode
}

/** The cards of a draft and the bar that saves them. Nothing is saved before its button (or Ctrl+Enter) is pressed. */
export function DraftForm({ projectSlug, uploadId, runs, children }: Props) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const [forms, setForms] = useState<readonly RunForm[]>(() => runs.map(formOf))
  const [busy, setBusy] = useState(false)
  const { problem, attempt } = useAttempts()
  const count = forms.filter(({ include }) => include).length
  const here = previewPath(projectSlug, uploadId)
  useEditing(here)

  async function act(action: () => Promise<string>) {
    setBusy(true)
    if (!(await attempt(async () => router.push(await action())))) setBusy(false)
  }
  const save = () =>
    act(async () => {
      const edits = runs.flatMap((run, index) => (forms[index] ? [editsOf(run, forms[index])] : []))
      const ids = savedRunIds(await callApi('POST', `${apiPath(projectSlug, uploadId)}/save`, { edits }))
      return settleDraft(here, 'saved') ?? pageAfterSave(projectSlug, uploadId, ids, forms)
    })

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.current?.requestSubmit()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  return (
    <form
      ref={form}
      className={styles.form}
      aria-label="Runs found"
      // Enter in a field must not save seven runs.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && count > 0) void save()
      }}
    >
      <div className={styles.cards}>
        {children}
        {runs.map((run, index) => (
          <DraftRunCard
            key={run.index}
            run={run}
            form={forms[index] ?? formOf(run)}
            onChange={(change) => setForms((all) => all.map((one, at) => (at === index ? { ...one, ...change } : one)))}
          />
        ))}
      </div>
      <DraftBar
        busy={busy}
        problem={problem}
        several={runs.length > 1}
        saveLabel={count === 0 ? 'No run to save' : `Save ${plural(count, 'run')}`}
        canSave={count > 0}
        onSetAll={(change) => setForms((all) => all.map(change))}
        onDiscard={() => void act(() => discardDraft(projectSlug, uploadId))}
      />
    </form>
  )
}

interface BarProps {
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
  const [key, value] = readPair(text) ?? [text, '']
  return { ...form, labels: [...form.labels.filter(([other]) => other !== key), [key, value]] }
}

/** The bottom bar of a preview: one value for all runs, save, discard. */
function DraftBar({ busy, problem, saveLabel, canSave, several, onSetAll, onDiscard }: BarProps) {
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

/** Throws a draft away; the next one that was sent with it, else the upload page. */
async function discardDraft(projectSlug: string, uploadId: string): Promise<string> {
  await callApi('DELETE', apiPath(projectSlug, uploadId))
  return settleDraft(previewPath(projectSlug, uploadId), 'discarded') ?? `/p/${projectSlug}/upload`
}

/** Throws a draft away and goes to the next one that was sent with it, else back to the upload page. */
export function DiscardButton({ projectSlug, uploadId }: { readonly projectSlug: string; readonly uploadId: string }) {
  const router = useRouter()
  const discard = () => discardDraft(projectSlug, uploadId).then((next) => router.push(next), announceFailure)
  return (
    <button type="button" className="button" onClick={() => void discard()}>
      Discard
    </button>
  )
}
