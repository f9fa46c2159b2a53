'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ShareButton } from '../share/share-button'
import { useAnnouncedAction } from '../ui/action'
import { callApi, memberOf } from '../ui/call-api'
import dialogs from '../ui/dialog.module.css'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
import { useMay } from '../ui/may'
import { Menu } from '../ui/menu'
import { offerUndo } from '../ui/toasts'
import { runName } from '../runs/run-name'
import styles from './run-actions.module.css'
import type { Download } from './run-downloads'
import { RunEditForm, type EditedRun } from './run-edit-form'

/** The runs before and after one, of its series or of its document. */
export interface Steps {
  /** `60 of 60 in series`, of a document `2 of 4`; empty: too many to count. */
  readonly words: string
  /** `series` or `document`. */
  readonly of: string
  readonly previousId: string | null
  readonly nextId: string | null
}

interface RunActionsProps {
  readonly run: EditedRun
  /** Markdown, by the user. */
  readonly notes: string
  readonly isBaseline: boolean
  /** It was made of other runs. */
  readonly isMerged: boolean
  /** Where the run may be moved to. */
  readonly otherProjects: readonly { readonly slug: string; readonly name: string }[]
  readonly downloads: readonly Download[]
  /** Null: it is alone. */
  readonly steps: Steps | null
}

/** What can be done with a run, in the bar above it: to its neighbours, share, and all else behind ⋯. */
export function RunActions({ run, notes, isBaseline, isMerged, otherProjects, downloads, steps }: RunActionsProps) {
  const router = useRouter()
  const [asking, setAsking] = useState<'edit' | 'move' | null>(null)
  const share = useRef<HTMLSpanElement>(null)
  const mayEdit = useMay('edit')
  const { act } = useAnnouncedAction()
  const api = `/api/v1/projects/${run.projectSlug}/runs/${run.id}`
  const runs = `/p/${run.projectSlug}/runs`

  const remove = async () => {
    await callApi('DELETE', api)
    router.push(runs)
    const back = () => {
      router.push(`${runs}/${run.id}`)
      router.refresh()
    }
    offerUndo('Run deleted', () => callApi('POST', `${api}/restore`), back)
    return null
  }
  const split = async () => {
    const parts = memberOf(await callApi('POST', `${api}/split`), 'runs')
    router.push(runs)
    const merge = () => callApi('POST', `/api/v1/projects/${run.projectSlug}/runs/merge`, { runs: parts })
    offerUndo('Split into the runs that it was made of', merge, () => router.refresh())
    return null
  }
  const markBaseline = async () => {
    await callApi(isBaseline ? 'DELETE' : 'PUT', `${api}/baseline`)
    return null
  }
  const move = async (project: string) => {
    await callApi('POST', `${api}/move`, { project })
    router.push(`/p/${project}/runs/${run.id}`)
    return null
  }
  return (
    <>
      {steps !== null && <StepLinks steps={steps} runs={runs} />}
      <span ref={share} className={styles.share}>
        <ShareButton
          projectSlug={run.projectSlug}
          kind="run"
          sides={[[run.id]]}
          name={runName(run).slice(0, 200)}
          notes={notes}
        />
      </span>
      <Menu label="More actions">
        {steps?.previousId != null && (
          <Link className={styles.narrow} href={`${runs}/${steps.previousId}`}>
            Previous in {steps.of}
          </Link>
        )}
        {steps?.nextId != null && (
          <Link className={styles.narrow} href={`${runs}/${steps.nextId}`}>
            Next in {steps.of}
          </Link>
        )}
        {mayEdit && (
          <button
            type="button"
            className={styles.narrow}
            onClick={() => share.current?.querySelector('button')?.click()}
          >
            Share
          </button>
        )}
        <hr className={styles.narrow} />
        <Link href={`/p/${run.projectSlug}/compare?candidate=${run.id}`} data-command="Compare this run with …">
          Compare with …
        </Link>
        {mayEdit && (
          <>
            <button
              type="button"
              data-command={isBaseline ? 'Stop using this run as the baseline' : 'Use this run as the baseline'}
              onClick={() => void act(markBaseline)}
            >
              {isBaseline ? 'Stop using as baseline' : 'Use as baseline'}
            </button>
            <button type="button" data-command="Edit this run" aria-keyshortcuts="E" onClick={() => setAsking('edit')}>
              Edit <kbd className={styles.key}>E</kbd>
            </button>
            {isMerged && (
              <button
                type="button"
                title="Brings the runs back that it was made of. This run goes, with its own notes."
                data-command="Split this run again"
                onClick={() => void act(split)}
              >
                Split again
              </button>
            )}
            {otherProjects.length > 0 && (
              <button type="button" data-command="Move this run to another project" onClick={() => setAsking('move')}>
                Move to project …
              </button>
            )}
          </>
        )}
        <hr />
        {downloads.map(({ name, href, fileName }) => (
          <a key={name} href={href} download={fileName ?? ''}>
            {name}
          </a>
        ))}
        {mayEdit && (
          <>
            <hr />
            <button type="button" data-danger="" data-command="Delete this run" onClick={() => void act(remove)}>
              Delete
            </button>
          </>
        )}
      </Menu>
      {asking === 'edit' && (
        <Asked label="Edit run" onClose={() => setAsking(null)}>
          {(close) => <RunEditForm run={run} onDone={close} />}
        </Asked>
      )}
      {asking === 'move' && (
        <Asked label="Move to project" onClose={() => setAsking(null)}>
          {(close) => (
            <div className={dialogs.form}>
              <ul className={styles.projects}>
                {otherProjects.map(({ slug, name }) => (
                  <li key={slug}>
                    <button type="button" className="button" onClick={() => void act(() => move(slug))}>
                      {name}
                    </button>
                  </li>
                ))}
              </ul>
              <div className={dialogs.buttons}>
                <button type="button" className="button" onClick={close}>
                  Cancel
                </button>
              </div>
            </div>
          )}
        </Asked>
      )}
    </>
  )
}

function StepLinks({
  steps: { words, of, previousId, nextId },
  runs,
}: {
  readonly steps: Steps
  readonly runs: string
}) {
  const step = (id: string | null, name: 'previous' | 'next', label: string) =>
    id === null ? (
      <span className={`button button-icon ${styles.step}`} aria-disabled="true">
        <Icon name={name} />
      </span>
    ) : (
      <Link className={`button button-icon ${styles.step}`} href={`${runs}/${id}`} title={label} data-command={label}>
        <span className="visually-hidden">{label}</span>
        <Icon name={name} />
      </Link>
    )
  return (
    <nav className={styles.steps} aria-label={`Runs of this ${of}`}>
      {step(previousId, 'previous', `Previous run of the ${of}`)}
      {words !== '' && <span>{words}</span>}
      {step(nextId, 'next', `Next run of the ${of}`)}
    </nav>
  )
}

interface AskedProps {
  readonly label: string
  onClose(): void
  children(close: () => void): ReactNode
}

function Asked({ label, onClose, children }: AskedProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={`${dialogs.dialog} ${styles.dialog}`} aria-label={label} onClose={onClose}>
      <h2 className="section-title">{label}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
