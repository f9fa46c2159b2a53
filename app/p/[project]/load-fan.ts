import { openTrends } from '@/app/_server/alerts/judge-trends'
import { boardTrendRuns, pastOfLevel, prepareShownFan, type ShownFan } from '@/components/board/board-fan'
import { trendOfRun } from '@/components/board/board-rows'
import type { JudgedTrend } from '@/lib/detect/judged-trend'
import { NotFoundError } from '@/lib/errors'
import type { BoardRun } from '@/lib/board/series'
import type { Metric } from '@/lib/run/metrics'
import type { Viewer } from '@/lib/viewer'
import { newestOfSeries, listBoardRuns, listFanRuns } from '@/prisma/queries/board'

/** The fan of a run that is known with its trend. Throws NotFoundError. */
export async function fanOf(
  viewer: Viewer,
  run: BoardRun,
  trend: JudgedTrend | null,
  metric: Metric,
): Promise<ShownFan> {
  const past = pastOfLevel(trend, run.id)
  const runs = await listFanRuns(viewer, run.projectId, [...past, run.id])
  return prepareShownFan(run, past, runs, metric, trend)
}

/** The fan of the newest run of a series that takes part in it. Throws NotFoundError where there is none. */
export async function openFan(viewer: Viewer, projectId: string, seriesId: string, metric: Metric): Promise<ShownFan> {
  const runId = await newestOfSeries(viewer, projectId, seriesId)
  const run = runId === null ? undefined : (await listBoardRuns(viewer, projectId, [runId])).get(runId)
  if (run === undefined) throw new NotFoundError('Run')
  const { trends } = await openTrends(viewer, projectId, {
    seriesIds: [seriesId],
    metrics: [metric],
    runs: boardTrendRuns,
  })
  const trend = trendOfRun(trends.get(metric)?.[0]?.trends ?? [], run.id)
  return fanOf(viewer, run, trend, metric)
}
