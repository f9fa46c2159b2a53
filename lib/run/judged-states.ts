/**
 * The judgement of a run against its series. invalid: a guard finds it is not a valid measurement. failing: requests
 * failed: more than 1 %, more than before, or more than a limit allows. worse, better: its level has verifiably
 * changed. unusual: outside of the expected range, once; repeat it. no-history: too few runs before it.
 */
export const judgedStates = ['invalid', 'failing', 'worse', 'unusual', 'better', 'no-history', 'as-expected'] as const
export type JudgedState = (typeof judgedStates)[number]

/** A larger share of failed requests is failing whatever the history; its latency is not compared. */
export const maxFailedRatio = 0.01

/** States that need attention, most urgent first. */
export const urgentStates = ['failing', 'worse', 'invalid', 'unusual'] as const satisfies readonly JudgedState[]

/** All of them, most urgent first: the order of lists sorted by state. */
export const statesByUrgency: readonly JudgedState[] = [...new Set([...urgentStates, ...judgedStates])]

/** The state of a run in a word or two, as shown in lists. */
export const stateWords: Readonly<Record<JudgedState, string>> = {
  invalid: 'Invalid',
  failing: 'Failing',
  worse: 'Worse',
  unusual: 'Unusual',
  better: 'Better',
  'no-history': 'No history',
  'as-expected': 'As expected',
}
