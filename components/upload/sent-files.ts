const maxCached = 10

let sent: ReadonlyMap<string, File> = new Map()

/** Keeps a file of this tab available to its preview, by the path of the preview's page; the ten newest. */
export function cacheSentFile(url: string, file: File): void {
  sent = new Map([...[...sent].slice(1 - maxCached), [url, file]])
}

/** The file that this tab sent for the preview at this path; null when the tab was reloaded, or another one sent it. */
export const sentFileOf = (url: string): File | null => sent.get(url) ?? null
