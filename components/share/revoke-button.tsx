'use client'

import { useAnnouncedAction } from '../ui/action'
import { callApi } from '../ui/call-api'
import { May } from '../ui/may'

/** Ends a share permanently. */
export function RevokeButton({
  slug,
  shareId,
  name,
}: {
  readonly slug: string
  readonly shareId: string
  readonly name: string
}) {
  const { isBusy, act } = useAnnouncedAction()
  const revoke = async () => {
    await callApi('DELETE', `/api/v1/projects/${slug}/shares/${shareId}`)
    return `“${name}” revoked: its link no longer works`
  }
  return (
    <May need="edit">
      <button
        type="button"
        className="button button-danger"
        disabled={isBusy}
        aria-label={`Revoke ${name}`}
        onClick={() => void act(revoke)}
      >
        Revoke
      </button>
    </May>
  )
}
