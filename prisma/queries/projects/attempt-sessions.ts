import { randomUUID } from 'node:crypto'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { base } from '../../../lib/experiment/round'
import { best } from '../../../lib/experiment/session'
import {
  attemptArm,
  attemptResultSchema,
  progressOfAttempt,
  resultAtStart,
  sessionLimits,
  stateOfSession,
  type AttemptProgress,
  type AttemptResult,
  type StoredAttempt,
  type StoredSession,
} from '../../../lib/experiment/stored-session'
import { whatMatters } from '../../../lib/rules/what-matters'
import { findMetric } from '../../../lib/run/metrics'
import { clipText, storableText } from '../../../lib/text'
import { database } from '../../db'
import type { Prisma } from '../../generated/client'
import { isId, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { armRuns } from '../../statements/arm-runs'
import { listRules } from '../alerts/rules'

const maxSessions = 1_000
const maxAttempts = 1_000
const listed = 100
const longestReason = 200
const confirmation = 'confirmation'
const reservedNames: readonly string[] = [base, best, confirmation]

/** What a new session asks. */
export interface NewSession extends Pick<
  StoredSession,
  'question' | 'base' | 'metricId' | 'maxRounds' | 'plannedAttempts' | 'maxRuns'
> {
  /** Null: what matters in the project. */
  readonly smallestRatio: number | null
}

/** A session with what the runs of its newest attempt show. */
export interface OpenSession {
  readonly session: StoredSession
  /** Null: nothing is measured. */
  readonly measured: { readonly attempt: StoredAttempt; readonly progress: AttemptProgress } | null
}

/** Plans a session. Throws InvalidInputError. */
export async function createAttemptSession(granted: Granted<'edit'>, asked: NewSession): Promise<OpenSession> {
  const smallestRatio = asked.smallestRatio ?? whatMatters(await listRules(granted), asked.metricId)
  const data = checkedPlan({ ...asked, smallestRatio })
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    const { _max, _count } = await tx.attemptSession.aggregate({
      where: { projectId: project.id },
      _max: { number: true },
      _count: true,
    })
    if (_count >= maxSessions)
      throw new InvalidInputError(`A project has at most ${maxSessions} sessions.`, { field: 'question' })
    const made = await tx.attemptSession.create({
      data: { id: newId(), projectId: project.id, number: (_max.number ?? 0) + 1, seed: randomUUID(), ...data },
      select: sessionSelect,
    })
    return { session: toSession(made), measured: null }
  })
}

/** The newest 100 sessions of a project without their attempts, newest first. */
export async function listAttemptSessions(project: Granted<'read'>): Promise<readonly StoredSession[]> {
  const found = await database().attemptSession.findMany({
    where: { projectId: project.id },
    orderBy: { number: 'desc' },
    take: listed,
    select: { ...sessionSelect, attempts: { take: 0, select: attemptSelect } },
  })
  return found.map(toSession)
}

/** A session. Throws NotFoundError. */
export async function getAttemptSession(project: Granted<'read'>, id: string): Promise<OpenSession> {
  return openOf(database(), project.id, toSession(await takeSession(database(), project.id, id)))
}

/** Begins an attempt. Throws NotFoundError; ConflictError while another is measured, or after the end. */
export async function startAttempt(
  granted: Granted<'edit'>,
  id: string,
  { name, digest }: { readonly name: string; readonly digest: string | null },
): Promise<OpenSession> {
  const checked = checkedName('name', name)
  if (reservedNames.includes(checked))
    throw new InvalidInputError(`An attempt cannot be called ${checked}.`, { field: 'name' })
  return database().$transaction(async (tx) => {
    const session = await settledSession(tx, granted, id)
    requireIdle(session)
    if (session.attempts.some((one) => one.name === checked))
      throw new ConflictError(`${checked} was tried before.`, 'Give the attempt another name.')
    if (session.attempts.length >= maxAttempts)
      throw new InvalidInputError(`A session has at most ${maxAttempts} attempts.`, { field: 'name' })
    await addAttempt(tx, granted.id, session, { name: checked, digest, result: resultAtStart(session, digest) })
    return openOf(tx, granted.id, toSession(await takeSession(tx, granted.id, id)))
  })
}

/**
 * Measures the best against the original base from now on: `giveNextOfSession` gives out its rounds. Throws
 * NotFoundError; ConflictError while an attempt is measured, or when it is concluded.
 */
export async function concludeAttemptSession(granted: Granted<'edit'>, id: string): Promise<OpenSession> {
  return database().$transaction(async (tx) => {
    const session = await settledSession(tx, granted, id)
    requireIdle(session)
    const hasGained = session.attempts.some(({ result }) => result?.verdict === 'keep')
    // Without a gain the best is base: there is nothing to confirm.
    const result = hasGained ? null : ({ verdict: 'confirmed', confirmed: null, runs: 0 } as const)
    await addAttempt(tx, granted.id, session, { name: confirmation, digest: null, result })
    return openOf(tx, granted.id, toSession(await takeSession(tx, granted.id, id)))
  })
}

