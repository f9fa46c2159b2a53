'use client'

import { useRouter } from 'next/navigation'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { Dialog } from '../ui/dialog'
import dialogs from '../ui/dialog.module.css'
import styles from './run-dialog.module.css'
import { RunEditForm, type EditedRun } from './run-edit-form'

export type AskedOfRun = 'edit' | 'move'

/** A project that the run can be moved to. */
export interface OtherProject {
  readonly slug: string
  readonly name: string
}

interface Props {
  readonly asking: AskedOfRun
  readonly run: EditedRun
  readonly otherProjects: readonly OtherProject[]
  onClose(): void
}

const titles: Readonly<Record<AskedOfRun, string>> = { edit: 'Edit run', move: 'Move to project' }

/** What the menu of a run asks before it acts: its new names and labels, or the project to move it to. */
export function RunDialog({ asking, run, otherProjects, onClose }: Props) {
  return (
    <Dialog label={titles[asking]} className={styles.dialog} onClose={onClose}>
      {(close) =>
        asking === 'edit' ? (
          <>
            <h2 className="section-title">{titles.edit}</h2>
            <RunEditForm run={run} onDone={close} />
          </>
        ) : (
          <MoveRun run={run} otherProjects={otherProjects} onCancel={close} />
        )
      }
    </Dialog>
  )
}

interface MoveRunProps extends Pick<Props, 'run' | 'otherProjects'> {
  onCancel(): void
}

function MoveRun({ run, otherProjects, onCancel }: MoveRunProps) {
  const router = useRouter()
  const { isBusy, act } = useAnnouncedAction()
  const move = async (project: string) => {
    await callApi('POST', `/api/v1/projects/${run.projectSlug}/runs/${run.id}/move`, { project })
    router.push(`/p/${project}/runs/${run.id}`)
    return null
  }
  return (
    <div className={dialogs.form}>
      <h2 className="section-title">{titles.move}</h2>
      <ul className={`grid gap-6 ${styles.projects}`}>
        {otherProjects.map(({ slug, name }) => (
          <li key={slug}>
            <button type="button" className="button" disabled={isBusy} onClick={() => void act(() => move(slug))}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      <div className={dialogs.buttons}>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  )
}
