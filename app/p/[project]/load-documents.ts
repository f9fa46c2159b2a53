import { prepareDocuments, type DocumentBoard } from '@/components/board/document-rows'
import type { BoardSeries } from '@/lib/board/series'
import { listBoardRuns, listFanRuns } from '@/prisma/queries/series/board'
import { getRunCount, type Granted } from '@/prisma/queries/projects/projects'
import { listFailures } from '@/prisma/queries/runs/runs'

/** A document of more series is a board like any other. */
const maxSeries = 50

/** The board of a project each of whose series has one run; null: some have a history. */
export async function loadDocuments(
  project: Granted<'read'>,
  series: readonly BoardSeries[],
): Promise<DocumentBoard | null> {
  const runIds = series.flatMap(({ newest }) => newest?.runId ?? [])
  const isJudged = series.some(({ newest }) => newest?.state === 'as-expected' || newest?.state === 'better')
  if (isJudged || runIds.length !== series.length || series.length > maxSeries) return null
  if ((await getRunCount(project)) !== series.length) return null
  const runs = await listBoardRuns(project, runIds)
  const shown = [...runs.values()]
  const [percentiles, failures] = await Promise.all([listFanRuns(project, runIds), listFailures(project, shown)])
  return prepareDocuments(shown, percentiles, failures)
}
