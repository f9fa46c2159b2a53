import { urgentStates } from '@/lib/run/judged-states'
import type { RunRow } from '@/lib/run/stored'

/** Of runs, newest first: the newest of each series where that asks for somebody; the most urgent states first. */
export function urgentRuns(runs: readonly RunRow[]): readonly RunRow[] {
  const newest = [...new Map([...runs].reverse().map((run) => [run.seriesId, run])).values()].reverse()
  return urgentStates.flatMap((state) => newest.filter(({ judged }) => judged?.state === state))
}
