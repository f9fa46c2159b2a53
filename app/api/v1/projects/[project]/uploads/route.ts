import { currentViewer } from '@/app/_server/current-viewer'
import { importUpload } from '@/app/_server/import-upload'
import { requestOrigin } from '@/app/_server/request-origin'
import { route, respondJson, wantsText } from '@/app/_server/respond'
import { respondUpload } from '@/app/_server/respond-upload'
import { projectForUpload, readBodyClaims, readUploadRequest } from '@/app/_server/upload-request'
import { getProject } from '@/prisma/queries/projects'
import { listUploads } from '@/prisma/queries/uploads'

type Params = { project: string }

export const GET = route<Params>(async (_request, { project: slug }) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, slug)
  return respondJson({ uploads: await listUploads(viewer, project.id) })
})

export const PUT = route<Params>(
  async (request, { project: slug }) => {
    const origin = requestOrigin(request.headers)
    const viewer = await currentViewer()
    const project = await projectForUpload(viewer, slug, origin)
    const upload = readUploadRequest(new URL(request.url), project)
    const body = request.body as unknown as AsyncIterable<Uint8Array> | null // a web stream of Node is async-iterable
    const outcome = await importUpload(viewer, upload, body, readBodyClaims(request.headers))
    return respondUpload(outcome, project, origin, wantsText(request))
  },
  { text: true },
)

export const POST = PUT
