'use client'

import { useRouter } from 'next/navigation'
import { plural } from '@/lib/format'
import { useAction } from '../ui/actions/action'
import { callApi, readApi, textOf } from '../ui/actions/call-api'
import { Dialog } from '../ui/dialog'
import dialogs from '../ui/dialog.module.css'
import { useMergePlan } from './merge-plan'
import { MergePlanView } from './merge-plan-view'
import { useMergeUndo } from './merge-undo'

interface MergeDialogProps {
  readonly slug: string
  readonly runIds: readonly string[]
  onClose(): void
}

/** Shows the selected runs as one, or why they cannot be merged, and merges them. */
export function MergeDialog({ slug, runIds, onClose }: MergeDialogProps) {
  const router = useRouter()
  const { isBusy, problem, act } = useAction({ leaves: true })
  const offerSplit = useMergeUndo(slug)
  const api = `/api/v1/projects/${slug}/runs`
  const plan = useMergePlan(`${api}/merge?${new URLSearchParams(runIds.map((id) => ['run', id])).toString()}`, readApi)

  const merge = () =>
    act(async () => {
      const id = textOf(await callApi('POST', `${api}/merge`, { runs: runIds }), 'id')
      onClose()
      router.push(`/p/${slug}/runs/${id}`)
      if (id !== null) offerSplit(id, runIds.length)
    })
  return (
    <Dialog label="Merge into one run" onClose={onClose}>
      {(close) => (
        <>
          <h2 className="section-title">Merge {plural(runIds.length, 'run')} into one</h2>
          <div className={dialogs.form}>
            {plan?.kind !== 'refused' && <p>For generators that drove one test at the same time.</p>}
            {plan === null ? <p className="muted">Adding up …</p> : <MergePlanView plan={plan} />}
            {plan?.kind === 'merged' && (
              <p className="muted">
                The {runIds.length} runs leave lists and series until the merged run is split again. Their files stay.
              </p>
            )}
            {problem !== null && <p role="alert">{problem}</p>}
            <div className={dialogs.buttons}>
              {plan?.kind === 'merged' && (
                <button type="button" className="button button-primary" disabled={isBusy} onClick={() => void merge()}>
                  Merge
                </button>
              )}
              <button type="button" className="button" onClick={close}>
                {plan?.kind === 'refused' ? 'Close' : 'Cancel'}
              </button>
            </div>
          </div>
        </>
      )}
    </Dialog>
  )
}
