'use client'

import { useRouter } from 'next/navigation'
import { callApi } from '../ui/call-api'
import { tellFailure } from '../ui/toasts'
import { settleDraft } from './draft-ledger'

/** Throws a draft away and goes to the next one that was sent with it, else back to the upload page. */
export function DiscardButton({ projectSlug, uploadId }: { readonly projectSlug: string; readonly uploadId: string }) {
  const router = useRouter()
  const discard = () =>
    callApi('DELETE', `/api/v1/projects/${projectSlug}/uploads/${uploadId}`).then(
      () => router.push(settleDraft(window.location.pathname, 'discarded') ?? `/p/${projectSlug}/upload`),
      tellFailure,
    )
  return (
    <button type="button" className="button" onClick={() => void discard()}>
      Discard
    </button>
  )
}
