import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondNothing, route } from '@/app/_server/http/respond'
import { deleteAnnotation } from '@/prisma/queries/annotations'
import { getProject } from '@/prisma/queries/projects'

export const DELETE = route<{ project: string; annotation: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await deleteAnnotation(viewer, project.id, params.annotation)
  return respondNothing()
})
