'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useChanges } from './use-changes'

/** A judgement is several changes within a moment. */
const settleMs = 300

interface Props {
  readonly slug: string
  /** Version of the project that the page shows. */
  readonly version: string
}

/** Loads the page again when its project changes: the server still works on something that it shows. */
export function RefreshOnChange({ slug, version }: Props) {
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges(slug, version, () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => router.refresh(), settleMs)
  })
  return null
}
