import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { attemptSchema, nextOfSessionOf, sessionAnswerOf, sessionSchema } from '@/app/_server/answers/session-answer'
import { plural, roundChange } from '@/lib/format'
import { findMetric, sentenceLabel } from '@/lib/run/metrics'
import type { Viewer } from '@/lib/viewer'
import * as sessions from '@/prisma/queries/projects/attempt-sessions'
import { grant } from '@/prisma/queries/projects/projects'
import { answer } from './answers'
import { noting, project, readOnly, said } from './said'

const session = z.string().max(40).describe('Id of a session, from start_session')
const named = { project, session }

/** Reads a session: what was tried, and what became of it. */
export function offerSession(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'read_session',
    {
      description:
        'A session: its best so far, every attempt with its verdict, the reverted ones as well, and the gain.',
      inputSchema: named,
      annotations: readOnly,
    },
    ({ project: slug, session: id }) =>
      said(async () => linesOf(await sessions.getAttemptSession(await grant(viewer, { slug }, 'read'), id))),
  )
}

/** Many attempts against one base, for a program that optimises by itself: as requests of the viewer's own would. */
export function offerSessionSteps(server: McpServer, viewer: Viewer, request: Request): void {
  const note = noting(viewer, request)

  server.registerTool(
    'start_session',
    {
      description:
        'Starts many attempts against one base with one budget of error. Then, for each change: attempt, and session_next until it is idle; at the end conclude. Only uploaded raw output counts.',
      inputSchema: { project, ...sessionSchema.shape },
    },
    ({ project: slug, ...asked }) =>
      said(async () => {
        const made = await sessions.createAttemptSession(await grant(viewer, { slug }, 'edit'), asked)
        await note('session.start', { project: slug, session: made.session.id, name: made.session.question })
        return linesOf(made)
      }),
  )
  server.registerTool(
    'attempt',
    {
      description:
        'Begins to measure one change against the best so far. A digest that was tried before is a duplicate, and is not run.',
      inputSchema: { ...named, ...attemptSchema.shape },
    },
    ({ project: slug, session: id, ...asked }) =>
      said(async () => {
        const tried = await sessions.startAttempt(await grant(viewer, { slug }, 'edit'), id, asked)
        await note('session.attempt', { project: slug, session: id, name: asked.name })
        return linesOf(tried)
      }),
  )
  server.registerTool(
    'session_next',
    {
      description:
        'What to run next in a session: the code, and the query of the upload of what the load generator prints (PUT …/uploads?QUERY). idle: the attempt has its verdict, keep or revert it.',
      inputSchema: named,
    },
    ({ project: slug, session: id }) =>
      said(async () => {
        const granted = await grant(viewer, { slug }, 'upload')
        const next = nextOfSessionOf(await sessions.giveNextOfSession(granted, id, Date.now()))
        if ('wait' in next) return `wait: round ${next.round} awaits ${next.awaited.join(', ')}.`
        if ('idle' in next) return answer([`idle: ${next.words}.`, `Best: ${next.best}.`], 'read_session')
        await note('session.next', { project: slug, session: id })
        const { attempt, arm, code, round, upload } = next
        return answer([`run ${code} (${arm} of ${attempt}, round ${round}).`, `upload: ${upload}`], 'read_session')
      }),
  )
  server.registerTool(
    'conclude',
    {
      description:
        'Measures the best against the original base in fresh rounds, which session_next gives out: that gain is to be reported, not the sum of those of single attempts.',
      inputSchema: named,
    },
    ({ project: slug, session: id }) =>
      said(async () => {
        const concluded = await sessions.concludeAttemptSession(await grant(viewer, { slug }, 'edit'), id)
        await note('session.conclude', { project: slug, session: id })
        return linesOf(concluded)
      }),
  )
}

function linesOf(open: sessions.OpenSession): string {
  const { id, question, state, best, base, metricId, runs, maxRuns, claimedRatio, attempts } = sessionAnswerOf(open)
  const metric = findMetric(metricId)
  return answer(
    [
      `# Session ${id}: ${question}`,
      `${state}; best ${best}, base ${base}; ${plural(runs, 'run')} of ${maxRuns}; claimed ${roundChange(claimedRatio)} of ${metric === null ? metricId : sentenceLabel(metric)}.`,
      ...attempts.flatMap(({ name, words, notes, runs: spent }) => [
        `- ${name}: ${words} (${plural(spent, 'run')}).${notes.map((note) => ` ${note}.`).join('')}`,
      ]),
    ],
    'read the session through the API',
  )
}
