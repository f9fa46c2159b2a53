import { InvalidInputError, NotFoundError, TooLargeError } from '@/lib/errors'
import { unnamedUpload } from '@/lib/project/upload-title'
import type { Viewer } from '@/lib/viewer'
import { findUploadTarget } from '@/prisma/queries/projects/projects'
import { readyBody } from '../http/paced-body'
import { respondSeeOther } from '../http/read-form'
import { bodyOf } from '../http/respond'
import { importUpload, type UploadOutcome } from './import-upload'

/** A form is parsed in memory: larger files come by curl, which streams. */
const maxFormBytes = 16 * 1_024 * 1_024

/**
 * The plain form of a browser without JavaScript: a chosen file, else the pasted text, saved at once like curl's
 * uploads. Redirects to what was saved, or to what could not be read. Throws NotFoundError, ForbiddenError,
 * InvalidInputError, TooLargeError.
 */
export async function takeForm(sender: Viewer, request: Request, slug: string): Promise<Response> {
  const project = await findUploadTarget(sender, slug, 'upload').then((found) => found ?? noProject(slug))
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  const hint = 'Send it by curl: the upload page shows the command.'
  if (!(length >= 0)) throw new InvalidInputError('The form has no Content-Length.', { field: 'content-length', hint })
  if (length > maxFormBytes)
    throw new TooLargeError(`A form takes ${maxFormBytes} bytes at most. ${hint}`, maxFormBytes)
  const form = await readFields(request)
  const file = form.get('file')
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  const isChosen = file instanceof File && file.size > 0
  const bytes = isChosen ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(text('text') ?? '')
  if (bytes.length === 0) throw new InvalidInputError('Neither a file nor text was sent.', { field: 'file' })
  const short = (name: string) => {
    const value = text(name)?.trim()
    if (value !== undefined && [...value].length > 200)
      throw new InvalidInputError(`${name} is longer than 200 characters.`, { field: name })
    return value
  }
  const upload = {
    project,
    name: (isChosen && [...file.name].slice(0, 255).join('')) || unnamedUpload,
    labels: {},
    scenario: short('scenario'),
    variant: short('variant'),
    again: false,
    draft: false,
    keepSecrets: false,
    gate: false,
  }
  const claims = { contentLength: bytes.length, sha256: null, isGzip: false }
  const body = (async function* () {
    yield bytes
  })()
  return respondSeeOther(placeOf(project.slug, await importUpload(upload, body, claims, request.signal)))
}

async function readFields(request: Request): Promise<FormData> {
  try {
    const type = request.headers.get('content-type') ?? ''
    return await new Response(bodyOf(readyBody(request)), { headers: { 'content-type': type } }).formData()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const hint = 'To send a file as it is, PUT it to the API: the upload page shows the command.'
    throw new InvalidInputError('The body cannot be read as a form.', { field: 'body', hint })
  }
}

const noProject = (slug: string): never => {
  throw new NotFoundError(`Project ${slug}`)
}

/** The page that shows the outcome: its run, its runs, or why nothing could be read. */
function placeOf(slug: string, outcome: UploadOutcome): string {
  if ('error' in outcome || outcome.kind === 'draft') return `/p/${slug}/upload/${outcome.upload.id}`
  const [run, ...more] = outcome.runs
  return run !== undefined && more.length === 0
    ? `/p/${slug}/runs/${run.id}`
    : `/p/${slug}/runs?upload=${outcome.upload.id}`
}
