'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useRef, useState } from 'react'
import { plural } from '@/lib/format'
import type { KnownNames } from '@/lib/history/run-list'
import { readPair } from '@/lib/text'
import { useAction } from '../../ui/actions/action'
import { callApi } from '../../ui/actions/call-api'
import { offerUndo } from '../../ui/actions/toasts'
import { fateOf, settleDraft, useEditing } from '../draft-ledger'
import { DraftTable } from '../draft/draft-table'
import type { PreviewColumn } from '../draft/prepare-preview'
import { editsOf, nameFields, nameOptions, withLabel, type NameOptions, type RunForm } from '../draft/preview-edits'
import { SetField } from '../draft/set-field'
import { useSubmitKey } from '../draft/submit-key'
import { fileTimeOf } from '../sent-files'
import { readPattern, splitByPattern, suggestPattern } from './name-pattern'
import { PatternPanel } from './pattern-panel'
import { manyDate, manyForms, manySource, nameMap, nameRun, type ManyRun, type Typed } from './prepare-many'
import draftStyles from '../draft/draft-form.module.css'
import styles from './many.module.css'

interface Props {
  readonly slug: string
  /** The path of this page. */
  readonly here: string
  readonly runs: readonly ManyRun[]
  readonly columns: readonly PreviewColumn[]
  readonly known: KnownNames
}

/** The runs of several files as one table: named by the files' names, corrected by hand, saved at once. */
export function ManyForm({ slug, here, runs, columns, known }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [pattern, setPattern] = useState(() => firstPattern(runs))
  const [typed, setTyped] = useState<Typed>({})
  const { named, forms, previews, options } = useNames({ slug, runs, known, pattern, typed })
  const set = (index: number, change: Partial<RunForm>) =>
    setTyped((all) => typedAfter(all, runs[index] === undefined ? [] : [[runs[index], change]]))
  const setAll = (change: (form: RunForm) => Partial<RunForm>) =>
    setTyped((all) =>
      typedAfter(
        all,
        runs.map((one, at) => [one, change(forms[at] ?? noForm)]),
      ),
    )
  const saidOf = (at: number) => ({ named: named[at] ?? null, typed: typed[runs[at]?.key ?? ''] ?? {} })
  const saving = useSavingMany({ slug, here, runs, forms })
  useSubmitKey(form)
  const example = runs.find((_, at) => named[at] != null)?.fileName ?? runs[0]?.fileName ?? ''
  return (
    <form
      ref={form}
      className="grid gap-16 slim one-column"
      aria-label="Runs found"
      // Enter in a field must not save all files.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isBusy && saving.count > 0 && event.currentTarget.reportValidity()) saving.save()
      }}
    >
      <PatternPanel
        example={example}
        pattern={pattern}
        fits={named.filter((one) => one !== null).length}
        of={runs.length}
        onChange={setPattern}
      />
      <InProject {...nameMap(named, known)} />
      <DraftTable
        runs={previews}
        forms={forms}
        columns={columns}
        options={options}
        onChange={set}
        onInclude={(include) => setAll(() => ({ include }))}
        files={{
          file: (at) => runs[at] && <FileName one={runs[at]} pattern={pattern} />,
          date: (at) => runs[at] && <Began {...manyDate(runs[at], saidOf(at), forms[at] ?? noForm)} />,
          source: (at, field) => (runs[at] ? manySource(runs[at], saidOf(at), field) : ''),
          forAll: <ForAll options={options} spare={columns.length + 1} onSet={setAll} />,
        }}
      />
      <SaveBar {...saving} />
    </form>
  )
}

/** What was decided by hand, with more. */
const typedAfter = (typed: Typed, changes: readonly (readonly [ManyRun, Partial<RunForm>])[]): Typed => ({
  ...typed,
  ...Object.fromEntries(changes.map(([{ key }, change]) => [key, { ...typed[key], ...change }])),
})

const noForm: RunForm = { include: false, scenario: '', variant: '', environment: '', startedAt: '', labels: [] }

/** A suggestion, unless the documents themselves say what it would. */
function firstPattern(runs: readonly ManyRun[]): string {
  const suggested = suggestPattern([...new Set(runs.map(({ fileName }) => fileName))])
  const saysMore = runs.some(
    ({ run }) => suggested.includes('{scenario}') && (run.sources['scenario'] ?? 'file name') !== 'file name',
  )
  return saysMore ? '' : suggested
}

interface Names extends Pick<Props, 'slug' | 'runs' | 'known'> {
  readonly pattern: string
  readonly typed: Typed
}

/** What the names say by the pattern, and the forms with that. */
function useNames({ slug, runs, known, pattern, typed }: Names) {
  const named = useMemo(() => {
    const parts = pattern === '' ? null : readPattern(pattern)
    return runs.map((one) => (parts === null ? null : nameRun(parts, one, known)))
  }, [pattern, runs, known])
  const forms = useMemo(
    () => manyForms(runs, named, typed, ({ uploadId }) => fileTimeOf(`/p/${slug}/upload/${uploadId}`)),
    [runs, named, typed, slug],
  )
  const previews = useMemo(() => runs.map(({ run }) => run), [runs])
  const options = useMemo(() => nameOptions(known, previews), [known, previews])
  return { named, forms, previews, options }
}

