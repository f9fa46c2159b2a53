'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Mark, Plot } from './model'

const none: ReadonlySet<string> = new Set()
/** Series that the reader of a page hid, by id: one choice for all its plots, as they share a cursor. */
let chosen: { readonly path: string; readonly hidden: ReadonlySet<string> } | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The hidden series, and a setter. They are in the address (`hide`): a page sent on or reloaded shows the same. */
export function useHidden(): readonly [hidden: ReadonlySet<string>, set: (next: ReadonlySet<string>) => void] {
  const path = usePathname() ?? ''
  const said = (useSearchParams()?.getAll('hide') ?? []).slice(0, maxHidden).join('\n')
  const own = useSyncExternalStore(
    subscribe,
    () => (chosen?.path === path ? chosen.hidden : null),
    () => null,
  )
  const hidden = useMemo(() => own ?? (said === '' ? none : new Set(said.split('\n'))), [own, said])
  // Links that the server wrote without the choice lead to addresses without it.
  useEffect(() => {
    if (own === null && said !== '') chosen = { path, hidden }
    if (own !== null && [...own].join('\n') !== said) sayHidden(own)
  }, [own, said, path, hidden])
  const set = (next: ReadonlySet<string>) => {
    chosen = { path, hidden: next }
    for (const listener of listeners) listener()
  }
  return [hidden, set]
}

/** Most series that an address hides. */
const maxHidden = 40

function sayHidden(hidden: ReadonlySet<string>): void {
  const address = new URL(window.location.href)
  address.searchParams.delete('hide')
  for (const id of hidden) address.searchParams.append('hide', id)
  window.history.replaceState(null, '', address)
}

/**
 * What a choice in a legend hides: `own` are the series of the entry, `all` those of the legend. `isAlone` hides or
 * shows the entry; otherwise it is isolated, or all are shown again if it already is.
 */
export function hiddenAfter(
  now: ReadonlySet<string>,
  own: readonly string[],
  all: readonly string[],
  isAlone: boolean,
): ReadonlySet<string> {
  const others = all.filter((id) => !own.includes(id))
  if (isAlone) {
    const isShown = own.some((id) => !now.has(id))
    return new Set(isShown ? [...now, ...own] : [...now].filter((id) => !own.includes(id)))
  }
  const isIsolated = others.every((id) => now.has(id)) && own.every((id) => !now.has(id))
  return isIsolated ? none : new Set(others)
}

/**
 * The plot without the marks of hidden series. Marks keep their positions, since others refer to them. All hidden: all
 * are shown.
 */
export function withoutHidden(plot: Plot, now: ReadonlySet<string>): Plot {
  if (now.size === 0 || plot.series.every(({ id }) => now.has(id))) return plot
  const isHidden = ({ series }: Mark) => now.has(plot.series[series]?.id ?? '')
  const empty = ({ series }: Mark): Mark => ({ kind: 'line', series, at: [], y: [], width: 0, reads: 'exact' })
  return {
    ...plot,
    panels: plot.panels.map((panel) => ({
      ...panel,
      marks: panel.marks.map((mark) => (isHidden(mark) ? empty(mark) : mark)),
    })),
  }
}
