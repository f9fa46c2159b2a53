import type { UtcIso } from '@/lib/run/run'

const maxCached = 10

let times: ReadonlyMap<string, number> = new Map()
let sent: ReadonlyMap<string, File> = new Map()

/** Keeps a file of this tab available to its preview, by the path of the preview's page; the ten newest. */
export function cacheSentFile(url: string, file: File): void {
  times = new Map(times).set(url, file.lastModified)
  sent = new Map([...[...sent].slice(1 - maxCached), [url, file]])
}

/** When the file sent for the preview at this path was last changed; null: another tab sent it. */
export function fileTimeOf(url: string): UtcIso | null {
  const ms = times.get(url)
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** The file that this tab sent for the preview at this path; null when the tab was reloaded, or another one sent it. */
export const sentFileOf = (url: string): File | null => sent.get(url) ?? null
