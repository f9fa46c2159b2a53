import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondNothing, route } from '@/app/_server/http/respond'
import { cellNoteSchema } from '@/app/_server/schemas'
import { setCellNote } from '@/prisma/queries/cell-notes'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const PUT = route<Params>(async (request, params) => {
  const note = await readJson(request, cellNoteSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await setCellNote(viewer, project.id, note)
  return respondNothing()
})
