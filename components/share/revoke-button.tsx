'use client'

import { useRouter } from 'next/navigation'
import { callApi } from '../ui/call-api'
import { May } from '../ui/may'
import { announce, announceFailure } from '../ui/toasts'

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
  const router = useRouter()
  const revoke = async () => {
    try {
      await callApi('DELETE', `/api/v1/projects/${slug}/shares/${shareId}`)
      announce(`“${name}” revoked: its link no longer works`)
    } catch (error) {
      announceFailure(error)
    }
    router.refresh()
  }
  return (
    <May need="edit">
      <button
        type="button"
        className="button button-danger"
        aria-label={`Revoke ${name}`}
        onClick={() => void revoke()}
      >
        Revoke
      </button>
    </May>
  )
}
