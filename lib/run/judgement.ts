import * as z from 'zod'
import { commitWords, formatDay } from '../format'
import type { UtcIso } from './run'
import { judgedStates, type JudgedState } from './judged-states'
import { runGuardsSchema } from './guard'
import { utcIsoSchema } from './timestamp'
import { judgedParts, type JudgedPart } from './steady-part'

/** Bumped when the same runs would be judged differently; judgements of other versions are made again. */
export const judgementVersion = 'run-3'

const figure = z.number().nullable()

/** The stored form of the judgement of one metric. */
export const metricJudgementSchema = z
  .object({
    metricId: z.string(),
    state: z
      .enum(['worse', 'better', 'changed', 'unusual', 'as-expected', 'no-history', 'barred'])
      .describe('changed: a metric that has no good side moved. barred: a guard refuses the metric.'),
    side: z
      .enum(['worse', 'better', 'neutral'])
      .nullable()
      .describe('Where an unusual value lies, or where its level moved to. Null: neither.'),
    value: z.number().describe('Of the run, or median of its repeats; in the unit of the metric.'),
    level: figure.describe('Of its series, by tool and load; of a changed level the one before.'),
    expectedLow: figure.describe('Values of that level lie from here to `expectedHigh`: what the test accepts.'),
    expectedHigh: figure,
    effectRatio: figure.describe(
      '0.1 is 10 % above the level; of a changed metric how far the level moved. The next two are its 95 % interval. Null for shares.',
    ),
    effectLowRatio: figure,
    effectHighRatio: figure,
    noiseRatio: figure.describe("Standard deviation of one run's logarithm."),
    outside: z.number().describe('Newest experiments in a row, this one included, outside on that side.'),
    before: z.number().describe('Experiments of that level before it.'),
    change: z
      .object({
        afterRunId: z.string(),
        since: utcIsoSchema,
        cause: z.string().nullable(),
        alertId: z.string().nullable(),
      })
      .nullable()
      .describe('The change of level that it belongs to. Null: it is held against the current level.'),
    current: z
      .object({
        level: z.number(),
        expectedLow: z.number(),
        expectedHigh: z.number(),
        before: z.number().describe('Experiments of that level before it.'),
      })
      .nullable()
      .default(null)
      .describe('What is expected of the level since that change. Null: no change, or too few experiments since.'),
  })
  .meta({ id: 'MetricJudgement', description: 'The judgement of one metric of a run against its series.' })
export type MetricJudgement = Readonly<z.infer<typeof metricJudgementSchema>>

/** The range printed beside a run's value, and how the value compares with it: a value inside is never called off. */
export interface HeldAgainst {
  /** own: of its level, which did not change. since, before: of the level on that side of the change. */
  readonly of: 'own' | 'since' | 'before'
  readonly level: number
  readonly low: number
  readonly high: number
  /** Experiments of that level before it. */
  readonly runs: number
  readonly isOutside: boolean
}

/**
 * What the value of a run is compared with: its level; if that changed, the one since, or the one before while the new
 * one has too few runs. `value`: the shown value, if it differs from the judged one. Null: nothing is expected.
 */
export function heldAgainst(
  { value: judged, level, expectedLow, expectedHigh, before, change, current }: MetricJudgement,
  value: number = judged,
): HeldAgainst | null {
  if (current !== null) {
    const { expectedLow: low, expectedHigh: high } = current
    return {
      of: 'since',
      level: current.level,
      low,
      high,
      runs: current.before,
      isOutside: value < low || value > high,
    }
  }
  if (level === null || expectedLow === null || expectedHigh === null) return null
  const isOutside = value < expectedLow || value > expectedHigh
  const of = change === null ? 'own' : 'before'
  return { of, level, low: expectedLow, high: expectedHigh, runs: before, isOutside }
}

/** A level that a judgement rests on: its value, the expected range of its runs, and how many are behind both. */
export type StatedLevel = Omit<HeldAgainst, 'isOutside'>

/** The levels that a judgement states, the older first: the run's own, or those before and since a change. */
export function statedLevels(judged: MetricJudgement): readonly StatedLevel[] {
  const { level, expectedLow: low, expectedHigh: high, before: runs, change, current } = judged
  const older: readonly StatedLevel[] =
    level === null || low === null || high === null
      ? []
      : [{ of: change === null ? 'own' : 'before', level, low, high, runs }]
  if (current === null) return older
  const { expectedLow, expectedHigh } = current
  return [...older, { of: 'since', level: current.level, low: expectedLow, high: expectedHigh, runs: current.before }]
}

/** A level that began too few runs ago for an expected range, by a change that was accepted. */
export interface BegunLevel {
  readonly metricId: string
  readonly value: number
  readonly since: UtcIso
  readonly cause: string | null
  /** Experiments of that level before it. */
  readonly before: number
}

/** Since when a level holds, in a word or two: the commit that brought it, else its day. */
export const sinceWords = ({ cause, since }: NonNullable<MetricJudgement['change']>): string =>
  cause?.startsWith('commit ') ? commitWords(cause.slice('commit '.length)) : formatDay(since)

/** The stored form of a judgement. */
export const runJudgementSchema = z
  .object({
    version: z.string(),
    state: z.enum(judgedStates),
    metricId: z.string().nullable().describe('The metric that the state is about. Null: no metric, or no history.'),
    sentence: z.string(),
    runs: z.number().describe('Of one experiment, this one included: figures are their medians.'),
    failedRatio: figure,
    failedCount: figure,
    guards: runGuardsSchema,
    judgedBy: z.enum(judgedParts).default('whole').describe('What its figures are of.'),
    metrics: z.array(metricJudgementSchema).readonly().describe('Those that are judged, in reading order.'),
  })
  .meta({ id: 'Judgement', description: 'The judgement of a run against the earlier runs of its series.' })
export type RunJudgement = Readonly<z.infer<typeof runJudgementSchema>>

/** A run's judgement as shown in lists. */
export interface JudgedRow {
  readonly state: JudgedState
  readonly sentence: string
}

/** A judgement with its basis (lib/judge/judgement-basis.ts): the version of the rules first. */
export interface StoredJudgement {
  readonly judgement: RunJudgement
  readonly basis: string
}

/** The beginning of a basis: the version of the rules, and whether the project uses steady parts. */
export const versionOf = (judgedBy: JudgedPart = 'whole'): string =>
  judgedBy === 'whole' ? judgementVersion : `${judgementVersion}+steady`

/** Whether a judgement was made by the current rules, on the part that the project uses now. */
export function isOfThisVersion(basis: string | null, judgedBy?: JudgedPart): boolean {
  const version = versionOf(judgedBy)
  return basis === version || (basis?.startsWith(`${version} `) ?? false)
}

/** A rule's limit that runs have broken since a given time. */
export interface BrokenLimit {
  readonly metricId: string
  readonly expected: number
  readonly side: 'above' | 'below'
  readonly since: UtcIso
}
