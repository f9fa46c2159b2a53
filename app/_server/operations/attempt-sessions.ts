import { z } from 'zod'
import type { StoredSession } from '@/lib/experiment/stored-session'
import * as sessions from '@/prisma/queries/projects/attempt-sessions'
import {
  attemptSchema,
  nextOfSessionAnswer,
  nextOfSessionOf,
  sessionAnswer,
  sessionAnswerOf,
  sessionPlan,
  sessionSchema,
} from '../answers/session-answer'
import { conflict, json, nothing, p } from './operation'
import { projectOperation } from './project-operation'

const text = z.string().trim().min(1).max(200)

const voidSchema = z.strictObject({
  round: z.number().int().min(1).max(9_999),
  arm: z.enum(['best', 'attempt', 'base']),
  reason: text.describe('Why there is no run: `exit 1`.'),
})

const planOf = ({ seed: _seed, attempts: _attempts, ...plan }: StoredSession): z.infer<typeof sessionPlan> => plan
const one = json('The session and its log.', sessionAnswer)

export const listSessions = projectOperation(
  {
    at: `GET ${p}/sessions`,
    summary: 'Sessions',
    needs: 'read',
    answers: { 200: json('The newest 100 as they were planned, newest first.', z.array(sessionPlan)) },
  },
  async ({ project }) => (await sessions.listAttemptSessions(project)).map(planOf),
)

export const createSession = projectOperation(
  {
    at: `POST ${p}/sessions`,
    summary: 'Start a session',
    needs: 'edit',
    audit: 'session.start',
    body: sessionSchema,
    answers: { 201: one },
  },
  async ({ project, body, note }) => {
    const made = await sessions.createAttemptSession(project, body)
    note({ session: made.session.id, name: made.session.question })
    return sessionAnswerOf(made)
  },
)

export const getSession = projectOperation(
  { at: `GET ${p}/sessions/[session]`, summary: 'Read a session', needs: 'read', answers: { 200: one } },
  async ({ project, params }) => sessionAnswerOf(await sessions.getAttemptSession(project, params.session)),
)

export const startAttempt = projectOperation(
  {
    at: `POST ${p}/sessions/[session]/attempts`,
    summary: 'Try a change in a session',
    needs: 'edit',
    audit: 'session.attempt',
    body: attemptSchema,
    answers: { 200: one },
    problems: conflict,
  },
  async ({ project, params, body, note }) => {
    const tried = await sessions.startAttempt(project, params.session, body)
    note({ session: params.session, name: body.name })
    return sessionAnswerOf(tried)
  },
)

export const giveNextOfSession = projectOperation(
  {
    at: `POST ${p}/sessions/[session]/next`,
    summary: 'Give out the next run of a session',
    needs: 'upload',
    audit: 'session.next',
    answers: { 200: json('Each arm of a round is given out once.', nextOfSessionAnswer) },
  },
  async ({ project, params, note }) => {
    const given = await sessions.giveNextOfSession(project, params.session, Date.now())
    if (given.next.kind !== 'run') note(null)
    return nextOfSessionOf(given)
  },
)

export const voidSessionRun = projectOperation(
  {
    at: `POST ${p}/sessions/[session]/void`,
    summary: 'Report that a run of a session failed',
    needs: 'upload',
    audit: 'session.void',
    body: voidSchema,
    answers: nothing,
    problems: conflict,
  },
  ({ project, params, body }) => sessions.voidPlaceOfSession(project, params.session, body),
)

export const concludeSession = projectOperation(
  {
    at: `POST ${p}/sessions/[session]/conclude`,
    summary: 'Confirm the best of a session against its original base',
    needs: 'edit',
    audit: 'session.conclude',
    answers: { 200: one },
    problems: conflict,
  },
  async ({ project, params }) => sessionAnswerOf(await sessions.concludeAttemptSession(project, params.session)),
)
