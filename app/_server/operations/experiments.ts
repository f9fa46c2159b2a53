import { z } from 'zod'
import { armsOf, type StoredExperiment } from '@/lib/experiment/stored-experiment'
import { planLimits } from '@/lib/experiment/plan-limits'
import { progressWords } from '@/lib/experiment/running-words'
import { defaultMetric } from '@/lib/run/metrics'
import type { Granted } from '@/prisma/queries/projects/projects'
import * as experiments from '@/prisma/queries/projects/experiments'
import { environmentInstrument } from '../environment-instrument'
import { experimentAnswer, experimentPlan, nextRunAnswer } from '../answers/experiment-answer'
import { instrumentAnswerOf } from '../answers/instrument-answer'
import { conflict, json, nothing, p } from './operation'
import { projectOperation } from './project-operation'

const text = z.string().trim().min(1).max(200)
const arm = z.enum(['base', 'head', 'control'])

const planSchema = z.strictObject({
  question: text.describe('What is to be known.'),
  base: text.describe('What base is: a commit, a build.'),
  head: text.describe('What head is.'),
  control: z.boolean().default(false).describe('Whether base runs a second time in each round.'),
  metricId: z.string().max(100).default(defaultMetric.id).describe('The metric that decides.'),
  smallestRatio: z
    .number()
    .min(planLimits.leastRatio)
    .max(planLimits.mostRatio)
    .nullable()
    .default(null)
    .describe(
      'Smallest relative change that matters: 0.05 is 5 %. Null: that of the rule of the project for the metric.',
    ),
  maxRounds: z.number().int().min(planLimits.leastRounds).max(planLimits.mostRounds).default(24),
})
const voidSchema = z.strictObject({
  round: z.number().int().min(1).max(9_999),
  arm,
  reason: text.describe('Why there is no run: `exit 1`.'),
})

function planOf(experiment: StoredExperiment): z.infer<typeof experimentPlan> {
  const { seed: _seed, places: _places, stoppedAt: _stoppedAt, hasControl: _hasControl, ...planned } = experiment
  return { ...planned, arms: [...armsOf(experiment)] }
}

async function answerOf(
  project: Granted<'read'>,
  { experiment, progress, environment }: experiments.OpenExperiment,
): Promise<z.infer<typeof experimentAnswer>> {
  const { word, sentence, notes, next } = progressWords(progress)
  const { effect, control, rounds, voidRounds, runs } = progress.standing
  return {
    ...planOf(experiment),
    ...{ state: progress.state, word, sentence, notes: [...notes], next },
    spent: { rounds, voidRounds, runs },
    effect: effect && { effectRatio: effect.effectRatio, low: effect.low, high: effect.high },
    control: control && {
      ...{ effectRatio: control.effectRatio, low: control.low, high: control.high },
      hasMoved: control.hasMoved,
    },
    instrument:
      environment === null ? null : instrumentAnswerOf(await environmentInstrument(project, environment), Date.now()),
    rounds: progress.rounds.map(({ runIds, order, ...round }) => ({ ...round, order: [...order], runs: runIds })),
  }
}

const one = json('The experiment and what it shows.', experimentAnswer)

export const listExperiments = projectOperation(
  {
    at: `GET ${p}/experiments`,
    summary: 'Experiments',
    needs: 'read',
    answers: { 200: json('The newest 100 as they were planned, newest first.', z.array(experimentPlan)) },
  },
  async ({ project }) => (await experiments.listExperiments(project)).map(planOf),
)

export const createExperiment = projectOperation(
  {
    at: `POST ${p}/experiments`,
    summary: 'Plan an experiment',
    needs: 'edit',
    audit: 'experiment.create',
    body: planSchema,
    answers: { 201: one },
  },
  async ({ project, body: { control: hasControl, ...plan }, note }) => {
    const made = await experiments.createExperiment(project, { ...plan, hasControl })
    note({ experiment: made.experiment.id, name: made.experiment.question })
    return answerOf(project, made)
  },
)

export const getExperiment = projectOperation(
  {
    at: `GET ${p}/experiments/[experiment]`,
    summary: 'Read an experiment',
    needs: 'read',
    answers: { 200: one },
  },
  async ({ project, params }) => answerOf(project, await experiments.getExperiment(project, params.experiment)),
)

export const giveNextRun = projectOperation(
  {
    at: `POST ${p}/experiments/[experiment]/next`,
    summary: 'Give out the next run of an experiment',
    needs: 'upload',
    audit: 'experiment.next',
    answers: { 200: json('Each arm of a round is given out once.', nextRunAnswer) },
  },
  async ({ project, params }): Promise<z.infer<typeof nextRunAnswer>> => {
    const next = await experiments.giveNext(project, params.experiment, Date.now())
    switch (next.kind) {
      case 'run': {
        const { arm: given, round } = next
        return { arm: given, round, upload: `experiment=${params.experiment}&arm=${given}&round=${round}` }
      }
      case 'wait':
        return { wait: true, round: next.round, awaited: [...next.awaited] }
      case 'stop':
        return { stop: true, state: next.progress.state, why: progressWords(next.progress).sentence }
    }
  },
)

export const voidExperimentRun = projectOperation(
  {
    at: `POST ${p}/experiments/[experiment]/void`,
    summary: 'Report that a run of an experiment failed',
    needs: 'upload',
    audit: 'experiment.void',
    body: voidSchema,
    answers: nothing,
    problems: conflict,
  },
  ({ project, params, body }) => experiments.voidPlace(project, params.experiment, body),
)

export const stopExperiment = projectOperation(
  {
    at: `POST ${p}/experiments/[experiment]/stop`,
    summary: 'Stop an experiment',
    needs: 'edit',
    audit: 'experiment.stop',
    answers: { 200: one },
    problems: conflict,
  },
  async ({ project, params }) =>
    answerOf(project, await experiments.stopExperiment(project, params.experiment, new Date())),
)
