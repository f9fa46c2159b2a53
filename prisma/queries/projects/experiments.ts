import { randomUUID } from 'node:crypto'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import {
  armsOf,
  progressOf,
  type ExperimentProgress,
  type StoredExperiment,
} from '../../../lib/experiment/stored-experiment'
import { whatMatters } from '../../../lib/rules/what-matters'
import { planLimits } from '../../../lib/experiment/plan-limits'
import { findMetric } from '../../../lib/run/metrics'
import { clipText, storableText } from '../../../lib/text'
import { database } from '../../db'
import { listRules } from '../alerts/rules'
import type { Prisma } from '../../generated/client'
import { isId, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { armRuns } from '../../statements/arm-runs'

const maxExperiments = 1_000
const listed = 100
/** Their runs are read. */
const onPage = 10
const longestReason = 200

/** What a new experiment asks. */
export interface NewExperiment extends Pick<
  StoredExperiment,
  'question' | 'base' | 'head' | 'hasControl' | 'metricId' | 'maxRounds'
> {
  /** Null: what matters in the project. */
  readonly smallestRatio: number | null
}

/** An experiment with what its runs show. */
export interface OpenExperiment {
  readonly experiment: StoredExperiment
  readonly progress: ExperimentProgress
  /** Where its runs ran; null: none names it. */
  readonly environment: string | null
}

/** Plans an experiment; its order is drawn here. Throws InvalidInputError. */
export async function createExperiment(granted: Granted<'edit'>, asked: NewExperiment): Promise<OpenExperiment> {
  const smallestRatio = asked.smallestRatio ?? whatMatters(await listRules(granted), asked.metricId)
  const data = checkedPlan({ ...asked, smallestRatio })
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    const { _max, _count } = await tx.experiment.aggregate({
      where: { projectId: project.id },
      _max: { number: true },
      _count: true,
    })
    if (_count >= maxExperiments)
      throw new InvalidInputError(`A project has at most ${maxExperiments} experiments.`, { field: 'question' })
    const made = await tx.experiment.create({
      data: { id: newId(), projectId: project.id, number: (_max.number ?? 0) + 1, seed: randomUUID(), ...data },
      select: experimentSelect,
    })
    const experiment = toExperiment(made)
    return { experiment, progress: progressOf(experiment, [], Date.now()), environment: null }
  })
}

/** The newest 100 experiments of a project as they were planned, newest first. */
export async function listExperiments(project: Granted<'read'>): Promise<readonly StoredExperiment[]> {
  const found = await database().experiment.findMany({
    where: { projectId: project.id },
    orderBy: { number: 'desc' },
    take: listed,
    select: { ...experimentSelect, places: { take: 0, select: placeSelect } },
  })
  return found.map(toExperiment)
}

/** Ten experiments with what they show, newest first. `before`: a number; null: the newest. `next`: null: no older ones. */
export async function pageOfExperiments(
  project: Granted<'read'>,
  before: number | null,
): Promise<{ readonly experiments: readonly OpenExperiment[]; readonly next: number | null }> {
  const found = await database().experiment.findMany({
    where: { projectId: project.id, ...(before === null ? {} : { number: { lt: before } }) },
    orderBy: { number: 'desc' },
    take: onPage + 1,
    select: experimentSelect,
  })
  const experiments: OpenExperiment[] = []
  for (const row of found.slice(0, onPage)) experiments.push(await openOf(database(), project.id, row))
  return { experiments, next: found.length > onPage ? (experiments.at(-1)?.experiment.number ?? null) : null }
}

/** An experiment. Throws NotFoundError. */
export async function getExperiment(project: Granted<'read'>, id: string): Promise<OpenExperiment> {
  return openOf(database(), project.id, await takeExperiment(database(), project.id, id))
}

/** What a runner is told. */
export type NextRun =
  | { readonly kind: 'run'; readonly round: number; readonly arm: string }
  /** Another runner has the other arms of the round. */
  | { readonly kind: 'wait'; readonly round: number; readonly awaited: readonly string[] }
  | { readonly kind: 'stop'; readonly progress: ExperimentProgress }

/**
 * Gives out the next arm. Of runners that ask at once, each gets another one: an arm of a round is given out once.
 * Throws NotFoundError.
 */
export async function giveNext(granted: Granted<'upload'>, id: string, nowMs: number): Promise<NextRun> {
  return database().$transaction(async (tx) => {
    const experiment = await lockExperiment(tx, granted, id)
    const { progress } = await openOf(tx, granted.id, experiment)
    if (progress.open === null) return { kind: 'stop', progress }
    const { round, arm, awaited } = progress.open
    if (arm === null) return { kind: 'wait', round, awaited }
    await tx.experimentPlace.create({
      data: { experimentId: id, projectId: granted.id, round, arm, givenAt: new Date(nowMs) },
    })
    return { kind: 'run', round, arm }
  })
}

/**
 * Notes that an arm of a round had no run: the round is void and repeated. Throws NotFoundError, ConflictError
 * unless the round is open.
 */
