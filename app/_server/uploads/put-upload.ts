import { ConflictError } from '@/lib/errors'
import { sameOutput } from '@/lib/experiment/stored-session'
import type { Viewer } from '@/lib/viewer'
import { isPlaceOfAttempt, voidPlaceOfAttempt } from '@/prisma/queries/projects/attempt-sessions'
import { requirePlace, voidPlace } from '@/prisma/queries/projects/experiments'
import type { Granted } from '@/prisma/queries/projects/projects'
import { judgeInTime } from '../alerts/judge-upload'
import { readGateRequest, respondGate } from '../alerts/respond-gate'
import { requestOrigin } from '../http/request-origin'
import { wantsText } from '../http/respond'
import { endTurn, noteSubject } from '../http/route'
import { settings } from '../settings'
import { importUpload, type UploadOutcome, type UploadPlace } from './import-upload'
import { duplicateWords, respondUpload } from './respond-upload'
import { countUpload, projectForUpload, readBodyClaims, readUploadRequest } from './upload-request'

/**
 * Takes the body of a request, whose turn it is, as an upload to a project. `fileName`: from its address; null: it has
 * none. Throws.
 */
export async function putUpload(
  sender: Viewer,
  request: Request,
  slug: string,
  fileName: string | null,
): Promise<Response> {
  const origin = requestOrigin(request.headers)
  const url = new URL(request.url)
  const project = await projectForUpload(sender, slug, url, origin)
  countUpload(sender)
  const upload = { project, ...readUploadRequest(url, request.headers, fileName) }
  const isOfAttempt = upload.place ? await isPlaceOfAttempt(project, upload.place) : false
  if (upload.place && !isOfAttempt) await requirePlace(project, upload.place)
  const gate = readGateRequest(url, wantsText(request))
  const body = request.body as unknown as AsyncIterable<Uint8Array> | null // a web stream of Node is async-iterable
  const claims = readBodyClaims(request.headers)
  const outcome = await importUpload(upload, body, claims, request.signal)
  endTurn(request)
  if (upload.place) await voidUnlessRun(project, upload.place, outcome, isOfAttempt ? voidPlaceOfAttempt : voidPlace)
  noteSubject(request, { upload: outcome.upload.id, name: outcome.upload.name })
  if (!upload.gate || 'error' in outcome || outcome.kind === 'draft')
    return respondUpload(outcome, project, origin, wantsText(request))
  const own = { projectId: project.id, uploadId: outcome.upload.id, runs: outcome.runs }
  const verdict = await judgeInTime(project.viewer, { ...own, ...gate }, settings().gateMs)
  const answer = { ...own, verdict, project, uploadName: outcome.upload.name, notes: duplicateWords(outcome) }
  return respondGate(answer, origin, gate)
}

/** An experiment goes on without a run that it awaits and that was not stored. */
async function voidUnlessRun(
  project: Granted<'upload'>,
  { experiment, arm, round }: UploadPlace,
  outcome: UploadOutcome,
  voidIt: typeof voidPlace,
): Promise<void> {
  const reason = voidReasonOf(outcome)
  if (reason === null) return
  await voidIt(project, experiment, { round, arm, reason }).catch((error: unknown) => {
    // The round went on in the meantime.
    if (!(error instanceof ConflictError)) throw error
  })
}

/** Null: its output is one run. */
function voidReasonOf(outcome: UploadOutcome): string | null {
  switch (outcome.kind) {
    case 'saved':
      return outcome.runs.length === 1 ? null : `its output has ${outcome.runs.length} runs, not one`
    case 'duplicate':
      return sameOutput
    default:
      return 'its output could not be read'
  }
}
