import { z } from 'zod'
import { experimentStates } from '@/lib/experiment/stored-experiment'
import { utcIsoSchema } from '@/lib/run/timestamp'
import { instrumentAnswer } from './instrument-answer'

const change = z.object({
  effectRatio: z.number().describe('Relative: 0.05 is 5 % more.'),
  low: z.number(),
  high: z.number(),
})

export const experimentPlan = z
  .object({
    id: z.string().describe('Its runs have it as the label `experiment`.'),
    number: z.number().describe('In its project, from 1.'),
    question: z.string(),
    base: z.string(),
    head: z.string(),
    arms: z.array(z.string()).describe('`base`, `head` and perhaps `control`, which is base again.'),
    metricId: z.string().describe('The metric that decides.'),
    smallestRatio: z.number().describe('Smallest relative change that matters.'),
    maxRounds: z.number(),
    createdAt: utcIsoSchema,
  })
  .meta({ id: 'ExperimentPlan', description: 'A question for rounds of runs.' })

export const experimentAnswer = experimentPlan
  .extend({
    state: z.enum(experimentStates),
    word: z.string().describe('`running`, `worse`, `the same`.'),
    sentence: z.string().describe('What it shows, without a full stop.'),
    notes: z.array(z.string()).describe('What that rests on.'),
    next: z
      .string()
      .nullable()
      .describe('When it is evaluated next, and which estimates would end it. Null: it is over, or too few rounds.'),
    spent: z.object({
      rounds: z.number().describe('That count.'),
      voidRounds: z.number(),
      runs: z.number().describe('Of all rounds that are over.'),
    }),
    effect: change.nullable().describe('Head against base, with the interval that decides. Null: too few rounds.'),
    control: change
      .extend({ hasMoved: z.boolean() })
      .nullable()
      .describe('Null: there is no control, or too few rounds.'),
    instrument: instrumentAnswer
      .nullable()
      .describe('What runs of identical code show of the environment of its runs. Null: none is named.'),
    levels: z
      .object({ base: z.number(), head: z.number() })
      .nullable()
      .describe('Typical values, which divide to the effect. Null: too few rounds.'),
    place: change
      .extend({ place: z.number().describe('From 2.'), isNamed: z.boolean() })
      .nullable()
      .describe('What runs in this place differs by from what runs first: the clearest. Null: too few rounds.'),
    evaluations: z
      .array(change.extend({ rounds: z.number() }))
      .describe('The interval that each was judged by, oldest first.'),
    rounds: z
      .array(
        z.object({
          round: z.number(),
          order: z.array(z.string()).describe('Its arms as they run.'),
          runs: z.record(z.string(), z.string()).describe('Ids by arm.'),
          values: z.record(z.string(), z.number()).describe('In the metric that decides, by arm.'),
          voidReason: z.string().nullable().describe('Null: the round counts, or is open.'),
        }),
      )
      .describe('In time order; a void round is repeated under a new number.'),
  })
  .meta({ id: 'Experiment', description: 'An experiment and what its runs show.' })

export const nextRunAnswer = z
  .union([
    z.object({
      arm: z.string(),
      round: z.number(),
      upload: z.string().describe('The query of the upload of its run.'),
    }),
    z.object({
      wait: z.literal(true),
      round: z.number(),
      awaited: z.array(z.string()).describe('Arms that other runners have.'),
    }),
    z.object({ stop: z.literal(true), state: z.enum(experimentStates), why: z.string() }),
  ])
  .meta({ id: 'NextRun', description: 'What a runner does next.' })
