'use client'

import type { ShareKind } from '@/lib/project/stored-shares'
import { Link } from '../ui/links/link'
import { useState } from 'react'
import { ActionForm } from '../forms/action-form'
import type { Fields } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import { CopyButton } from '../ui/actions/copy-button'
import { Dialog } from '../ui/dialog'
import styles from '../ui/dialog.module.css'

export interface SharedThing {
  readonly projectSlug: string
  readonly kind: ShareKind
  /** Run ids, the base first; runs of one side repeat each other. A matrix or a board has one side with all runs. */
  readonly sides: readonly (readonly string[])[]
  /** The proposed name. */
  readonly name: string
  /** The proposed Markdown; empty: none. */
  readonly notes: string
  /** The query of the page's view, without `?`; absent: that of its address. */
  readonly view?: string
}

const expiries = [
  { value: '1', name: 'in 1 day' },
  { value: '7', name: 'in 7 days' },
  { value: '30', name: 'in 30 days' },
  { value: '365', name: 'in 1 year' },
  { value: '', name: 'never' },
]

/** Takes the options of a link, creates and copies it, and shows it once. */
export function ShareDialog({ thing, onClose }: { readonly thing: SharedThing; onClose(): void }) {
  const [made, setMade] = useState<MadeLink | null>(null)
  return (
    <Dialog label={made === null ? `Share this ${thing.kind}` : madeWords(made)} onClose={onClose}>
      {(close) =>
        made ? (
          <Made {...made} projectSlug={thing.projectSlug} onClose={close} />
        ) : (
          <LinkForm thing={thing} onMade={setMade} onCancel={close} />
        )
      }
    </Dialog>
  )
}

const run = 'its figures, names, labels, command and findings'
const basis = 'level, expected range, number of runs, and since when or which commit'
/** What anyone with the link sees, and what they do not. */
const shownWords: Readonly<Record<ShareKind, string>> = {
  run:
    `Anyone with the link sees this run with the project’s name: ${run}, and its verdict with what that rests on: ` +
    `${basis}. They see no other run, limit or note of the project.`,
  comparison:
    'Anyone with the link sees the compared runs with the project’s name: their figures, names, labels, commands and ' +
    'findings, and the verdict. They see no other run, limit or note of the project.',
  matrix:
    'Anyone with the link sees this matrix with the project’s name and the notes of its cells, and each of its runs: ' +
    `${run}, and what its verdict rests on: ${basis}. They see no other run or limit of the project.`,
  board:
    'Anyone with the link sees these series with the project’s name, and the newest run of each: ' +
    `${run}, and what its verdict rests on: ${basis}. They see no other run, limit or note of the project.`,
}

interface FormProps {
  readonly thing: SharedThing
  onMade(link: MadeLink): void
  onCancel(): void
}

function LinkForm({ thing, onMade, onCancel }: FormProps) {
  return (
    <ActionForm
      className={styles.form}
      labelClass={styles.field}
      buttonsClass={styles.buttons}
      head={
        <>
          <h2 className="section-title">Share this {thing.kind}</h2>
          <p className="muted">{shownWords[thing.kind]}</p>
        </>
      }
      fields={[
        { name: 'name', label: 'Name', defaultValue: thing.name, maxLength: 200, required: true, autoFocus: true },
        { name: 'notes', label: 'Notes on the page, Markdown', rows: 4, maxLength: 20_000, defaultValue: thing.notes },
        { name: 'expiry', label: 'Expires', options: expiries, initial: '30' },
      ]}
      button="Create link"
      onCancel={onCancel}
      send={async (fields) => onMade(await makeLink(thing, fields))}
    >
      {thing.kind !== 'matrix' && (
        <label className="row gap-8">
          <input type="checkbox" name="raw" /> Include the raw output
        </label>
      )}
      {thing.kind === 'comparison' && thing.sides.length > 1 && (
        <label className="row gap-8">
          <input type="checkbox" name="why" /> Include what the difference stands with: targets, headers and errors of
          its requests
        </label>
      )}
      <label className="row gap-8">
        <input type="checkbox" name="embed" /> Allow other sites to embed it
      </label>
    </ActionForm>
  )
}

interface MadeLink {
  readonly url: string
  readonly copied: boolean
  readonly isEmbeddable: boolean
}

/** Makes the link that a form describes, and copies it if the browser allows that. Throws as `callApi` does. */
async function makeLink({ projectSlug, kind, sides, view }: SharedThing, { data, text }: Fields): Promise<MadeLink> {
  const isEmbeddable = data.has('embed')
  const url = textOf(
    await callApi('POST', `/api/v1/projects/${projectSlug}/shares`, {
      kind,
      sides,
      name: text('name'),
      notes: text('notes'),
      view: view ?? window.location.search.slice(1),
      includeRaw: data.has('raw'),
      includeWhy: data.has('why'),
      embeddable: isEmbeddable,
      expiresInDays: text('expiry') === '' ? null : Number(text('expiry')),
    }),
    'url',
  )
  if (url === null) throw new Error('The server returned no link.')
  const copied = await navigator.clipboard.writeText(url).then(
    () => true,
    () => false,
  )
  return { url, copied, isEmbeddable }
}

const madeWords = ({ copied }: Pick<MadeLink, 'copied'>) => (copied ? 'Link created and copied' : 'Link created')

interface MadeProps extends MadeLink {
  readonly projectSlug: string
  onClose(): void
}

function Made({ url, copied, isEmbeddable, projectSlug, onClose }: MadeProps) {
  return (
    <div className={styles.form}>
      <h2 className="section-title">{madeWords({ copied })}</h2>
      <p className="muted">
        It is shown only once. Views and revocation are in the{' '}
        <Link href={`/p/${projectSlug}/comparisons#shares`}>list of shares</Link>.
      </p>
      <label className={styles.field}>
        Link
        <input className="input" readOnly value={url} autoFocus onFocus={(event) => event.currentTarget.select()} />
      </label>
      {isEmbeddable && (
        <label className={styles.field}>
          Frame for a wiki (those with oEmbed need the link only)
          <input
            className="input"
            readOnly
            value={`<iframe src="${url}/embed" width="800" height="520" style="border:0"></iframe>`}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
      )}
      <div className={styles.buttons}>
        <CopyButton text={url} label={copied ? 'Copy again' : 'Copy'} />
        <a className="button" href={url} target="_blank" rel="noreferrer">
          Open
        </a>
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}
