/**
 * How the page without a server hands files to a page of a server. It makes no request: a window is opened, which says
 * that it is there, and is given them.
 */

/** The channel between pages of one server. */
export const handingChannel = 'tailboard:files'
/** The part of the address that names what is handed over. */
export const handingParam = 'files'
/** What the viewer of a server says to a viewer elsewhere that opened it. */
export const viewerReady = 'tailboard:viewer-ready'

/** The files that a page gets. */
export interface HandedFiles {
  readonly id: string
  readonly files: readonly File[]
}

/** The files in a message; empty: it has none. */
export function filesIn(data: unknown): readonly File[] {
  if (typeof data !== 'object' || data === null || !('files' in data) || !Array.isArray(data.files)) return []
  return data.files.filter((file: unknown) => file instanceof File)
}

/** Takes the files that this page was opened for, once; returns how to stop waiting for them. */
export function awaitHandedFiles(take: (files: readonly File[]) => void): () => void {
  const id = new URLSearchParams(window.location.search).get(handingParam)
  if (id === null) return () => undefined
  const channel = new BroadcastChannel(handingChannel)
  channel.onmessage = ({ data }: MessageEvent<Partial<HandedFiles>>) => {
    if (data.id !== id) return
    channel.close()
    take(filesIn(data))
  }
  channel.postMessage({ ready: id })
  return () => channel.close()
}
