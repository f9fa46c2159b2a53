import { urgentStates } from '../run/judged-states'
import type { JudgedRow } from '../run/judgement'

interface OfSeries {
  readonly seriesId: string
  readonly candidate: boolean
  /** Null: not judged yet. */
  readonly judged: JudgedRow | null
}

/**
 * From runs, newest first: the newest of each series, without candidates, if it needs attention; the most urgent first.
 */
export function urgentRuns<Run extends OfSeries>(runs: readonly Run[]): readonly Run[] {
  const joined = runs.filter(({ candidate }) => !candidate)
  const newest = [...new Map([...joined].reverse().map((run) => [run.seriesId, run])).values()].reverse()
  return urgentStates.flatMap((state) => newest.filter(({ judged }) => judged?.state === state))
}
