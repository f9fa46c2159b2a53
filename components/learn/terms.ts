import type { LearnTopic } from './topics'

interface TermWords {
  readonly name: string
  readonly means: string
  /** The page that explains more. */
  readonly topic: LearnTopic
}

/** The meaning of the words on pages, in a sentence or two; in the order of the list. */
export const terms = {
  p99: {
    name: 'p99',
    means:
      '1 in 100 requests was slower. As a tool says it: of few requests it is an anecdote, and each tool has a rule of its own between two samples.',
    topic: 'percentile-plot',
  },
  served: {
    name: 'Served/s',
    means: 'Requests a second that succeeded; the offered rate is what was sent.',
    topic: 'open-and-closed-loop',
  },
  'expected-range': {
    name: 'Expected range',
    means:
      'Where the next run of a series lies if nothing changed, 99 times of 100: from the noise of the runs of its current level. A run outside is unusual; a change is confirmed by the runs after it.',
    topic: 'one-run',
  },
  equivalence: {
    name: 'Zone of equivalence',
    means: 'Changes too small to matter. “Same” is said where the whole interval of a change lies within it.',
    topic: 'one-run',
  },
  'change-point': {
    name: 'Change of level',
    means: 'The first run from which the figures of a series stay elsewhere, beyond the noise of single runs.',
    topic: 'one-run',
  },
  knee: {
    name: 'Knee',
    means: 'The value of a sweep from which a figure grows disproportionately: where a system begins to saturate.',
    topic: 'littles-law',
  },
  'coordinated-omission': {
    name: 'Coordinated omission',
    means: 'A tool that waits for a slow response sends nothing meanwhile, and so measures too few slow requests.',
    topic: 'coordinated-omission',
  },
  'warm-up': {
    name: 'Warm-up',
    means: 'The first part of a run, in which caches, pools and compilers are not as they are after.',
    topic: 'warm-up',
  },
} as const satisfies Readonly<Record<string, TermWords>>

export type TermName = keyof typeof terms
