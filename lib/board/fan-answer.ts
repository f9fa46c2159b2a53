import * as z from 'zod'
import type { Described } from '../schema-of'

/** What the board draws of a series, as sent to the browser. */
export const fanAnswer = z
  .object({
    seriesId: z.string(),
    title: z.string(),
    day: z.string(),
    commit: z.string().nullable(),
    state: z.string().nullable().describe('How the run is judged. Null: not yet.'),
    runHref: z.string(),
    compareHref: z.string().nullable().describe('Compares it with the runs before it. Null: there are none.'),
    compareWords: z.string(),
    sent: z.object({ packed: z.unknown() }).nullable().describe('A plot. Null: no percentile was printed.'),
    keys: z.array(z.object({ kind: z.enum(['run', 'median', 'half', 'all', 'each']), name: z.string() })),
    figures: z
      .array(z.object({ label: z.string(), text: z.string(), range: z.string(), isOff: z.boolean() }))
      .describe('In words. `range` empty: nothing is expected of it.'),
  })
  .meta({ id: 'Fan', description: 'What the board draws for a series; the format may change.' })

export type FanAnswer = Described<typeof fanAnswer>
