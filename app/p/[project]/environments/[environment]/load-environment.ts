import { openTrends } from '@/app/_server/alerts/judge-trends'
import { environmentInstrument } from '@/app/_server/environment-instrument'
import { boardTrendRuns } from '@/lib/levels/trend'
import { seriesOfVisible, visibleChanges, visibleMetrics } from '@/lib/board/visible-changes'
import { environmentFactor } from '@/lib/rules/project-environments'
import { defaultMetric } from '@/lib/run/metrics'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getJudgements, listPasts } from '@/prisma/queries/runs/runs'
import { getEnvironment } from '@/prisma/queries/series/environments'
import { listSeriesNoise } from '@/prisma/queries/series/trends'

/** All that the page of an environment shows. Throws NotFoundError. */
export async function loadEnvironment(granted: Granted<'read'>, name: string) {
  const environment = await getEnvironment(granted, name)
  const seriesIds = environment.series.slice(0, seriesOfVisible).map(({ history }) => history.id)
  const newest = environment.series.flatMap(({ history }) => history.points.at(-1)?.runId ?? [])
  const [{ trends }, noises, pasts, judgements] = await Promise.all([
    openTrends(granted, { seriesIds, metrics: visibleMetrics, runs: boardTrendRuns }),
    listSeriesNoise(granted, seriesIds),
    listPasts(granted, newest, defaultMetric),
    getJudgements(granted, newest),
  ])
  const instrument = await environmentInstrument(granted, environment.name)
  return {
    ...{ environment, instrument, nowMs: Date.now() },
    factor: environmentFactor(environment),
    visible: visibleChanges(trends, noises),
    trends: trends.get(defaultMetric) ?? [],
    pasts,
    states: new Map([...judgements].map(([id, judgement]) => [id, judgement.state])),
  }
}
