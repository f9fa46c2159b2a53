import { memberOf } from '../ui/actions/call-api'
import { parsed } from './problem'

/** How much of an upload the server has read so far. */
export interface ReadProgress {
  readonly readBytes: number
  /** Everything is read; the result is being stored. */
  readonly isStoring: boolean
}

/** Short enough to look like movement; an upload read sooner needs no progress. */
const everyMs = 400

/** Polls the server for how much it has read, until `stop` is called. Silent while that is unknown. */
export function followUpload(url: string, onProgress: (progress: ReadProgress) => void): { stop(): void } {
  const controller = new AbortController()
  const { signal } = controller
  const ask = async () => {
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
    if (!response.ok) return
    const body = parsed(await response.text())
    const readBytes = memberOf(body, 'readBytes')
    if (typeof readBytes === 'number' && !signal.aborted)
      onProgress({ readBytes, isStoring: memberOf(body, 'isStoring') === true })
  }
  // A missing response is no progress to show; the upload itself reports the problem.
  const next = () => setTimeout(() => void ask().then(go, go), everyMs)
  let timer = next()
  function go() {
    if (!signal.aborted) timer = next()
  }
  return {
    stop() {
      controller.abort()
      clearTimeout(timer)
    },
  }
}

/** Cancels an upload, and discards the draft that it may have made. Rejects when the server cannot. */
export async function cancelUpload(url: string): Promise<void> {
  const response = await fetch(url, { method: 'DELETE', keepalive: true })
  if (!response.ok && response.status !== 404) throw new Error(`The server responded with status ${response.status}.`)
}
