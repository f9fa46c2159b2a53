import { currentViewer } from '@/app/_server/http/current-viewer'
import { importUpload } from '@/app/_server/uploads/import-upload'
import { judgeInTime } from '@/app/_server/alerts/judge-upload'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { route, respondJson, wantsText } from '@/app/_server/http/respond'
import { readGateRequest, respondGate } from '@/app/_server/alerts/respond-gate'
import { respondUpload } from '@/app/_server/uploads/respond-upload'
import { settings } from '@/app/_server/settings'
import { projectForUpload, readBodyClaims, readUploadRequest } from '@/app/_server/uploads/upload-request'
import { getProject } from '@/prisma/queries/projects'
import { listUploads } from '@/prisma/queries/upload-list'

type Params = { project: string }

const maxListed = 1_000

export const GET = route<Params>(async (request, { project: slug }) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, slug)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return respondJson(await listUploads(viewer, project.id, { before, limit: maxListed }))
})

export const PUT = route<Params>(
  async (request, { project: slug }) => {
    const origin = requestOrigin(request.headers)
    const viewer = await currentViewer()
    const project = await projectForUpload(viewer, slug, origin)
    const upload = readUploadRequest(new URL(request.url), request.headers, project)
    const gate = readGateRequest(new URL(request.url), wantsText(request))
    const body = request.body as unknown as AsyncIterable<Uint8Array> | null // a web stream of Node is async-iterable
    const outcome = await importUpload(viewer, upload, body, readBodyClaims(request.headers), request.signal)
    if (!upload.gate || outcome.kind === 'draft' || outcome.kind === 'unreadable')
      return respondUpload(outcome, project, origin, wantsText(request))
    const own = { projectId: project.id, uploadId: outcome.upload.id, runs: outcome.runs }
    const verdict = await judgeInTime(viewer, { ...own, wait: gate.wait }, settings().gateMs)
    return respondGate({ ...own, verdict, project }, origin, gate)
  },
  { text: true },
)

export const POST = PUT
