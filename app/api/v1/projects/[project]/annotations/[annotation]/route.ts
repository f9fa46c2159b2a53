import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { deleteAnnotation } from '@/prisma/queries/annotations'
import { getProject } from '@/prisma/queries/projects'

export const DELETE = mutation<{ project: string; annotation: string }>(
  'annotation.delete',
  async (_request, params, viewer) => {
    const project = await getProject(viewer, params.project)
    await deleteAnnotation(viewer, project.id, params.annotation)
    return respondNothing()
  },
)