/** What a runner of a session is told. */
type NextOfSession =
  | { readonly kind: 'run'; readonly attempt: StoredAttempt; readonly round: number; readonly arm: string }
  | { readonly kind: 'wait'; readonly round: number; readonly awaited: readonly string[] }
  /** Nothing is measured: the newest attempt has its verdict. */
  | { readonly kind: 'idle' }

export interface GivenNext {
  readonly session: StoredSession
  readonly next: NextOfSession
}

/** Gives out the next arm; of runners that ask at once, each gets another one. Throws NotFoundError. */
export async function giveNextOfSession(granted: Granted<'upload'>, id: string, nowMs: number): Promise<GivenNext> {
  return database().$transaction(async (tx) => {
    const session = await settledSession(tx, granted, id)
    const { measured } = await openOf(tx, granted.id, session)
    const open = measured?.progress.open ?? null
    if (measured === null || open === null) return { session, next: { kind: 'idle' } }
    const { attempt } = measured
    const { round, arm, awaited } = open
    if (arm === null) return { session, next: { kind: 'wait', round, awaited } }
    await tx.attemptPlace.create({
      data: { attemptId: attempt.id, projectId: granted.id, round, arm, givenAt: new Date(nowMs) },
    })
    return { session, next: { kind: 'run', attempt, round, arm } }
  })
}

interface VoidPlace {
  readonly round: number
  readonly arm: string
  readonly reason: string
}

/** Notes that an arm had no run: the round is void. Throws NotFoundError; ConflictError unless the round is open. */
export async function voidPlaceOfSession(granted: Granted<'upload'>, id: string, place: VoidPlace): Promise<void> {
  await database().$transaction((tx) => voidIn(tx, granted.id, { sessionId: id, attemptId: null }, place))
}

/** The same, by the attempt that an upload names. */
export async function voidPlaceOfAttempt(
  granted: Granted<'upload'>,
  attemptId: string,
  place: VoidPlace,
): Promise<void> {
  await database().$transaction(async (tx) => {
    const found = await findAttempt(tx, granted.id, attemptId)
    if (found === null) throw new NotFoundError('Attempt')
    await voidIn(tx, granted.id, { sessionId: found.sessionId, attemptId }, place)
  })
}

async function voidIn(
  tx: Db,
  projectId: string,
  { sessionId, attemptId }: { readonly sessionId: string; readonly attemptId: string | null },
  { round, arm, reason }: VoidPlace,
): Promise<void> {
  await lockSession(tx, projectId, sessionId)
  const { measured } = await openOf(tx, projectId, toSession(await takeSession(tx, projectId, sessionId)))
  const isOther = attemptId !== null && measured?.attempt.id !== attemptId
  if (measured === null || isOther || measured.progress.open?.round !== round)
    throw new ConflictError(`Round ${round} of the attempt is not open.`, 'Ask for the next run.')
  requireArm(measured.attempt, arm)
  const voidReason = clipText(storableText(reason).trim(), longestReason) || 'no reason given'
  const place = { attemptId: measured.attempt.id, round, arm }
  await tx.attemptPlace.upsert({
    where: { attemptId_round_arm: place },
    create: { ...place, projectId, givenAt: new Date(), voidReason },
    update: { voidReason },
  })
}

/** Whether this is an attempt of the project; throws InvalidInputError if it has no such arm. */
export async function isPlaceOfAttempt(
  granted: Granted<'upload'>,
  { experiment, arm }: { readonly experiment: string; readonly arm: string },
): Promise<boolean> {
  const found = await findAttempt(database(), granted.id, experiment)
  if (found !== null) requireArm(found, arm)
  return found !== null
}

function requireArm({ isConfirmation }: { readonly isConfirmation: boolean }, arm: string): void {
  const arms = isConfirmation ? [base, best] : [best, attemptArm]
  if (!arms.includes(arm))
    throw new InvalidInputError(`The attempt has no arm ${arm}.`, { field: 'arm', hint: `It has ${arms.join(', ')}.` })
}

async function findAttempt(db: Db, projectId: string, id: string) {
  if (!isId(id)) return null
  return db.attempt.findFirst({ where: { id, projectId }, select: { sessionId: true, isConfirmation: true } })
}

const attemptSelect = {
  ...{ id: true, number: true, name: true, digest: true, isConfirmation: true, createdAt: true, result: true },
} as const
const sessionSelect = {
  ...{ id: true, number: true, question: true, base: true, metricId: true, smallestRatio: true, maxRounds: true },
  ...{ plannedAttempts: true, maxRuns: true, seed: true, createdAt: true },
  attempts: { select: attemptSelect, orderBy: { number: 'asc' } },
} as const satisfies Prisma.AttemptSessionSelect
type SessionRecord = Prisma.AttemptSessionGetPayload<{ select: typeof sessionSelect }>

