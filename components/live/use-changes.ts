import { useEffect, useRef } from 'react'
import { pageAround } from './change-stream'
import { followChanges } from './follow-changes'

/** Calls `onChange` when a project changes, while the page is visible. `version`: the one that the page shows. */
export function useChanges(slug: string, version: string, onChange: () => void): void {
  const newest = useRef(onChange)
  const shown = useRef(version)
  useEffect(() => {
    newest.current = onChange
  })
  useEffect(() => followChanges(shown.current, () => newest.current(), pageAround(slug)), [slug])
}