export async function voidPlace(
  granted: Granted<'upload'>,
  id: string,
  { round, arm, reason }: { readonly round: number; readonly arm: string; readonly reason: string },
): Promise<void> {
  await database().$transaction(async (tx) => {
    const experiment = await lockExperiment(tx, granted, id)
    const { progress } = await openOf(tx, granted.id, experiment)
    if (progress.open?.round !== round || !progress.plan.arms.includes(arm))
      throw new ConflictError(`Round ${round} of ${arm} is not open.`, 'Ask for the next run.')
    const voidReason = clipText(storableText(reason).trim(), longestReason) || 'no reason given'
    const place = { experimentId: id, round, arm }
    await tx.experimentPlace.upsert({
      where: { experimentId_round_arm: place },
      create: { ...place, projectId: granted.id, givenAt: new Date(), voidReason },
      update: { voidReason },
    })
  })
}

/** Stops an experiment; its runs stay. Throws NotFoundError, ConflictError when it is over. */
export async function stopExperiment(granted: Granted<'edit'>, id: string, now: Date): Promise<OpenExperiment> {
  return database().$transaction(async (tx) => {
    const experiment = await lockExperiment(tx, granted, id)
    const { progress } = await openOf(tx, granted.id, experiment)
    if (progress.open === null) throw new ConflictError('The experiment is over.', 'Plan another one.')
    const row = await tx.experiment.update({ where: { id }, data: { stoppedAt: now }, select: experimentSelect })
    return openOf(tx, granted.id, row)
  })
}

/** Throws NotFoundError, InvalidInputError unless a run may be uploaded as this arm of this experiment. */
export async function requirePlace(
  granted: Granted<'upload'>,
  { experiment, arm }: { readonly experiment: string; readonly arm: string },
): Promise<void> {
  const { hasControl } = await takeExperiment(database(), granted.id, experiment)
  const arms = armsOf({ hasControl })
  if (!arms.includes(arm))
    throw new InvalidInputError(`Experiment ${experiment} has no arm ${arm}.`, {
      field: 'arm',
      hint: `It has ${arms.join(', ')}.`,
    })
}

const placeSelect = { round: true, arm: true, givenAt: true, voidReason: true } as const
const experimentSelect = {
  ...{ id: true, number: true, question: true, base: true, head: true, hasControl: true, metricId: true },
  ...{ smallestRatio: true, maxRounds: true, seed: true, createdAt: true, stoppedAt: true },
  places: { select: placeSelect },
} as const satisfies Prisma.ExperimentSelect
type ExperimentRecord = Prisma.ExperimentGetPayload<{ select: typeof experimentSelect }>

async function takeExperiment(db: Db, projectId: string, id: string): Promise<ExperimentRecord> {
  const where = { id, projectId }
  const found = isId(id) ? await db.experiment.findFirst({ where, select: experimentSelect }) : null
  if (found === null) throw new NotFoundError('Experiment')
  return found
}

/** Locked until the end of the transaction: of two runners, one asks after the other. */
async function lockExperiment(tx: Db, granted: Granted<'upload'> | Granted<'edit'>, id: string) {
  await tx.$executeRaw`SELECT 1 FROM experiment WHERE id = ${id} AND project_id = ${granted.id} FOR UPDATE`
  return takeExperiment(tx, granted.id, id)
}

async function openOf(db: Db, projectId: string, row: ExperimentRecord): Promise<OpenExperiment> {
  const experiment = toExperiment(row)
  const { runs, environment } = await armRuns(db, projectId, row.id)
  return { experiment, progress: progressOf(experiment, runs, Date.now()), environment }
}

function checkedPlan({
  question,
  base,
  head,
  hasControl,
  metricId,
  smallestRatio,
  maxRounds,
}: NewExperiment & Pick<StoredExperiment, 'smallestRatio'>) {
  const metric = findMetric(metricId)
  if (metric === null || metric.direction === 'neutral')
    throw new InvalidInputError(`${metricId} decides nothing.`, {
      field: 'metricId',
      hint: 'Such as p99, mean or requests-per-second.',
    })
  const { leastRounds, mostRounds, leastRatio, mostRatio } = planLimits
  if (!Number.isInteger(maxRounds) || maxRounds < leastRounds || maxRounds > mostRounds)
    throw new InvalidInputError(`An experiment has ${leastRounds} to ${mostRounds} rounds.`, { field: 'maxRounds' })
  if (!(smallestRatio >= leastRatio && smallestRatio <= mostRatio))
    throw new InvalidInputError('What matters is between 0.001 and 1.', { field: 'smallestRatio' })
  return {
    question: checkedName('question', question),
    base: checkedName('base', base),
    head: checkedName('head', head),
    ...{ hasControl, metricId, smallestRatio, maxRounds },
  }
}

function toExperiment({ createdAt, stoppedAt, places, ...row }: ExperimentRecord): StoredExperiment {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    stoppedAt: stoppedAt?.toISOString() ?? null,
    places: places.map(({ givenAt, ...place }) => ({ ...place, givenAt: givenAt.toISOString() })),
  }
}
