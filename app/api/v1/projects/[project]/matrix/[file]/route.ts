import { currentViewer } from '@/app/_server/http/current-viewer'
import { route } from '@/app/_server/http/respond'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { matrixMarkdown } from '@/app/s/matrix-markdown'
import { matrixQueryOf, maxExportedRuns } from '@/components/matrix/matrix-url'
import { prepareMatrix } from '@/components/matrix/prepare-matrix'
import { newestOfSeries, noiseOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { NotFoundError } from '@/lib/errors'
import { listBaselines } from '@/prisma/queries/baselines'
import { listCellNotes } from '@/prisma/queries/cell-notes'
import { getProject } from '@/prisma/queries/projects'
import { getRuns, listRuns } from '@/prisma/queries/runs'
import { listSeriesNoise } from '@/prisma/queries/trends'

type Params = { project: string; file: string }

export const GET = route<Params>(async (request, params) => {
  if (params.file !== 'matrix.md') throw new NotFoundError('File')
  const query = matrixQueryOf(new URL(request.url).search)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const order = { sort: 'time', direction: 'desc', limit: maxExportedRuns } as const
  const { rows } = await listRuns(viewer, project.id, query.filter, order)
  const ids = rows.map((run) => run.id)
  const [runs, cellNotes, baselines] = await Promise.all([
    getRuns(viewer, project.id, ids),
    listCellNotes(viewer, project.id),
    listBaselines(viewer, project.id),
  ])
  if (runs.length === 0) throw new NotFoundError('Run')
  const series = seriesOfSides(newestOfSeries(runs))
  const noiseOf = noiseOfSeries(await listSeriesNoise(viewer, project.id, series))
  return markdownAnswer(
    'matrix',
    await matrixMarkdown('Matrix', prepareMatrix(runs, query, cellNotes, baselines, noiseOf), runs),
  )
})
