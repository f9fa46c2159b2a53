'use client'

import { ConfirmButton } from '../forms/confirm-button'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { IfAllowed, useIsAllowed } from '../ui/actions/access'

interface TrashActionsProps {
  readonly slug: string
  /** Name of the thing in the trash. */
  readonly name: string
  readonly runIds?: readonly string[]
  readonly uploadIds?: readonly string[]
}

/** Takes one thing out of the trash, or deletes it permanently after a confirmation. */
export function TrashActions({ slug, name, runIds = [], uploadIds = [] }: TrashActionsProps) {
  const { isBusy, act } = useAnnouncedAction()
  const mayEdit = useIsAllowed('edit')
  const url = `/api/v1/projects/${slug}/trash`
  const things = { runs: runIds, uploads: uploadIds }
  const restore = async () => {
    await callApi('POST', url, { action: 'restore', ...things })
    return `${name} restored`
  }
  if (!mayEdit) return null
  return (
    <span className="flex end gap-8 nowrap">
      <button
        type="button"
        className="button"
        disabled={isBusy}
        aria-label={`Restore ${name}`}
        onClick={() => void act(restore)}
      >
        Restore
      </button>
      <IfAllowed need="administer">
        <ConfirmButton
          verb="Delete permanently"
          name={name}
          method="POST"
          url={url}
          body={{ action: 'destroy', ...things }}
          done={`${name} deleted permanently`}
        />
      </IfAllowed>
    </span>
  )
}