async function takeSession(db: Db, projectId: string, id: string): Promise<SessionRecord> {
  const where = { id, projectId }
  const found = isId(id) ? await db.attemptSession.findFirst({ where, select: sessionSelect }) : null
  if (found === null) throw new NotFoundError('Session')
  return found
}

/** Locked until the end of the transaction: of two that ask, one asks after the other. */
async function lockSession(tx: Db, projectId: string, id: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM attempt_session WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
}

/** Locked, with the verdict of its newest attempt stored if its runs decide it: what comes later rests on it. */
async function settledSession(
  tx: Db,
  granted: Granted<'upload'> | Granted<'edit'>,
  id: string,
): Promise<StoredSession> {
  await lockSession(tx, granted.id, id)
  const session = toSession(await takeSession(tx, granted.id, id))
  const { measured } = await openOf(tx, granted.id, session)
  const result = measured?.progress.result ?? null
  if (measured === null || result === null) return session
  await tx.attempt.update({ where: { id: measured.attempt.id }, data: { result } })
  return toSession(await takeSession(tx, granted.id, id))
}

function requireIdle(session: StoredSession): void {
  const state = stateOfSession(session)
  if (state === 'measuring')
    throw new ConflictError('An attempt is measured.', 'Ask for the next run until it has its verdict.')
  if (state === 'confirming' || state === 'concluded')
    throw new ConflictError('The session is concluded.', 'Start another one.')
}

async function addAttempt(
  tx: Db,
  projectId: string,
  session: StoredSession,
  {
    name,
    digest,
    result,
  }: { readonly name: string; readonly digest: string | null; readonly result: AttemptResult | null },
): Promise<void> {
  const number = (session.attempts.at(-1)?.number ?? 0) + 1
  const data = { id: newId(), sessionId: session.id, projectId, number, name, digest }
  await tx.attempt.create({
    data: { ...data, isConfirmation: name === confirmation, ...(result === null ? {} : { result }) },
  })
}

async function openOf(db: Db, projectId: string, session: StoredSession): Promise<OpenSession> {
  const attempt = session.attempts.at(-1)
  if (attempt === undefined || attempt.result !== null) return { session, measured: null }
  const found = await db.attemptPlace.findMany({
    where: { attemptId: attempt.id },
    select: { round: true, arm: true, givenAt: true, voidReason: true },
  })
  const places = found.map(({ givenAt, ...place }) => ({ ...place, givenAt: givenAt.toISOString() }))
  const { runs } = await armRuns(db, projectId, attempt.id)
  return { session, measured: { attempt, progress: progressOfAttempt(session, attempt, { places, runs }, Date.now()) } }
}

function checkedPlan({
  question,
  base: first,
  metricId,
  ...counts
}: NewSession & Pick<StoredSession, 'smallestRatio'>) {
  const { smallestRatio, maxRounds, plannedAttempts, maxRuns } = counts
  const metric = findMetric(metricId)
  if (metric === null || metric.direction === 'neutral')
    throw new InvalidInputError(`${metricId} decides nothing.`, {
      field: 'metricId',
      hint: 'Such as p99, mean or requests-per-second.',
    })
  const { leastRounds, mostRounds, mostPlanned, leastRuns, mostRuns } = sessionLimits
  const isWithin = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most
  if (!isWithin(maxRounds, leastRounds, mostRounds))
    throw new InvalidInputError(`An attempt has ${leastRounds} to ${mostRounds} rounds.`, { field: 'maxRounds' })
  if (!isWithin(plannedAttempts, 1, mostPlanned))
    throw new InvalidInputError(`A session plans 1 to ${mostPlanned} attempts.`, { field: 'plannedAttempts' })
  if (!isWithin(maxRuns, leastRuns, mostRuns))
    throw new InvalidInputError(`A session has ${leastRuns} to ${mostRuns} runs.`, { field: 'maxRuns' })
  if (!(smallestRatio >= 0.001 && smallestRatio <= 1))
    throw new InvalidInputError('What matters is between 0.001 and 1.', { field: 'smallestRatio' })
  return {
    question: checkedName('question', question),
    base: checkedName('base', first),
    ...{ metricId, smallestRatio, maxRounds, plannedAttempts, maxRuns },
  }
}

function toSession({ createdAt, attempts, ...row }: SessionRecord): StoredSession {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    attempts: attempts.map(({ createdAt: at, result, ...attempt }) => ({
      ...attempt,
      createdAt: at.toISOString(),
      result: result === null ? null : attemptResultSchema.parse(result),
    })),
  }
}
