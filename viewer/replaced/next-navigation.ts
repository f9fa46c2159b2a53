/**
 * What components use of `next/navigation`, on a page that is one file: the viewer's build puts this in its place. The
 * query is kept here, because an address of `file:` may not change it everywhere.
 */
import { useMemo, useSyncExternalStore } from 'react'

/** That of the page's own address, until a link on it is followed. */
let query = globalThis.location?.search.slice(1) ?? ''
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const read = () => query

/** Shows the page with the query of a link. */
function open(href: string): void {
  query = (href.split('#')[0] ?? '').split('?')[1] ?? ''
  for (const listener of listeners) listener()
}

const router = { push: open, replace: open, refresh: () => undefined }

export const useRouter = () => router
export const usePathname = () => ''

/** The query that links on the page have set. */
export function useSearchParams(): URLSearchParams {
  const now = useSyncExternalStore(subscribe, read)
  return useMemo(() => new URLSearchParams(now), [now])
}
