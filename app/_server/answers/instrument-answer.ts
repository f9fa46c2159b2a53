import { z } from 'zod'
import type { Instrument } from '@/lib/instrument/instrument'
import { instrumentWords, shownWords } from '@/lib/instrument/instrument-words'
import { utcIsoSchema } from '@/lib/run/timestamp'

const place = z.object({
  effectRatio: z.number().describe('Of what runs second, against first.'),
  low: z.number(),
  high: z.number(),
  isNamed: z.boolean().describe('It is one, at 99 %.'),
})

export const instrumentAnswer = z
  .object({
    environment: z.string(),
    word: z.enum(['certified', 'unfit', 'not certified']),
    sentence: z.string().describe('Without a full stop.'),
    notes: z.array(z.string()),
    controls: z.number().describe('Experiments with a control; `repeats`: sets of repeats of one build.'),
    repeats: z.number(),
    newestAt: utcIsoSchema.nullable().describe('Of its newest run of identical code. Null: none.'),
    falseAlarms: z.object({
      count: z.number().describe('Of `total`, those called different.'),
      total: z.number(),
      low: z.number().describe('With `high`: 95 % interval of the share.'),
      high: z.number(),
      isFit: z.boolean(),
    }),
    metrics: z.array(
      z.object({
        metric: z.string(),
        deviationRatio: z.number().describe('Standard deviation of the difference of two runs in one round.'),
        words: z.string().describe('Without a full stop.'),
        visible: z
          .array(z.object({ rounds: z.number(), ratio: z.number() }))
          .describe('Smallest change that so many rounds show in four of five cases.'),
        mattersRatio: z.number().describe('Smallest change that matters in the project.'),
        roundsToShow: z.number().nullable().describe('Rounds that show it. Null: more than a plan may have.'),
        place: place.nullable().describe('Null: too few rounds whose order was drawn.'),
      }),
    ),
  })
  .meta({ id: 'Instrument', description: 'What runs of identical code show of an environment.' })

/** As the API answers. */
export function instrumentAnswerOf(instrument: Instrument, nowMs: number): z.infer<typeof instrumentAnswer> {
  const { environment, controls, repeats, newestAt, falseAlarms, metrics } = instrument
  const { word, sentence, notes } = instrumentWords(instrument, nowMs)
  return {
    ...{ environment, word, sentence, notes: [...notes], controls, repeats, newestAt, falseAlarms },
    metrics: metrics.map((one) => ({
      ...{ metric: one.metric.id, deviationRatio: one.deviation, words: shownWords(one) },
      visible: one.visible.map((shown) => ({ ...shown })),
      ...{ mattersRatio: one.mattersRatio, roundsToShow: one.roundsToShow },
      place: one.place && {
        ...{ effectRatio: one.place.effectRatio, low: one.place.low, high: one.place.high },
        isNamed: one.place.isNamed,
      },
    })),
  }
}
