'use client'

import { Link } from '../ui/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ShareButton } from '../share/share-button'
import { callApi } from '../ui/call-api'
import { offerUndo, announceFailure } from '../ui/toasts'
import styles from './run-actions.module.css'
import { RunEditForm, type EditedRun } from './run-edit-form'
import { runName } from '../runs/run-name'

interface RunActionsProps {
  readonly run: EditedRun
  /** Markdown, by the user. */
  readonly notes: string
  readonly isBaseline: boolean
  /** Where the run may be moved to. */
  readonly otherProjects: readonly { readonly slug: string; readonly name: string }[]
}

/** Compare, edit, move and delete. */
export function RunActions({ run, notes, isBaseline, otherProjects }: RunActionsProps) {
  const router = useRouter()
  const [editing, setEditing] = useState(false)
  const api = `/api/v1/projects/${run.projectSlug}/runs/${run.id}`

  const remove = async () => {
    try {
      await callApi('DELETE', api)
    } catch (error) {
      return announceFailure(error)
    }
    router.push(`/p/${run.projectSlug}/runs`)
    router.refresh()
    const back = () => {
      router.push(`/p/${run.projectSlug}/runs/${run.id}`)
      router.refresh()
    }
    offerUndo('Run deleted', () => callApi('POST', `${api}/restore`), back)
  }
  const markBaseline = async () => {
    try {
      await callApi(isBaseline ? 'DELETE' : 'PUT', `${api}/baseline`)
      router.refresh()
    } catch (error) {
      announceFailure(error)
    }
  }
  const move = async (project: string) => {
    try {
      await callApi('POST', `${api}/move`, { project })
      router.push(`/p/${project}/runs/${run.id}`)
      router.refresh()
    } catch (error) {
      announceFailure(error)
    }
  }
  return (
    <>
      <div className={styles.actions}>
        <Link className="button button-primary" href={`/p/${run.projectSlug}/compare?candidate=${run.id}`}>
          Compare with …
        </Link>
        <ShareButton
          projectSlug={run.projectSlug}
          kind="run"
          sides={[[run.id]]}
          name={runName(run).slice(0, 200)}
          notes={notes}
        />
        <button
          type="button"
          className="button"
          aria-pressed={isBaseline}
          data-command={isBaseline ? 'Stop using this run as the baseline' : 'Use this run as the baseline'}
          onClick={() => void markBaseline()}
        >
          {isBaseline ? 'Is the baseline' : 'Use as baseline'}
        </button>
        <button
          type="button"
          className="button"
          aria-expanded={editing}
          data-command="Edit this run"
          aria-keyshortcuts="E"
          onClick={() => setEditing(!editing)}
        >
          Edit
        </button>
        {otherProjects.length > 0 ? (
          <select
            className="select"
            aria-label="Move to another project"
            value=""
            onChange={(event) => void move(event.currentTarget.value)}
          >
            <option value="">Move to …</option>
            {otherProjects.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        ) : null}
        <button type="button" className="button button-danger" onClick={() => void remove()}>
          Delete
        </button>
      </div>
      {editing ? (
        <RunEditForm
          run={run}
          onDone={(saved) => {
            setEditing(false)
            if (saved) router.refresh()
          }}
        />
      ) : null}
    </>
  )
}
