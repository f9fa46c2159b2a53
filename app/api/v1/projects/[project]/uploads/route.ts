import { currentViewer } from '@/app/_server/http/current-viewer'
import { route, respondJson } from '@/app/_server/http/respond'
import { putUpload } from '@/app/_server/uploads/put-upload'
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

export const PUT = route<Params>((request, { project }) => putUpload(request, project, null), { text: true })

export const POST = PUT
