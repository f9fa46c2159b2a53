'use client'

import { useSyncExternalStore } from 'react'
import type { Mark, Plot } from './model'

const none: ReadonlySet<string> = new Set()
/** Series that the reader of this page hid, by id: one choice for all plots, as one cursor runs through them. */
let hidden = none
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What is hidden, and a way to change it. */
export function useHidden(): readonly [hidden: ReadonlySet<string>, set: (next: ReadonlySet<string>) => void] {
  const now = useSyncExternalStore(
    subscribe,
    () => hidden,
    () => none,
  )
  return [now, setHidden]
}

function setHidden(next: ReadonlySet<string>): void {
  hidden = next
  for (const listener of listeners) listener()
}

/**
 * What a choice in a legend hides: `own` are the series of the entry, `all` those of the legend. Alone hides or shows the
 * entry; else it is isolated, and all are shown again when it is already.
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

/** The plot without the marks of hidden series. Places of marks stay, since others name them. All hidden: all are shown. */
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
