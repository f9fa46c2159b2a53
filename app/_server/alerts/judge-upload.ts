import { setImmediate } from 'node:timers/promises'
import { judgeForBuild, openAlertsOf, raisedBy, type GateVerdict } from '@/lib/rules/gate'
import { linesOf } from '@/lib/run/series'
import type { RunRow } from '@/lib/run/stored'
import { alertStates } from '@/lib/rules/stored-alerts'
import type { Viewer } from '@/lib/viewer'
import { listAlerts } from '@/prisma/queries/alerts'
import { findDueSeries } from '@/prisma/queries/evaluations'
import { listReferenceRuns, listRules } from '@/prisma/queries/rules'
import { getSeriesHistories } from '@/prisma/queries/series'
import { getUpload } from '@/prisma/queries/uploads'
import { evaluateSeries } from './evaluate-series'

const newestRuns = 400

/** Which upload is judged for a build. */
export interface WantedVerdict {
  readonly projectId: string
  readonly uploadId: string
  readonly runs: readonly RunRow[]
  /** Runs of one commit that are wanted before judging. */
  readonly wait: number
}

/** Evaluates the series of an upload's runs at once, and judges the runs for a build. Throws NotFoundError. */
export async function judgeUpload(
  viewer: Viewer,
  { projectId, uploadId, runs, wait }: WantedVerdict,
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
  const rules = await listRules(viewer, projectId)
  const reference = await listReferenceRuns(viewer, projectId, rules)
  const at = new Date().toISOString()
  const { problems } = await getUpload(viewer, projectId, uploadId)
  const worst = problems.find((one) => one.severity === 'error')
  const problem = worst ? `${worst.message}${worst.line === null ? '' : ` (line ${worst.line})`}` : null
  const openAlerts = openAlertsOf(alerts, new Set(seriesIds), runIds)
  return judgeForBuild({ lines, wait, rules, reference, at, raised: raisedBy(alerts, runIds), openAlerts, problem })
}
