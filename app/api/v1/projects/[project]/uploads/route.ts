import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { putUpload } from '@/app/_server/uploads/put-upload'
import { uploadSlots } from '@/app/_server/uploads/upload-slots'
import { getProject } from '@/prisma/queries/projects'
import { listUploads } from '@/prisma/queries/upload-list'

type Params = { project: string }

const maxListed = 1_000

export const GET = route<Params>(async (request, { project: slug }, viewer) => {
  const project = await getProject(viewer, slug)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return respondJson(await listUploads(viewer, project.id, { before, limit: maxListed }))
})

export const PUT = mutation<Params>(
  'upload.create',
  (request, { project }, viewer) => putUpload(viewer, request, project, null),
  { text: true, slots: uploadSlots },
)

export const POST = PUT
