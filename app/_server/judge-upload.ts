import { setImmediate } from 'node:timers/promises'
import { judgeForBuild, raisedKey, type GateVerdict } from '@/lib/gate'
import { linesOf } from '@/lib/series'
import type { RunRow } from '@/lib/stored'
import { alertStates } from '@/lib/stored-alerts'
import type { Viewer } from '@/lib/viewer'
import { listAlerts } from '@/prisma/queries/alerts'
import { findDueSeries } from '@/prisma/queries/looks'
import { getSeriesHistories } from '@/prisma/queries/series'
import { evaluateSeries } from './evaluate-series'

const newestRuns = 400

/** Looks at the series of an upload's runs at once, and judges the runs for a build. Throws NotFoundError. */
export async function judgeUpload(
  viewer: Viewer,
  projectId: string,
  runs: readonly RunRow[],
  wait: number,
): Promise<GateVerdict> {
  const seriesIds = [...new Set(runs.map((run) => run.seriesId))]
  for (const seriesId of seriesIds) {
    // The embedded database answers without ever letting a timer run, so whoever waits could not give up.
    await setImmediate()
    const due = await findDueSeries(viewer, projectId, seriesId)
    if (due !== null) await evaluateSeries(viewer, due)
  }
  const runIds = new Set(runs.map((run) => run.id))
  const histories = await getSeriesHistories(viewer, projectId, seriesIds, newestRuns)
  const lines = histories
    .flatMap(linesOf)
    .filter((line) => line.points.some((point) => runIds.has(point.runId)))
    .map((line) => ({ line, runIds }))
  const alerts = await listAlerts(viewer, projectId, alertStates)
  const own = alerts.filter((alert) => alert.state === 'open' && runIds.has(alert.raisedRunId ?? ''))
  const raised = own.flatMap((alert) => alert.findings.map((one) => raisedKey(one.seriesId, one.profile, one.metricId)))
  return judgeForBuild({ lines, wait, raised: new Set(raised) })
}
