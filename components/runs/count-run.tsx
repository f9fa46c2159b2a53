'use client'

import { useRouter } from 'next/navigation'
import { useAttempts } from '../ui/attempt'
import { callApi } from '../ui/call-api'
import { May } from '../ui/may'

/** Counts a run that its guards refuse: it joins its series. `url`: where the API takes a change of it. */
export function CountRun({ url }: { readonly url: string }) {
  const router = useRouter()
  const { problem, attempt } = useAttempts()
  const count = async () => {
    if (await attempt(() => callApi('PATCH', url, { counted: true }))) router.refresh()
  }
  return (
    <May need="edit">
      <button type="button" className="button" onClick={() => void count()}>
        Count it all the same
      </button>
      {problem !== null && <span role="alert">{problem}</span>}
    </May>
  )
}
