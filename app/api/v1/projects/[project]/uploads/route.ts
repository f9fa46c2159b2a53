import { mutation } from '@/app/_server/http/route'
import { putUpload } from '@/app/_server/uploads/put-upload'
import { uploadSlots } from '@/app/_server/uploads/upload-slots'

type Params = { project: string }

export { listUploads as GET } from '@/app/_server/operations/runs/uploads'

export const PUT = mutation<Params>(
  'upload.create',
  (request, { project }, viewer) => putUpload(viewer, request, project, null),
  { text: true, slots: uploadSlots },
)

export const POST = PUT
