import type { z } from 'zod'
import { boardTrendRuns } from '@/lib/levels/trend'
import { seriesOfVisible, visibleChanges, visibleMetrics } from '@/lib/board/visible-changes'
import { environmentFactor } from '@/lib/rules/project-environments'
import { environmentSentence } from '@/lib/rules/rule-words'
import * as environments from '@/prisma/queries/series/environments'
import { getTrends, listSeriesNoise } from '@/prisma/queries/series/trends'
import { environmentAnswer, environmentHistoryAnswer } from '../answers/environment-answers'
import { json, list, p } from './operation'
import { projectOperation } from './project-operation'

export const listEnvironments = projectOperation(
  {
    at: `GET ${p}/environments`,
    summary: 'Environments, when each moved, and their series',
    needs: 'read',
    answers: { 200: list('Environments by name.', 'environments', environmentAnswer) },
  },
  async ({ project }) => ({ environments: await environments.listEnvironments(project) }),
)

export const getEnvironment = projectOperation(
  {
    at: `GET ${p}/environments/[environment]`,
    summary: 'An environment over time',
    needs: 'read',
    answers: { 200: json('The environment, by the newest runs of up to 40 series.', environmentHistoryAnswer) },
  },
  async ({ project, params }): Promise<z.infer<typeof environmentHistoryAnswer>> => {
    const environment = await environments.getEnvironment(project, params.environment)
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
      attributes: [...attributes],
    }
  },
)
