import { mutation } from '@/app/_server/http/route'
import { putUpload } from '@/app/_server/uploads/put-upload'
import { lastSegment } from '@/app/_server/uploads/upload-request'
import { uploadSlots } from '@/app/_server/uploads/upload-slots'

export { deleteUpload as DELETE, getUpload as GET } from '@/app/_server/operations/runs/uploads'

/** The address ends in the file's name, as `curl -T out.txt …/uploads/` makes it. */
export const PUT = mutation<{ project: string; upload: string }>(
  'upload.create',
  (request, { project }, viewer) => putUpload(viewer, request, project, lastSegment(request.url)),
  { text: true, slots: uploadSlots },
)
