'use client'

import { useRouter } from 'next/navigation'
import { callApi } from '../ui/call-api'
import { tell, tellFailure } from '../ui/toasts'

/** Sends a message of the log again. */
export function ReplayButton({ slug, deliveryId }: { readonly slug: string; readonly deliveryId: string }) {
  const router = useRouter()
  const replay = async () => {
    try {
      await callApi('POST', `/api/v1/projects/${slug}/deliveries/${deliveryId}/replay`)
      tell('The message is queued again')
    } catch (error) {
      tellFailure(error)
    }
    router.refresh()
  }
  return (
    <button type="button" className="button" onClick={() => void replay()}>
      Send again
    </button>
  )
}
