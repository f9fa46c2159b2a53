import type { z } from 'zod'
import { seriesOfVisible, visibleChanges, visibleMetrics } from '@/lib/board/visible-changes'
import { boardTrendRuns } from '@/lib/levels/trend'
import { environmentFactor } from '@/lib/rules/project-environments'
import { environmentSentence } from '@/lib/rules/rule-words'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getEnvironment } from '@/prisma/queries/series/environments'
import { getTrends, listSeriesNoise } from '@/prisma/queries/series/trends'
import type { environmentHistoryAnswer } from './answers/environment-answers'
import { instrumentAnswerOf } from './answers/instrument-answer'
import { environmentInstrument } from './environment-instrument'

/** An environment over time, as the API and MCP answer. Throws NotFoundError. */
export async function environmentHistory(
  project: Granted<'read'>,
  named: string,
): Promise<z.infer<typeof environmentHistoryAnswer>> {
  const environment = await getEnvironment(project, named)
  const { name, shifts, series, attributes } = environment
  const seriesIds = series.slice(0, seriesOfVisible).map(({ history }) => history.id)
  const trends = await getTrends(project, { seriesIds, metrics: visibleMetrics, runs: boardTrendRuns })
  const visible = visibleChanges(trends, await listSeriesNoise(project, seriesIds))
  const factor = environmentFactor(environment)
  return {
    ...{ name, sentence: environmentSentence(name, shifts) },
    shifts: shifts.map((shift) => ({ ...shift, seriesIds: [...shift.seriesIds] })),
    series: series.map(({ isControl, history: { id, scenario, variant } }) => ({ id, scenario, variant, isControl })),
    metric: factor?.metric.id ?? null,
    nights: (factor?.nights ?? []).map(({ time, ...night }) => ({
      ...{ at: new Date(time * 1000).toISOString() },
      ...night,
    })),
    visible: visible.map(({ metric, noise, visible: seen }) => ({
      ...{ metric: metric.id, noiseRatio: noise, visibleRatio: seen },
    })),
    instrument: instrumentAnswerOf(await environmentInstrument(project, name), Date.now()),
    attributes: [...attributes],
  }
}
