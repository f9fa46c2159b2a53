'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState, type RefObject } from 'react'
import { plural } from '@/lib/format'
import type { KnownNames } from '@/lib/history/run-list'
import { readPair } from '@/lib/text'
import { useAction } from '../../ui/actions/action'
import { DraftMerge } from '../../merge/draft-merge'
import { useMergePlan } from '../../merge/merge-plan'
import { useMergeUndo } from '../../merge/merge-undo'
import { callApi, readApi, textOf } from '../../ui/actions/call-api'
import { announceFailure } from '../../ui/actions/toasts'
import { fateOf, settleDraft, useEditing } from '../draft-ledger'
import { LabelChips, LabelRows } from './draft-labels'
import { DraftRunCard } from './draft-run-card'
import { DraftTable } from './draft-table'
import { SetField } from './set-field'
import { useSubmitKey } from './submit-key'
import type { PreviewColumn, PreviewRun } from './prepare-preview'
import {
  editForms,
  editsOf,
  formOf,
  nameFields,
  nameOptions,
  pageAfterSave,
  savedRunIds,
  sharedLabels,
  withLabel,
  type NameOptions,
  type RunForm,
} from './preview-edits'
import styles from './draft-form.module.css'

const previewPath = (projectSlug: string, uploadId: string) => `/p/${projectSlug}/upload/${uploadId}`
const apiPath = (projectSlug: string, uploadId: string) => `/api/v1/projects/${projectSlug}/uploads/${uploadId}`

interface Props {
  readonly project: { readonly slug: string; readonly name: string }
  readonly uploadId: string
  readonly runs: readonly PreviewRun[]
  readonly columns: readonly PreviewColumn[]
  /** Indices of runs that look like generators of one test; empty: there are none. */
  readonly mergeable: readonly number[]
  readonly known: KnownNames
  readonly view: 'table' | 'cards'
}

/** The runs of a draft and the bar that saves them. Nothing is saved before its button (or Ctrl+Enter) is pressed. */
export function DraftForm({ project, uploadId, runs, columns, mergeable, known, view }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [forms, edit] = useReducer(editForms, runs, (all) => all.map(formOf))
  const options = useMemo(() => nameOptions(known, runs), [known, runs])
  const merging = useDraftMerge(apiPath(project.slug, uploadId), { runs, forms, mergeable })
  const { isBusy, problem, save, discard } = useSaving({ project, uploadId, runs, forms, parts: merging.parts, form })
  const change = useCallback((index: number, part: Partial<RunForm>) => edit({ kind: 'one', index, change: part }), [])
  useFreshDraft(previewPath(project.slug, uploadId))
  useSubmitKey(form)
  return (
    <form
      ref={form}
      className="grid gap-12 slim one-column"
      aria-label="Runs found"
      // Enter in a field must not save seven runs.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && merging.count > 0 && !merging.isWaiting) void save()
      }}
    >
      {view === 'table' ? (
        <DraftTable
          runs={runs}
          forms={forms}
          columns={columns}
          options={options}
          onChange={change}
          onInclude={(include) => edit({ kind: 'all', set: (one) => ({ ...one, include }) })}
        />
      ) : (
        <div className="grid gap-12 slim one-column">
          {runs.map((run, index) => (
            <DraftRunCard
              key={run.index}
              run={run}
              form={forms[index] ?? formOf(run)}
              columns={columns}
              options={options}
              onChange={(part) => change(index, part)}
            />
          ))}
        </div>
      )}
      {runs.length > 1 && <ForAll forms={forms} options={options} onChange={(set) => edit({ kind: 'all', set })} />}
      {merging.offered.length > 1 && <DraftMerge {...merging} onChange={merging.choose} />}
      <SaveBar
        projectName={project.name}
        count={merging.count}
        isBusy={isBusy}
        isWaiting={merging.isWaiting}
        problem={problem}
        onDiscard={discard}
      />
    </form>
  )
}

interface Draft extends Pick<Props, 'project' | 'uploadId' | 'runs'> {
  readonly forms: readonly RunForm[]
  /** Runs to save as one; null: none. */
  readonly parts: readonly number[] | null
  readonly form: RefObject<HTMLFormElement | null>
}

/** Saves or discards a draft, and goes on to the next one that was sent with it, or to its runs. */
function useSaving({ project, uploadId, runs, forms, parts, form }: Draft) {
  const router = useRouter()
  // If it is refused, another tab may have saved it: its runs then replace this form.
  const { isBusy, problem, act } = useAction({ leaves: true })
  const offerSplit = useMergeUndo(project.slug)
  const here = previewPath(project.slug, uploadId)
  const leave = (work: () => Promise<string>) => act(async () => router.push(await work()))
  const send = async () => {
    if (form.current?.reportValidity() === false) throw new Error('A run that would be saved has no scenario.')
    const edits = runs.flatMap((run, index) => (forms[index] ? [editsOf(run, forms[index])] : []))
    const merge = parts === null ? {} : { merge: parts }
    return callApi('POST', `${apiPath(project.slug, uploadId)}/save`, { edits, ...merge })
  }
  useEditing(here, send)
  const save = () =>
    leave(async () => {
      const saved = await send()
      const merged = textOf(saved, 'merged')
      if (merged !== null) offerSplit(merged, parts?.length ?? 0)
      const page = merged === null ? pageAfterSave(project.slug, uploadId, savedRunIds(saved), forms) : null
      return settleDraft(here, 'saved') ?? page ?? `/p/${project.slug}/runs/${merged}`
    })
  return { isBusy, problem, save, discard: () => void leave(() => discardDraft(project.slug, uploadId)) }
}

