'use client'

import { useAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { IfAllowed } from '../ui/actions/access'

/** Counts a run that its guards refuse: it joins its series. `url`: the run in the API. */
export function CountRun({ url }: { readonly url: string }) {
  const { isBusy, problem, act } = useAction()
  const count = () => callApi('PATCH', url, { counted: true })
  return (
    <IfAllowed need="edit">
      <button type="button" className="button" disabled={isBusy} onClick={() => void act(count)}>
        Count it all the same
      </button>
      {problem !== null && <span role="alert">{problem}</span>}
    </IfAllowed>
  )
}
