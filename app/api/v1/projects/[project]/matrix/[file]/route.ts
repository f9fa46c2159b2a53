import { currentViewer } from '@/app/_server/http/current-viewer'
import { route } from '@/app/_server/http/respond'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { matrixMarkdown } from '@/app/s/matrix-markdown'
import { maxExportedRuns, readMatrixQuery } from '@/components/matrix/matrix-url'
import { NotFoundError } from '@/lib/errors'
import { listCellNotes } from '@/prisma/queries/cell-notes'
import { getProject } from '@/prisma/queries/projects'
import { getRuns, listRuns } from '@/prisma/queries/runs'

type Params = { project: string; file: string }

export const GET = route<Params>(async (request, params) => {
  if (params.file !== 'matrix.md') throw new NotFoundError('File')
  const { searchParams } = new URL(request.url)
  const query = readMatrixQuery(
    Object.fromEntries([...searchParams.keys()].map((key) => [key, searchParams.getAll(key)])),
  )
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const order = { sort: 'time', direction: 'desc', limit: maxExportedRuns } as const
  const { rows } = await listRuns(viewer, project.id, query.filter, order)
  const ids = rows.map((run) => run.id)
  const [runs, cellNotes] = await Promise.all([getRuns(viewer, project.id, ids), listCellNotes(viewer, project.id)])
  if (runs.length === 0) throw new NotFoundError('Run')
  return markdownAnswer('matrix', await matrixMarkdown('Matrix', runs, query, cellNotes))
})
