import { prepareShownFan, type ShownFan, type ShownIn } from '@/components/board/board-fan'
import { NotFoundError } from '@/lib/errors'
import type { BoardRun } from '@/lib/board/series'
import type { Metric } from '@/lib/run/metrics'
import type { Granted } from '@/prisma/queries/projects/projects'
import { ruleLimits } from '@/lib/rules/limits'
import { listFindings } from '@/prisma/queries/alerts/alerts'
import { listRules } from '@/prisma/queries/alerts/rules'
import { newestOfSeries, listBoardRuns } from '@/prisma/queries/series/board'
import { listPastRuns } from '@/prisma/queries/runs/run-neighbours'

/** The fan of a run, given with what came before it. Throws NotFoundError. */
export async function fanOf(project: Granted<'read'>, run: BoardRun, shown: ShownIn): Promise<ShownFan> {
  const [past, findings] = await Promise.all([listPastRuns(project, run), listFindings(project, [run.seriesId])])
  return prepareShownFan(run, { past, findings }, shown)
}

/** The fan of the newest run of a series that takes part in it. Throws NotFoundError if there is none. */
export async function openFan(project: Granted<'read'>, seriesId: string, metric: Metric): Promise<ShownFan> {
  const runId = await newestOfSeries(project, seriesId)
  const run = runId === null ? undefined : (await listBoardRuns(project, [runId])).get(runId)
  if (run === undefined) throw new NotFoundError('Run')
  const limits = ruleLimits(await listRules(project))
  return fanOf(project, run, { metric, limits })
}
