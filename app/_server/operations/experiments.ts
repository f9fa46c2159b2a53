import { z } from 'zod'
import { armsOf, type StoredExperiment } from '@/lib/experiment/stored-experiment'
import { courseOf } from '@/lib/experiment/course'
import type { Change } from '@/lib/experiment/place-effect'
import { experimentReport } from '@/lib/export/experiment-report'
import { progressWords } from '@/lib/experiment/running-words'
import type { Granted } from '@/prisma/queries/projects/projects'
import * as experiments from '@/prisma/queries/projects/experiments'
import { markdownAnswer } from '@/app/s/markdown-answer'
import { environmentInstrument } from '../environment-instrument'
import { experimentAnswer, experimentPlan, nextRunAnswer } from '../answers/experiment-answer'
import { instrumentAnswerOf } from '../answers/instrument-answer'
import { nextRunOf, planSchema, voidSchema } from '../experiment-requests'
import { conflict, file, json, nothing, p } from './operation'
import { projectOperation } from './project-operation'

function planOf(experiment: StoredExperiment): z.infer<typeof experimentPlan> {
  const { seed: _seed, places: _places, stoppedAt: _stoppedAt, hasControl: _hasControl, ...planned } = experiment
  return { ...planned, arms: [...armsOf(experiment)] }
}

const changeOf = ({ effectRatio, low, high }: Change): Change => ({ effectRatio, low, high })

async function answerOf(
  project: Granted<'read'>,
  { experiment, progress, environment }: experiments.OpenExperiment,
): Promise<z.infer<typeof experimentAnswer>> {
  const { word, sentence, notes, next } = progressWords(progress)
  const { effect, control, levels, place, rounds, voidRounds, runs } = progress.standing
  return {
    ...planOf(experiment),
    ...{ state: progress.state, word, sentence, notes: [...notes], next },
    spent: { rounds, voidRounds, runs },
    effect: effect && changeOf(effect),
    control: control && { ...changeOf(control), hasMoved: control.hasMoved },
    instrument:
      environment === null ? null : instrumentAnswerOf(await environmentInstrument(project, environment), Date.now()),
    levels: levels && { base: levels.base, head: levels.head },
    place: place && { ...changeOf(place), place: place.place, isNamed: place.isNamed },
    evaluations: courseOf(progress.plan, progress.finished).points.flatMap(
      ({ rounds: after, effect: then, isEvaluated }) =>
        then !== null && isEvaluated ? [{ rounds: after, ...changeOf(then) }] : [],
    ),
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

export const getExperimentReport = projectOperation(
  {
    at: `GET ${p}/experiments/[experiment]/experiment.md`,
    summary: 'An experiment as Markdown',
    needs: 'read',
    answers: { 200: file('What it shows, what that rests on, and its rounds.', 'text/markdown') },
  },
  async ({ project, params }) => {
    const open = await experiments.getExperiment(project, params.experiment)
    return markdownAnswer(`experiment-${open.experiment.number}`, `${experimentReport(open).join('\n')}\n`)
  },
)

export const giveNextRun = projectOperation(
  {
    at: `POST ${p}/experiments/[experiment]/next`,
    summary: 'Give out the next run of an experiment',
    needs: 'upload',
    audit: 'experiment.next',
    answers: { 200: json('Each arm of a round is given out once.', nextRunAnswer) },
  },
  async ({ project, params, note }) => {
    const next = await experiments.giveNext(project, params.experiment, Date.now())
    if (next.kind !== 'run') note(null)
    return nextRunOf(next, params.experiment)
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
