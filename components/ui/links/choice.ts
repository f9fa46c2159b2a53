'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

interface Chosen {
  readonly path: string
  readonly values: readonly string[]
}

/** What the reader of a page chose in its plots, by name: one choice for all of them, as they share a cursor. */
const chosen = new Map<string, Chosen>()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Most values that an address may have. */
const maxValues = 40

/** The values under this name, and a setter. They are in the address: a page sent on or reloaded shows the same. */
export function useChoice(name: string): readonly [values: readonly string[], set: (next: readonly string[]) => void] {
  const path = usePathname() ?? ''
  const said = (useSearchParams()?.getAll(name) ?? []).slice(0, maxValues).join('\n')
  const own = useSyncExternalStore(
    subscribe,
    () => ofPath(name, path),
    () => null,
  )
  const values = useMemo(() => own ?? (said === '' ? [] : said.split('\n')), [own, said])
  // Links that the server wrote without the choice lead to addresses without it.
  useEffect(() => {
    if (own === null && said !== '') chosen.set(name, { path, values })
    if (own !== null && own.join('\n') !== said) write(name, own)
  }, [name, own, said, path, values])
  const set = (next: readonly string[]) => {
    chosen.set(name, { path, values: next })
    for (const listener of listeners) listener()
  }
  return [values, set]
}

function ofPath(name: string, path: string): readonly string[] | null {
  const one = chosen.get(name)
  return one?.path === path ? one.values : null
}

function write(name: string, values: readonly string[]): void {
  const address = new URL(window.location.href)
  address.searchParams.delete(name)
  for (const one of values) address.searchParams.append(name, one)
  window.history.replaceState(null, '', address)
}
