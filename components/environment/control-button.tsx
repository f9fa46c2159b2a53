'use client'

import { useIsAllowed } from '../ui/actions/access'
import { useAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'

interface Props {
  readonly slug: string
  readonly seriesId: string
  /** Of the series. */
  readonly name: string
  readonly isControl: boolean
}

/** Marks a series as a control, or no longer. */
export function ControlButton({ slug, seriesId, name, isControl }: Props) {
  const mayEdit = useIsAllowed('edit')
  const { isBusy, problem, act } = useAction()
  if (!mayEdit) return null
  const words = isControl ? 'No control' : 'Mark as control'
  const change = () => callApi('PATCH', `/api/v1/projects/${slug}/series/${seriesId}`, { control: !isControl })
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`${words}: ${name}`}
        disabled={isBusy}
        onClick={() => void act(change)}
      >
        {words}
      </button>
      {problem !== null && <span role="alert">{problem}</span>}
    </>
  )
}
