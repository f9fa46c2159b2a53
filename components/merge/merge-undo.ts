import { useRouter } from 'next/navigation'
import { plural } from '@/lib/format'
import { callApi } from '../ui/actions/call-api'
import { offerUndo } from '../ui/actions/toasts'

/** Offers to split a run that was just merged; then the list of runs shows its parts. */
export function useMergeUndo(slug: string): (runId: string, partCount: number) => void {
  const router = useRouter()
  return (runId, partCount) => {
    const split = () => callApi('POST', `/api/v1/projects/${slug}/runs/${runId}/split`)
    const back = () => {
      router.push(`/p/${slug}/runs`)
      router.refresh()
    }
    offerUndo(`${plural(partCount, 'run')} merged into one`, split, back)
  }
}
