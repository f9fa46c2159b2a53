import type { Viewer } from '@/lib/viewer'
import { requestOrigin } from '../http/request-origin'
import type { Problem } from '../http/respond'
import { logChange } from '../http/route'
import { inSlot } from '../http/work-slots'
import { importUpload } from './import-upload'
import { problemOfUpload, uploadLines } from './respond-upload'
import { countUpload, projectForUpload, readUploadRequest } from './upload-request'
import { uploadSlots } from './upload-slots'

const placeKeys: ReadonlySet<string> = new Set(['experiment', 'arm', 'round'])

/** A text to upload, with the labels of its runs as `key=value`. */
export interface SentText {
  readonly slug: string
  readonly name: string
  readonly content: string
  readonly labels: readonly string[]
  /** Its place in an experiment, `experiment=…&arm=…&round=…`; empty: none. */
  readonly place: string
}

/**
 * Takes a text that is part of a request as an upload, as if it were sent on its own. Returns the addresses of its
 * runs, one per line, or why it could not be read. Throws as an upload does.
 */
export async function takeText(
  sender: Viewer,
  request: Request,
  { slug, name, content, labels, place }: SentText,
): Promise<string | Problem> {
  const origin = requestOrigin(request.headers)
  const url = new URL(request.url)
  const placed = [...new URLSearchParams(place)].filter(([key]) => placeKeys.has(key))
  url.search = new URLSearchParams([...labels.map((label) => ['label', label]), ...placed]).toString()
  return inSlot(uploadSlots, async () => {
    const project = await projectForUpload(sender, slug, url, origin)
    countUpload(sender)
    const upload = { project, ...readUploadRequest(url, new Headers(), name) }
    const bytes = new TextEncoder().encode(content)
    const body = (async function* () {
      yield bytes
    })()
    const claims = { contentLength: bytes.length, sha256: null, isGzip: false }
    const outcome = await importUpload(upload, body, claims, request.signal)
    const made = { project: slug, upload: outcome.upload.id, name: outcome.upload.name }
    await logChange('upload.create', made, sender, request.headers)
    return 'error' in outcome ? problemOfUpload(outcome, project, origin) : uploadLines(outcome, project, origin)
  })
}
