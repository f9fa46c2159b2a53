import { z } from 'zod'
import { resultWords } from '@/lib/experiment/session-words'
import { planLimits } from '@/lib/experiment/plan-limits'
import { bestBefore, claimedRatio, runsOfSession, sessionLimits, stateOfSession } from '@/lib/experiment/stored-session'
import { defaultMetric } from '@/lib/run/metrics'
import { utcIsoSchema } from '@/lib/run/timestamp'
import type { GivenNext, OpenSession } from '@/prisma/queries/projects/attempt-sessions'

const text = z.string().trim().min(1).max(200)

/** What a session asks, for the API and agents. */
export const sessionSchema = z.strictObject({
  question: text.default('Which change is faster?').describe('What is to be known.'),
  base: text.describe('What base is: a commit, a build.'),
  metricId: z.string().max(100).default(defaultMetric.id).describe('The metric that decides.'),
  smallestRatio: z
    .number()
    .min(planLimits.leastRatio)
    .max(planLimits.mostRatio)
    .nullable()
    .default(null)
    .describe('Smallest gain that matters: 0.02 is 2 %. Null: that of the rule of the project for the metric.'),
  maxRounds: z
    .number()
    .int()
    .min(sessionLimits.leastRounds)
    .max(sessionLimits.mostRounds)
    .default(32)
    .describe('Rounds of an attempt at most.'),
  plannedAttempts: z.number().int().min(1).max(sessionLimits.mostPlanned).default(20),
  maxRuns: z
    .number()
    .int()
    .min(sessionLimits.leastRuns)
    .max(sessionLimits.mostRuns)
    .default(1_000)
    .describe('Of the whole session; 32 of them confirm the best.'),
})
export const attemptSchema = z.strictObject({
  name: text.describe('What is tried: a commit, a patch. Each name is tried once.'),
  digest: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Of the change, such as a hash of the diff: equal ones are one attempt.'),
})

const verdicts = ['keep', 'revert', 'suspect', 'duplicate', 'not-run', 'confirmed'] as const

export const sessionPlan = z
  .object({
    id: z.string(),
    number: z.number().describe('In its project, from 1.'),
    question: z.string(),
    base: z.string(),
    metricId: z.string().describe('The metric that decides.'),
    smallestRatio: z.number().describe('Smallest gain that matters.'),
    maxRounds: z.number().describe('Of an attempt.'),
    plannedAttempts: z
      .number()
      .describe('Those that share the budget of error; more are possible, at stricter levels.'),
    maxRuns: z.number().describe('Of the whole session, with those that confirm the best.'),
    createdAt: utcIsoSchema,
  })
  .meta({ id: 'AttemptSessionPlan', description: 'Many attempts against one base, with one budget of error.' })

const attemptAnswer = z.object({
  id: z.string().describe('Its runs have it as the label `experiment`.'),
  number: z.number(),
  name: z.string(),
  digest: z.string().nullable().describe('Of the change: equal ones are one attempt. Null: not given.'),
  verdict: z.enum(verdicts).nullable().describe('Null: it is measured.'),
  words: z.string().describe('Without a full stop.'),
  notes: z.array(z.string()),
  runs: z.number(),
})

export const sessionAnswer = sessionPlan
  .extend({
    state: z.enum(['open', 'measuring', 'confirming', 'concluded']),
    best: z.string().describe('The newest attempt that gained, or base.'),
    runs: z.number().describe('That the session spent.'),
    claimedRatio: z.number().describe('Sum of the gains of all attempts with `keep`, as a change of the metric.'),
    confirmed: z
      .object({ effectRatio: z.number(), low: z.number(), high: z.number(), rounds: z.number() })
      .nullable()
      .describe('The best against the original base in fresh rounds: the gain to report. Null: not concluded.'),
    attempts: z.array(attemptAnswer).describe('All of them, the reverted ones as well, in order.'),
    rounds: z
      .array(
        z.object({
          round: z.number(),
          order: z.array(z.string()),
          runs: z.record(z.string(), z.string()).describe('Ids by arm.'),
          values: z.record(z.string(), z.number()),
          voidReason: z.string().nullable(),
        }),
      )
      .describe('Of the attempt that is measured.'),
  })
  .meta({ id: 'AttemptSession', description: 'A session with its log, the reverted attempts as well.' })

export const nextOfSessionAnswer = z
  .union([
    z.object({
      attempt: z.string().describe('Its name, or `confirmation`.'),
      arm: z.enum(['best', 'attempt', 'base']),
      code: z.string().describe('What to run: the name of an attempt, or of base.'),
      round: z.number(),
      upload: z.string().describe('The query of the upload of its run.'),
    }),
    z.object({ wait: z.literal(true), round: z.number(), awaited: z.array(z.string()) }),
    z.object({
      idle: z.literal(true),
      best: z.string(),
      verdict: z.enum(verdicts).nullable().describe('Of the newest attempt. Null: there is none.'),
      words: z.string(),
    }),
  ])
  .meta({ id: 'NextOfSession', description: 'What a runner of a session does next.' })

/** As the API answers. */
export function sessionAnswerOf({ session, measured }: OpenSession): z.infer<typeof sessionAnswer> {
  const { seed: _, attempts, ...plan } = session
  const last = attempts.at(-1)
  // What its runs decide is said before it is stored.
  const known = attempts.map((one) =>
    one.id === measured?.attempt.id ? { ...one, result: measured.progress.result } : one,
  )
  const own = { ...session, attempts: known }
  const confirmed = known.flatMap(({ result }) => (result?.verdict === 'confirmed' ? [result.confirmed] : []))
  return {
    ...plan,
    state: stateOfSession(own),
    best: bestBefore(own, Number.POSITIVE_INFINITY),
    runs: runsOfSession(own),
    claimedRatio: claimedRatio(own),
    confirmed: confirmed[0] ?? null,
    attempts: known.map(({ id, number, name, digest, result }) => {
      const { words, notes } = resultWords(own, name, result)
      return {
        id,
        number,
        name,
        digest,
        verdict: result?.verdict ?? null,
        words,
        notes: [...notes],
        runs: result?.runs ?? 0,
      }
    }),
    rounds:
      last === undefined || measured === null
        ? []
        : measured.progress.rounds.map(({ runIds, order, ...round }) => ({
            ...round,
            order: [...order],
            runs: runIds,
          })),
  }
}

/** What a runner does next, as the API and agents answer. */
export function nextOfSessionOf({ session, next }: GivenNext): z.infer<typeof nextOfSessionAnswer> {
  if (next.kind === 'wait') return { wait: true, round: next.round, awaited: [...next.awaited] }
  if (next.kind === 'idle') {
    const last = session.attempts.at(-1)
    const words = last === undefined ? 'Nothing was tried yet' : resultWords(session, last.name, last.result).words
    const best = bestBefore(session, Number.POSITIVE_INFINITY)
    return { idle: true, best, verdict: last?.result?.verdict ?? null, words }
  }
  const { attempt, round } = next
  const arm = z.enum(['best', 'attempt', 'base']).parse(next.arm)
  const code = { best: bestBefore(session, attempt.number), attempt: attempt.name, base: session.base }[arm]
  return { attempt: attempt.name, arm, code, round, upload: `experiment=${attempt.id}&arm=${arm}&round=${round}` }
}
