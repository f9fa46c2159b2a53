import { z } from 'zod'
import { planLimits } from '@/lib/experiment/plan-limits'
import { progressWords } from '@/lib/experiment/running-words'
import { defaultMetric } from '@/lib/run/metrics'
import type { NextRun } from '@/prisma/queries/projects/experiments'
import type { nextRunAnswer } from './answers/experiment-answer'

const text = z.string().trim().min(1).max(200)
const arm = z.enum(['base', 'head', 'control'])

/** What a plan says. */
export const planSchema = z.strictObject({
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
/** A run that is not there. */
export const voidSchema = z.strictObject({
  round: z.number().int().min(1).max(9_999),
  arm,
  reason: text.describe('Why there is no run: `exit 1`.'),
})

/** What a runner is told. `id`: of the experiment. */
export function nextRunOf(next: NextRun, id: string): z.infer<typeof nextRunAnswer> {
  switch (next.kind) {
    case 'run': {
      const { arm: given, round } = next
      return { arm: given, round, upload: `experiment=${id}&arm=${given}&round=${round}` }
    }
    case 'wait':
      return { wait: true, round: next.round, awaited: [...next.awaited] }
    case 'stop':
      return { stop: true, state: next.progress.state, why: progressWords(next.progress).sentence }
  }
}