/** Saves the chosen runs of each file, and discards the files without one; what was saved before stays saved. */
function useSavingMany({
  slug,
  here,
  runs,
  forms,
}: Pick<Props, 'slug' | 'here' | 'runs'> & { readonly forms: readonly RunForm[] }) {
  const router = useRouter()
  const { isBusy, problem, act } = useAction()
  const uploadIds = [...new Set(runs.map(({ uploadId }) => uploadId))]
  const api = (id: string) => `/api/v1/projects/${slug}/uploads/${id}`
  const page = (id: string) => `/p/${slug}/upload/${id}`
  const saveOne = async (id: string) => {
    const edits = runs.flatMap((one, at) => (one.uploadId === id && forms[at] ? [editsOf(one.run, forms[at])] : []))
    const isSaved = edits.some(({ include }) => include !== false)
    if (isSaved) await callApi('POST', `${api(id)}/save`, { edits })
    else await callApi('DELETE', api(id))
    settleDraft(page(id), isSaved ? 'saved' : 'discarded')
  }
  const saveAll = async () => {
    for (const id of uploadIds) if (fateOf(page(id)) === 'open') await saveOne(id)
  }
  const saveAndOffer = async () => {
    await saveAll()
    const saved = uploadIds.filter((id) => fateOf(page(id)) === 'saved')
    const undo = async () => {
      for (const id of saved) await callApi('DELETE', api(id))
    }
    const count = forms.filter(({ include }) => include).length
    if (saved.length > 0) offerUndo(`${plural(count, 'run')} saved`, undo, () => router.push(`/p/${slug}/upload`))
  }
  useEditing(here, saveAll)
  const discard = async () => {
    for (const id of uploadIds) {
      await callApi('DELETE', api(id))
      settleDraft(page(id), 'discarded')
    }
    router.push(`/p/${slug}/upload`)
  }
  return {
    isBusy,
    problem,
    count: forms.filter(({ include }) => include).length,
    left: runs.filter(({ already }, at) => already !== null && forms[at]?.include === false).length,
    save: () => void act(saveAndOffer),
    discard: () => void act(discard),
  }
}

function SaveBar({ isBusy, problem, count, left, discard }: Omit<ReturnType<typeof useSavingMany>, 'save'>) {
  return (
    <div className={`row wrap text-13 ${draftStyles.bar}`}>
      {problem !== null && (
        <p className="notice notice-error full flush" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className="button button-danger" disabled={isBusy} onClick={discard}>
        Discard
      </button>
      <span className="muted wide-only">{left === 0 ? '' : `${left} already here`}</span>
      <button
        type="submit"
        className="button button-primary push"
        disabled={isBusy || count === 0}
        title="Ctrl+Enter"
        data-command="Save the upload"
      >
        {isBusy ? 'Saving …' : count === 0 ? 'No run to save' : `Save ${plural(count, 'run')}`}
      </button>
    </div>
  )
}

/** A file's name in its parts; below it, why its run is left out. */
function FileName({ one: { fileName, already, run }, pattern }: { readonly one: ManyRun; readonly pattern: string }) {
  const read = readPattern(pattern)
  const parts = pattern === '' || read === null ? null : splitByPattern(read, fileName)
  return (
    <>
      <span className={`mono break ${styles.file}`}>
        {parts === null
          ? fileName
          : parts.map(({ text, field }, at) => (
              <span key={at} data-field={field ?? undefined} className={field === null ? undefined : styles.word}>
                {text}
              </span>
            ))}
      </span>
      {run.file !== null && <span className={`block muted break ${styles.why}`}>{run.file}</span>}
      {already !== null && <span className={`block muted ${styles.why}`}>{already}</span>}
    </>
  )
}

function Began({ text, source }: { readonly text: string; readonly source: string }) {
  return (
    <>
      {text}
      {source !== '' && <span className={`block muted ${styles.why}`}>{source}</span>}
    </>
  )
}

interface ForAllProps {
  readonly options: NameOptions
  /** Columns after the names. */
  readonly spare: number
  onSet(change: (form: RunForm) => Partial<RunForm>): void
}

/** The first row: sets a name or a label of all runs, in the order of the columns. */
function ForAll({ options, spare, onSet }: ForAllProps) {
  const [said, setSaid] = useState('')
  const set = (what: string, change: (form: RunForm) => Partial<RunForm>) => {
    onSet(change)
    setSaid(`${what} set for all runs`)
  }
  return (
    <tbody>
      <tr className={styles.all}>
        <td />
        <td className="medium">
          Set for all
          <span className="visually-hidden" aria-live="polite">
            {said}
          </span>
        </td>
        {nameFields.map(({ key }) => (
          <td key={key}>
            <SetField what={key} options={options[key]} onSet={(value) => set(key, () => ({ [key]: value }))} />
          </td>
        ))}
        <td colSpan={spare + 1}>
          <SetField
            what="label"
            options={[]}
            onSet={(text) => {
              const [key, value] = readPair(text) ?? [text, '']
              set('label', (form) => ({ labels: withLabel(form, key, value).labels }))
            }}
          />
        </td>
      </tr>
    </tbody>
  )
}

/** How the project calls what the files' names say. */
function InProject({ renamed, same }: ReturnType<typeof nameMap>) {
  if (renamed.length + same.length === 0) return null
  return (
    <p className={`row wrap gap-6 text-13 flush ${styles.map}`}>
      <span className="muted">In this project</span>
      {renamed.map(({ word, known }) => (
        <span key={word} className="tag regular">
          {word} is <b className="medium">{known.name}</b>{' '}
          <span className="muted">{plural(known.runCount, 'run')}</span>
        </span>
      ))}
      {same.length > 0 && (
        <span className="tag regular">
          {same.join(', ')} <span className="muted">known</span>
        </span>
      )}
    </p>
  )
}
