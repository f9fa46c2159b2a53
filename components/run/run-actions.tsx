'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useRef, useState } from 'react'
import { ShareButton } from '../share/share-button'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi, memberOf } from '../ui/actions/call-api'
import { Icon } from '../ui/icon'
import { Link } from '../ui/links/link'
import { useIsAllowed } from '../ui/actions/access'
import { Menu } from '../ui/menu'
import { offerUndo } from '../ui/actions/toasts'
import { runName } from '../runs/run-name'
import styles from './run-actions.module.css'
import type { AskedOfRun, OtherProject } from './run-dialog'
import type { Download } from './run-downloads'
import type { EditedRun } from './run-edit-form'

/** Loaded when the menu asks for it: it costs no page anything. */
const RunDialog = lazy(async () => ({ default: (await import('./run-dialog')).RunDialog }))

/** The runs before and after one, of its series or of its document. */
export interface Steps {
  /** `60 of 60 in series`, or for a document `2 of 4`; empty: too many to count. */
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
  /** It was merged from other runs. */
  readonly isMerged: boolean
  /** Projects that the run can be moved to. */
  readonly otherProjects: readonly OtherProject[]
  readonly downloads: readonly Download[]
  /** Null: it is alone. */
  readonly steps: Steps | null
}

/** Actions on a run, in the bar above it: to its neighbours, share, and everything else behind ⋯. */
export function RunActions({ notes, steps, ...menu }: RunActionsProps) {
  const { run } = menu
  const share = useRef<HTMLSpanElement>(null)
  return (
    <>
      {steps !== null && <StepLinks steps={steps} runs={`/p/${run.projectSlug}/runs`} />}
      <span ref={share} className={styles.share}>
        <ShareButton
          projectSlug={run.projectSlug}
          kind="run"
          sides={[[run.id]]}
          name={runName(run).slice(0, 200)}
          notes={notes}
        />
      </span>
      <RunMenu {...menu} steps={steps} onShare={() => share.current?.querySelector('button')?.click()} />
    </>
  )
}

interface RunMenuProps extends Omit<RunActionsProps, 'notes'> {
  /** On a phone, sharing is in the menu. */
  onShare(): void
}

function RunMenu({ run, steps, downloads, otherProjects, onShare, ...state }: RunMenuProps) {
  const [asking, setAsking] = useState<AskedOfRun | null>(null)
  const mayEdit = useIsAllowed('edit')
  const runs = `/p/${run.projectSlug}/runs`
  return (
    <>
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
          <button type="button" className={styles.narrow} onClick={onShare}>
            Share
          </button>
        )}
        <hr className={styles.narrow} />
        <Link href={`/p/${run.projectSlug}/compare?candidate=${run.id}`} data-command="Compare this run with …">
          Compare with …
        </Link>
        {mayEdit && <RunChanges run={run} {...state} onAsk={setAsking} isMovable={otherProjects.length > 0} />}
        <hr />
        {downloads.map(({ name, href, fileName }) => (
          <a key={name} href={href} download={fileName ?? ''}>
            {name}
          </a>
        ))}
        {mayEdit && <DeleteRun run={run} />}
      </Menu>
      <Suspense>
        {asking !== null && (
          <RunDialog asking={asking} run={run} otherProjects={otherProjects} onClose={() => setAsking(null)} />
        )}
      </Suspense>
    </>
  )
}

interface RunChangesProps extends Pick<RunActionsProps, 'run' | 'isBaseline' | 'isMerged'> {
  readonly isMovable: boolean
  onAsk(what: AskedOfRun): void
}

const runApi = ({ projectSlug, id }: Pick<EditedRun, 'projectSlug' | 'id'>): string =>
  `/api/v1/projects/${projectSlug}/runs/${id}`

/** Entries of the menu that change the run. */
function RunChanges({ run, isBaseline, isMerged, isMovable, onAsk }: RunChangesProps) {
  const router = useRouter()
  const { act } = useAnnouncedAction()
  const markBaseline = async () => {
    await callApi(isBaseline ? 'DELETE' : 'PUT', `${runApi(run)}/baseline`)
    return null
  }
  const split = async () => {
    const parts = memberOf(await callApi('POST', `${runApi(run)}/split`), 'runs')
    router.push(`/p/${run.projectSlug}/runs`)
    const merge = () => callApi('POST', `/api/v1/projects/${run.projectSlug}/runs/merge`, { runs: parts })
    offerUndo('Split into the runs that it was made of', merge, () => router.refresh())
    return null
  }
  return (
    <>
      <button
        type="button"
        data-command={isBaseline ? 'Stop using this run as the baseline' : 'Use this run as the baseline'}
        onClick={() => void act(markBaseline)}
      >
        {isBaseline ? 'Stop using as baseline' : 'Use as baseline'}
      </button>
      <button type="button" data-command="Edit this run" aria-keyshortcuts="E" onClick={() => onAsk('edit')}>
        Edit <kbd className={`muted push ${styles.key}`}>E</kbd>
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
      {isMovable && (
        <button type="button" data-command="Move this run to another project" onClick={() => onAsk('move')}>
          Move to project …
        </button>
      )}
    </>
  )
}

function DeleteRun({ run }: Pick<RunActionsProps, 'run'>) {
  const router = useRouter()
  const { act } = useAnnouncedAction()
  const runs = `/p/${run.projectSlug}/runs`
  const remove = async () => {
    await callApi('DELETE', runApi(run))
    router.push(runs)
    const back = () => {
      router.push(`${runs}/${run.id}`)
      router.refresh()
    }
    offerUndo('Run deleted', () => callApi('POST', `${runApi(run)}/restore`), back)
    return null
  }
  return (
    <>
      <hr />
      <button type="button" data-danger="" data-command="Delete this run" onClick={() => void act(remove)}>
        Delete
      </button>
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
    <nav className={`row muted nowrap wide-only ${styles.steps}`} aria-label={`Runs of this ${of}`}>
      {step(previousId, 'previous', `Previous run of the ${of}`)}
      {words !== '' && <span>{words}</span>}
      {step(nextId, 'next', `Next run of the ${of}`)}
    </nav>
  )
}
