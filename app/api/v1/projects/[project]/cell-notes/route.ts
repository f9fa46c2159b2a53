import { readJson } from '@/app/_server/http/read-json'
import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { cellNoteSchema } from '@/app/_server/schemas'
import { setCellNote } from '@/prisma/queries/cell-notes'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const PUT = mutation<Params>('cell-note.set', async (request, params, viewer) => {
  const note = await readJson(request, cellNoteSchema)
  const project = await getProject(viewer, params.project)
  await setCellNote(viewer, project.id, note)
  return respondNothing()
})
