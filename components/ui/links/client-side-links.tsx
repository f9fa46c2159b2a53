'use client'

import { useRouter } from 'next/navigation'
import type { MouseEvent, ReactNode } from 'react'

/**
 * Handles clicks on plain links with `data-client-side` below it: opens the next page without a full load, and keeps
 * the scroll position. For rows of many small links, each of which would be a component to make, send and hydrate.
 */
export function ClientSideLinks({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const router = useRouter()
  const go = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-client-side]') : null
    if (link === null) return
    event.preventDefault()
    router.push(link.pathname + link.search, { scroll: false })
  }
  return (
    <div className={className} onClick={go}>
      {children}
    </div>
  )
}
