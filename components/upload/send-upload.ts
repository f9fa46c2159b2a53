import { memberOf, textOf } from '../ui/actions/call-api'
import { cancelUpload, followUpload, type ReadProgress } from './follow-upload'
import { parsed, readProblem, type UploadProblem } from './problem'

export type UploadAnswer =
  | { readonly kind: 'preview'; readonly url: string; readonly runCount: number }
  | { readonly kind: 'problem'; readonly problem: UploadProblem }
  | { readonly kind: 'cancelled' }

/** An upload in progress. `answer` never rejects. */
export interface Sending {
  readonly answer: Promise<UploadAnswer>
  cancel(): void
}

/** Number of runs found in a draft, from its response. */
function runCountOf(body: unknown): number {
  const runs = memberOf(memberOf(body, 'upload'), 'draftRuns')
  return Array.isArray(runs) ? runs.length : 0
}

/** Progress of an upload. `read` null: the server has not reported yet. */
export interface SendProgress {
  readonly sentBytes: number
  readonly read: ReadProgress | null
}

/** Options of the request. */
export interface SendWish {
  readonly keepSecrets: boolean
  /** Lower-case hex: other bytes are refused. Null: any. */
  readonly sha256: string | null
}

/** Sends one file as a draft. `onProgress`: bytes sent so far, all of them once only reading remains. */
export function sendUpload(
  projectSlug: string,
  file: Blob,
  name: string,
  onProgress: (progress: SendProgress) => void,
  wish: SendWish = { keepSecrets: false, sha256: null },
): Sending {
  const request = new XMLHttpRequest()
  const uploads = `/api/v1/projects/${encodeURIComponent(projectSlug)}/uploads`
  const id = crypto.randomUUID()
  const progressUrl = `${uploads}/progress/${id}`
  let progress: SendProgress = { sentBytes: 0, read: null }
  const report = (change: Partial<SendProgress>) => {
    progress = { ...progress, ...change }
    onProgress(progress)
  }
  const follower = followUpload(progressUrl, (read) => report({ read }))
  const answer = new Promise<UploadAnswer>((resolve) => {
    request.upload.addEventListener('progress', (event) => report({ sentBytes: event.loaded }))
    request.upload.addEventListener('load', () => report({ sentBytes: file.size }))
    request.addEventListener('loadend', () => follower.stop())
    request.addEventListener('load', () => {
      const body = request.status < 300 ? parsed(request.responseText) : null
      const url = textOf(body, 'url')
      if (url) resolve({ kind: 'preview', url, runCount: runCountOf(body) })
      else resolve({ kind: 'problem', problem: readProblem(request.responseText, request.status) })
    })
    // The server may have read it all by now, and made a draft that would be left over.
    request.addEventListener('abort', () =>
      cancelUpload(progressUrl).then(
        () => resolve({ kind: 'cancelled' }),
        (error: unknown) => resolve({ kind: 'problem', problem: notCancelled(error) }),
      ),
    )
    request.addEventListener('error', () => {
      const detail = 'The file could not be uploaded.'
      const hint = 'Is Tailboard still running, and is this a file rather than a folder? Then try again.'
      resolve({ kind: 'problem', problem: { detail, hint, line: null, url: null } })
    })
  })
  const query = new URLSearchParams({ draft: '1', name: name.slice(0, 255) })
  if (wish.keepSecrets) query.set('keepSecrets', '1')
  request.open('PUT', `${uploads}?${query.toString()}`)
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.setRequestHeader('upload-progress', id)
  if (wish.sha256 !== null) request.setRequestHeader('content-sha256', wish.sha256)
  request.send(file)
  return { answer, cancel: () => request.abort() }
}

function notCancelled(error: unknown): UploadProblem {
  const cause = error instanceof Error ? error.message : String(error)
  return {
    detail: `It may still be running on the server. ${cause}`,
    hint: 'If it left a draft, the draft is discarded within a day.',
    line: null,
    url: null,
  }
}
