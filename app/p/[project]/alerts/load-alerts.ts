import { openTrends } from '@/app/_server/alerts/judge-trends'
import { boardTrendRuns } from '@/lib/levels/trend'
import { beginOfStrips, lastRunsOfLevels, stripOf } from '@/components/board/board-rows'
import type { Strip } from '@/components/charts/plot/rows/strip'
import { findMetric, type Metric } from '@/lib/run/metrics'
import { limitsOfSeries, type RuleLimit } from '@/lib/rules/limits'
import type { AlertRow } from '@/lib/rules/stored-alerts'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listBoardRuns, readPastJudgements } from '@/prisma/queries/series/board'

/** Alerts with a strip: the others are far down the list. */
const maxStrips = 40

/** The last runs of the alerts' series in their bands, by alert; without deleted series. */
export async function loadStrips(
  project: Granted<'read'>,
  alerts: readonly AlertRow[],
  limits: readonly RuleLimit[],
): Promise<ReadonlyMap<string, Strip>> {
  const wanted = alerts.slice(0, maxStrips).flatMap((alert) => {
    const lead = alert.findings[0] ?? alert.events.find((event) => 'metricId' in event)
    const metric = lead !== undefined && 'metricId' in lead ? findMetric(lead.metricId) : null
    // The series of a row exists; those of its findings may be deleted.
    return lead !== undefined && 'seriesId' in lead && metric !== null && alert.series?.id === lead.seriesId
      ? [{ alertId: alert.id, seriesId: lead.seriesId, profile: lead.profile, metric }]
      : []
  })
  const byMetric = [...new Set(wanted.map(({ metric }) => metric))].map((metric) => ({
    metric,
    own: wanted.filter((one) => one.metric === metric),
  }))
  const found = await Promise.all(byMetric.map(({ metric, own }) => stripsOf(project, metric, own, limits)))
  return new Map(found.flat())
}

interface Wanted {
  readonly alertId: string
  readonly seriesId: string
  readonly profile: string
}

async function stripsOf(
  project: Granted<'read'>,
  metric: Metric,
  wanted: readonly Wanted[],
  limits: readonly RuleLimit[],
): Promise<readonly (readonly [string, Strip])[]> {
  const seriesIds = [...new Set(wanted.map(({ seriesId }) => seriesId))]
  const { trends: all } = await openTrends(project, { seriesIds, metrics: [metric], runs: boardTrendRuns })
  const known = (all.get(metric) ?? []).flatMap(({ trends }) => trends)
  const own = wanted.flatMap(({ alertId, seriesId, profile: name }) => {
    const trend = known.find(({ profile }) => profile.series.id === seriesId && profile.name === name)
    return trend === undefined ? [] : [{ alertId, trend, runId: trend.points.at(-1)?.runIds.at(-1) ?? '' }]
  })
  const trends = own.map(({ trend }) => trend)
  if (trends.length === 0) return []
  const asked = { metric, sinceOf: beginOfStrips(trends), runIds: lastRunsOfLevels(trends) }
  const [runs, past] = await Promise.all([
    listBoardRuns(project, [...new Set(own.map(({ runId }) => runId))]),
    readPastJudgements(project, asked),
  ])
  return own.flatMap(({ alertId, trend, runId }) => {
    const run = runs.get(runId)
    const strip = run === undefined ? null : stripOf(run, trend, metric, past, { limits: limitsOfSeries(limits, run) })
    return strip === null ? [] : [[alertId, strip] as const]
  })
}
