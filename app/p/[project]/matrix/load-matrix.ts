import { readMatrixQuery, type MatrixQuery } from '@/components/matrix/matrix-url'
import { newestOfSeries, seriesOfSides, type SeriesNoise } from '@/lib/judge/history-noise'
import type { RunFacets, RunPage, RunRow, StoredCellNote } from '@/lib/run/stored'
import { listBaselines } from '@/prisma/queries/baselines'
import { listCellNotes } from '@/prisma/queries/cell-notes'
import { listFacets, listRuns } from '@/prisma/queries/runs'
import { listSeriesNoise } from '@/prisma/queries/trends'
import { getUpload } from '@/prisma/queries/uploads'
import { foundOr404, openProject } from '../open-project'

export interface LoadedMatrix {
  readonly projectSlug: string
  /** What the runs can be narrowed to. */
  readonly facets: RunFacets
  readonly page: RunPage
  readonly query: MatrixQuery
  readonly cellNotes: readonly StoredCellNote[]
  readonly uploadName: string | null
  /** Runs that others of their scenario and environment are compared with. */
  readonly baselines: readonly RunRow[]
  /** Of the series of these runs: what is known of the noise of single runs. */
  readonly noises: readonly SeriesNoise[]
}

/** The runs that a matrix's address narrows to, and what is noted of its cells. */
export async function loadMatrix(
  slug: string,
  params: Readonly<Record<string, string | string[] | undefined>>,
): Promise<LoadedMatrix> {
  const { viewer, project } = await openProject(slug)
  const query = readMatrixQuery(params)
  const { uploadId } = query.filter
  const [page, facets, cellNotes, upload, baselines] = await Promise.all([
    foundOr404(listRuns(viewer, project.id, query.filter, { sort: 'time', direction: 'desc', limit: 200 })),
    listFacets(viewer, project.id),
    listCellNotes(viewer, project.id),
    uploadId === undefined ? null : foundOr404(getUpload(viewer, project.id, uploadId)),
    listBaselines(viewer, project.id),
  ])
  const noises = await listSeriesNoise(viewer, project.id, seriesOfSides(newestOfSeries(page.rows)))
  const uploadName = upload?.name ?? null
  return { projectSlug: project.slug, facets, page, query, cellNotes, uploadName, baselines, noises }
}
