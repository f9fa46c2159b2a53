import { urgentStates } from '@/lib/run/judged-states'
import type { RunRow } from '@/lib/run/stored'

/** Of runs, newest first: the newest of each series, candidates aside, where that needs attention; the most urgent first. */
export function urgentRuns(runs: readonly RunRow[]): readonly RunRow[] {
  const joined = runs.filter(({ candidate }) => !candidate)
  const newest = [...new Map([...joined].reverse().map((run) => [run.seriesId, run])).values()].reverse()
  return urgentStates.flatMap((state) => newest.filter(({ judged }) => judged?.state === state))
}