interface SaveBarProps {
  readonly projectName: string
  /** Runs that would be saved. */
  readonly count: number
  readonly isBusy: boolean
  /** The plan of a merge was requested. */
  readonly isWaiting: boolean
  readonly problem: string | null
  onDiscard(): void
}

function SaveBar({ projectName, count, isBusy, isWaiting, problem, onDiscard }: SaveBarProps) {
  return (
    <div className={`row wrap text-13 ${styles.bar}`}>
      {problem !== null && (
        <p className="notice notice-error full flush" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className="button button-danger" disabled={isBusy} onClick={onDiscard}>
        Discard
      </button>
      <span className={`bold break push wide-only ${styles.project}`}>
        <span className="muted">Project</span> {projectName}
      </span>
      <button
        type="submit"
        className="button button-primary"
        disabled={isBusy || count === 0 || isWaiting}
        title="Ctrl+Enter"
        data-command="Save the upload"
      >
        {isBusy ? 'Saving …' : count === 0 ? 'No run to save' : `Save ${plural(count, 'run')}`}
      </button>
    </div>
  )
}

interface MergeableDraft {
  readonly runs: readonly PreviewRun[]
  readonly forms: readonly RunForm[]
  readonly mergeable: readonly number[]
}

/**
 * The runs of a draft to merge, and the server's plan for that. `parts`: null if there are none, or if the server
 * refused. `count`: runs that would be saved. `isWaiting`: the plan was requested.
 */
function useDraftMerge(api: string, { runs, forms, mergeable }: MergeableDraft) {
  const [asked, choose] = useState<readonly number[] | null>(null)
  const offered = runs
    .filter(({ index }) => mergeable.includes(index) && forms[index]?.include === true)
    .map(({ index, file, about }) => ({ index, about: file === null ? about : `${file}: ${about}` }))
  const chosen = asked?.filter((at) => offered.some(({ index }) => index === at)) ?? null
  const isMerge = chosen !== null && chosen.length > 1
  // Names do not affect the plan, starts do.
  const edits = () =>
    runs.map((run, index) => {
      const { startedAt } = editsOf(run, forms[index] ?? formOf(run))
      return startedAt === undefined ? {} : { startedAt }
    })
  const ask = useCallback((body: string, signal: AbortSignal) => readApi(`${api}/merge`, signal, body), [api])
  const plan = useMergePlan(isMerge ? JSON.stringify({ edits: edits(), merge: chosen }) : null, ask)
  const parts = isMerge && plan?.kind !== 'refused' ? chosen : null
  const included = forms.filter(({ include }) => include).length
  const count = included - (parts === null ? 0 : parts.length - 1)
  return { offered, chosen, plan, parts, choose, count, isWaiting: isMerge && plan === null }
}

/** Reloads the page when the user returns to it: another tab may have saved the draft, or this one before `Back`. */
function useFreshDraft(here: string): void {
  const router = useRouter()
  useEffect(() => {
    if (fateOf(here) !== 'open') router.refresh()
    const refresh = () => {
      if (document.visibilityState === 'visible') router.refresh()
    }
    document.addEventListener('visibilitychange', refresh)
    window.addEventListener('pageshow', refresh)
    return () => {
      document.removeEventListener('visibilitychange', refresh)
      window.removeEventListener('pageshow', refresh)
    }
  }, [here, router])
}

interface ForAllProps {
  readonly forms: readonly RunForm[]
  readonly options: NameOptions
  onChange(set: (form: RunForm) => RunForm): void
}

/** What is the same in all runs, shown once, and fields that set it in all of them. */
function ForAll({ forms, options, onChange }: ForAllProps) {
  const [said, setSaid] = useState('')
  const { same } = sharedLabels(forms)
  const setLabels = (labels: RunForm['labels']) =>
    onChange((form) => {
      const others = form.labels.filter(([key]) => !same.some(([shared]) => shared === key))
      return { ...form, labels: [...labels, ...others] }
    })
  const set = (what: string, value: string) => {
    if (what === 'label') {
      const [key, text] = readPair(value) ?? [value, '']
      onChange((form) => withLabel(form, key, text))
    } else onChange((form) => ({ ...form, [what]: value }))
    setSaid(`${what} set for all runs`)
  }
  return (
    <>
      {same.length > 0 && (
        <details className={`bare-summary text-13 ${styles.same}`}>
          <summary>
            <span className="muted">Same in all runs:</span> <LabelChips labels={same} />{' '}
            <span className={styles.link}>Edit</span>
          </summary>
          <LabelRows of="all runs" labels={same} sources={{}} onChange={setLabels} />
        </details>
      )}
      <fieldset className={`row wrap ${styles.all}`}>
        <legend>Set for all</legend>
        {nameFields.map(({ key }) => (
          <SetField key={key} what={key} options={options[key]} onSet={(value) => set(key, value)} />
        ))}
        <SetField what="label" options={[]} onSet={(value) => set('label', value)} />
        <span className="visually-hidden" aria-live="polite">
          {said}
        </span>
      </fieldset>
    </>
  )
}

/** Discards a draft; returns the next one that was sent with it, else the upload page. */
async function discardDraft(projectSlug: string, uploadId: string): Promise<string> {
  await callApi('DELETE', apiPath(projectSlug, uploadId))
  return settleDraft(previewPath(projectSlug, uploadId), 'discarded') ?? `/p/${projectSlug}/upload`
}

/** Discards a draft and goes to the next one that was sent with it, else back to the upload page. */
export function DiscardButton({ projectSlug, uploadId }: { readonly projectSlug: string; readonly uploadId: string }) {
  const router = useRouter()
  const discard = () => discardDraft(projectSlug, uploadId).then((next) => router.push(next), announceFailure)
  return (
    <button type="button" className="button button-danger" onClick={() => void discard()}>
      Discard
    </button>
  )
}
