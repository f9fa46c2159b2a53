import { mutation } from '@/app/_server/http/route'
import { takeForm } from '@/app/_server/uploads/take-form'

export const POST = mutation<{ project: string }>('upload.create', (request, { project }, viewer) =>
  takeForm(viewer, request, project),
)
