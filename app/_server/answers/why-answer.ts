import { z } from 'zod'
import { candidateKinds } from '@/lib/explain/candidate'

const share = z.number().describe('0…1.')

const partAnswer = z.object({
  name: z.string().describe('`common`, `within VALUE` or `mix VALUE`.'),
  value: z.number().describe('Share of requests; above 0, the candidate has more of them above the latency.'),
})

const thresholdAnswer = z.object({
  ...{ threshold_ms: z.number(), base_share: share, head_share: share },
  parts: z.array(partAnswer),
  remainder: z.number(),
})

const otherAnswer = z.object({
  kind: z.enum(candidateKinds),
  attribute: z.string().nullable(),
  value: z.string().nullable(),
  share_explained: share,
})

const explained = z.object({
  kind: z.enum([...candidateKinds, 'not-explained', 'nothing', 'too-few']),
  sentence: z.string(),
  side: z.enum(['base', 'head']),
  attribute: z.string().nullable().describe('`target`, `connection`, `header:x-cache`, `server-timing;db`.'),
  value: z.string().nullable(),
  share_explained: share.describe('Share of the difference that the first of them explains.'),
  share_of_traffic: share.nullable(),
  z: z.number().describe('Standard deviations by which it stands out.'),
  window: z.array(z.number()).optional().describe('Of the run’s time, 0…1.'),
  aliases: z
    .array(z.object({ attribute: z.string(), value: z.string() }))
    .readonly()
    .optional()
    .describe('Other names of the same requests.'),
  parts: z
    .array(thresholdAnswer)
    .describe('By latency: the shares of requests above it, and parts that add up to their difference.'),
  sum_check: z.number().describe('The largest remainder.'),
  others: z.array(otherAnswer),
})

const refused = z.object({
  kind: z.enum(['refused', 'due']).describe('`due`: the rows are being counted, ask again.'),
  why: z.string(),
})

export const whyAnswer = z
  .object({
    sentence: z.string().describe('In words, without a full stop.'),
    notes: z.array(z.string()).readonly().describe('What to know of it.'),
    base: z.array(z.string()).describe('Ids of the runs that it rests on: of a side, the newest 20.'),
    head: z.array(z.string()),
    answer: z.discriminatedUnion('kind', [refused, explained]),
  })
  .meta({ id: 'Why', description: 'What a difference stands with: where it is, never what caused it.' })

const boxValue = z.object({
  attribute: z.string().describe('`target`, `status`, `connection`, `header:x-cache`.'),
  value: z.string(),
  ...{ inside_requests: z.int(), outside_requests: z.int() },
  inside: share.describe('Of the requests in the box, 0…1.'),
  outside: share.describe('Of all others, 0…1.'),
  difference: z.number(),
  z: z.number().describe('Standard deviations of the difference.'),
  p: z.number().describe('Exact, after Bonferroni over all values compared.'),
  stands_out: z.boolean(),
  is_alias: z.boolean().describe('Another name of the requests that the sentence names.'),
})

const bound = z.number().nullable().describe('As asked; null: open.')

export const boxAnswer = z
  .object({
    sentence: z.string().describe('In words, without a full stop.'),
    notes: z.array(z.string()).readonly().describe('What to know of it.'),
    box: z.object({ from: bound, to: bound, above: bound, below: bound }),
    kind: z
      .enum(['stands-out', 'slower', 'nothing', 'too-few', 'refused'])
      .describe('`slower`: no value has another share, and one takes longer. `refused`: nothing can be said.'),
    ...{ inside_requests: z.int(), outside_requests: z.int() },
    looked: z.int().describe('Values compared.'),
    values: z.array(boxValue).describe('What stands out first, then by the difference; at most 100.'),
    parts: z
      .array(thresholdAnswer)
      .describe('Of a box that chooses no latencies: base is what is outside of it, head what is inside.'),
  })
  .meta({ id: 'Box', description: 'What the requests in a box differ by from all others of their run.' })
