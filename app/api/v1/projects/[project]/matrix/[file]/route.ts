import { exportSlots } from '@/app/_server/http/export-slots'
import { route } from '@/app/_server/http/route'
import { matrixFile } from '@/app/s/matrix-file'
import { themeOf } from '@/app/s/theme-of'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { matrixMarkdown } from '@/app/s/matrix-markdown'
import { matrixQueryOf, maxExportedRuns, maxMatrixRuns } from '@/components/matrix/matrix-url'
import { prepareMatrix } from '@/components/matrix/prepare-matrix'
import { newestOfSeries, noiseOfSeries, seriesOfSides } from '@/lib/judge/history-noise'
import { NotFoundError } from '@/lib/errors'
import { listBaselines } from '@/prisma/queries/runs/baselines'
import { listCellNotes } from '@/prisma/queries/projects/cell-notes'
import { getProject, grant, type Granted } from '@/prisma/queries/projects/projects'
import { getRuns, listFailures, listRuns } from '@/prisma/queries/runs/runs'
import { listSeriesNoise } from '@/prisma/queries/series/trends'

type Params = { project: string; file: string }

/** A matrix as the file of this name, of the runs that its page shows. */
export const GET = route<Params>(
  async (request, { project: slug, file }, viewer) => {
    const granted = await grant(viewer, { slug }, 'read')
    const { name } = await getProject(viewer, slug)
    return makeFile(request, granted, { projectName: name, file })
  },
  { slots: exportSlots },
)

async function makeFile(
  request: Request,
  granted: Granted<'read'>,
  { projectName, file }: { readonly projectName: string; readonly file: string },
): Promise<Response> {
  const query = matrixQueryOf(new URL(request.url).search)
  const isPage = file === 'matrix.md'
  const order = { sort: 'time', direction: 'desc', limit: isPage ? maxExportedRuns : maxMatrixRuns } as const
  const { rows } = await listRuns(granted, query.filter, order)
  const [cellNotes, baselines] = await Promise.all([listCellNotes(granted), listBaselines(granted)])
  if (rows.length === 0) throw new NotFoundError('Run')
  const series = seriesOfSides(newestOfSeries(rows))
  const noiseOf = noiseOfSeries(await listSeriesNoise(granted, series))
  const failures = await listFailures(granted, rows)
  const prepared = prepareMatrix(rows, query, cellNotes, { baselines, noiseOf, failures })
  if (!isPage) {
    const answer = matrixFile(file === 'matrix.png' ? 'preview.png' : file, prepared, {
      projectName,
      theme: themeOf(request) ?? 'light',
    })
    if (answer === null) throw new NotFoundError('File')
    return answer
  }
  const ids = rows.map((run) => run.id)
  const runs = await getRuns(granted, ids)
  return markdownAnswer('matrix', await matrixMarkdown('Matrix', prepared, runs))
}
