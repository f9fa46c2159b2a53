import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { callApi } from '../ui/actions/call-api'

/** The outcome of a draft that was previewed in this tab. */
export type Fate = 'open' | 'saved' | 'discarded'

interface Entry {
  readonly fate: Fate
  /** Drafts that were sent together are reviewed together. */
  readonly batch: number
}

let drafts: ReadonlyMap<string, Entry> = new Map()
let batches = 0
let edited: { readonly url: string; save(): Promise<unknown> } | null = null
const watchers = new Set<() => void>()

function replaceBy(next: ReadonlyMap<string, Entry>): void {
  drafts = next
  for (const watcher of watchers) watcher()
}

/**
 * Previews, by the path of their page, to review one after the other, in this order. `after`: the preview whose batch
 * they join; null: a batch of their own.
 */
export function noteDrafts(urls: readonly string[], after: string | null = null): void {
  batches += 1
  const batch = (after === null ? null : drafts.get(after)?.batch) ?? batches
  const others = [...drafts].filter(([url]) => !urls.includes(url))
  replaceBy(new Map([...others, ...urls.map((url): [string, Entry] => [url, { fate: 'open', batch }])]))
}

/** Whether this path is a preview that is neither saved nor discarded. */
export const isOpenDraft = (url: string): boolean => drafts.get(url)?.fate === 'open'

/** The outcome of the preview at this path; open if it is unknown. */
export const fateOf = (url: string): Fate => drafts.get(url)?.fate ?? 'open'

/** Notes the outcome of a draft; returns the next open one that was sent with it, null when there is none. */
export function settleDraft(url: string, fate: Exclude<Fate, 'open'>): string | null {
  const batch = drafts.get(url)?.batch ?? 0
  const next = [...drafts].find(([other, one]) => other !== url && one.batch === batch && one.fate === 'open')
  replaceBy(new Map(drafts).set(url, { fate, batch }))
  return next?.[0] ?? null
}

/**
 * Registers that the preview at this path is being edited, and how to save it, while the calling component is mounted.
 */
export function useEditing(url: string, save: () => Promise<unknown>): void {
  const saveNow = useEffectEvent(save)
  useEffect(() => {
    edited = { url, save: () => saveNow() }
    if (!drafts.has(url)) noteDrafts([url])
    return () => {
      edited = null
    }
  }, [url])
}

/** The preview that is being edited now, which must not be left without a confirmation; null: none. */
export const editedDraft = (): string | null => edited?.url ?? null

/** Saves drafts as proposed, the one being edited with its edits; stops at the first that cannot be saved. Throws. */
export async function saveDrafts(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    if (edited?.url === url) await edited.save()
    else await callApi('POST', `${draftApi(url)}/save`, { edits: [] })
    settleDraft(url, 'saved')
  }
}

/** The address of a draft in the API, by the path of its preview. */
const draftApi = (url: string): string => url.replace(/^\/p\/([^/]+)\/upload\//, '/api/v1/projects/$1/uploads/')

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The outcome of each preview of this tab, without those never noted. */
export function useDrafts(): ReadonlyMap<string, { readonly fate: Fate }> {
  return useSyncExternalStore(
    watch,
    () => drafts,
    () => drafts,
  )
}
