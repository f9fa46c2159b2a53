'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { plural } from '@/lib/format'
import { callApi, sentenceOf } from '../ui/call-api'
import { DraftBar } from './draft-bar'
import { settleDraft, useEditing } from './draft-ledger'
import { DraftRunCard } from './draft-run-card'
import type { PreviewRun } from './prepare-preview'
import { editsOf, formOf, pageAfterSave, type RunForm } from './preview-edits'
import { savedRunIds } from './saved-runs'
import styles from './draft-form.module.css'

interface Props {
  readonly projectSlug: string
  readonly uploadId: string
  readonly runs: readonly PreviewRun[]
  /** What stands above the cards and scrolls with them. */
  readonly children: ReactNode
}

/** The cards of a draft and the bar that saves them. Nothing is saved before its button (or Ctrl+Enter) is pressed. */
export function DraftForm({ projectSlug, uploadId, runs, children }: Props) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const [forms, setForms] = useState<readonly RunForm[]>(() => runs.map(formOf))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const count = forms.filter(({ include }) => include).length
  const here = `/p/${projectSlug}/upload/${uploadId}`
  useEditing(here)
  const address = `/api/v1/projects/${projectSlug}/uploads/${uploadId}`

  async function act(action: () => Promise<string>) {
    setBusy(true)
    setProblem(null)
    try {
      router.push(await action())
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  const save = () =>
    act(async () => {
      const edits = runs.flatMap((run, index) => (forms[index] ? [editsOf(run, forms[index])] : []))
      const ids = savedRunIds(await callApi('POST', `${address}/save`, { edits }))
      return settleDraft(here, 'saved') ?? pageAfterSave(projectSlug, uploadId, ids, forms)
    })
  const discard = () =>
    act(async () => {
      await callApi('DELETE', address)
      return settleDraft(here, 'discarded') ?? `/p/${projectSlug}/upload`
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
        onDiscard={() => void discard()}
      />
    </form>
  )
}
