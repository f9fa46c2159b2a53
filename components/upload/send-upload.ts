import { memberOf, parsed, readProblem, textOf, type UploadProblem } from './problem'

export type UploadAnswer =
  | { readonly kind: 'preview'; readonly url: string; readonly runCount: number }
  | { readonly kind: 'problem'; readonly problem: UploadProblem }
  | { readonly kind: 'cancelled' }

/** An upload under way. `answer` never rejects. */
export interface Sending {
  readonly answer: Promise<UploadAnswer>
  cancel(): void
}

/** Runs found in a draft, by the answer to it. */
function runCountOf(body: unknown): number {
  const runs = memberOf(memberOf(body, 'upload'), 'draftRuns')
  return Array.isArray(runs) ? runs.length : 0
}

/** Sends one file as a draft. `onProgress` gets the bytes sent so far, and all of them when only reading is left. */
export function sendUpload(
  projectSlug: string,
  file: Blob,
  name: string,
  onProgress: (sentBytes: number) => void,
): Sending {
  const request = new XMLHttpRequest()
  const answer = new Promise<UploadAnswer>((resolve) => {
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded))
    request.upload.addEventListener('load', () => onProgress(file.size))
    request.addEventListener('load', () => {
      const body = request.status < 300 ? parsed(request.responseText) : null
      const url = textOf(body, 'url')
      if (url) resolve({ kind: 'preview', url, runCount: runCountOf(body) })
      else resolve({ kind: 'problem', problem: readProblem(request.responseText, request.status) })
    })
    request.addEventListener('abort', () => resolve({ kind: 'cancelled' }))
    request.addEventListener('error', () => {
      const detail = 'The file could not be sent.'
      const hint = 'Is Tailboard still running, and is this a file rather than a folder? Then try again.'
      resolve({ kind: 'problem', problem: { detail, hint, line: null, url: null } })
    })
  })
  const query = new URLSearchParams({ draft: '1', name: name.slice(0, 255) })
  request.open('PUT', `/api/v1/projects/${encodeURIComponent(projectSlug)}/uploads?${query.toString()}`)
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.send(file)
  return { answer, cancel: () => request.abort() }
}
