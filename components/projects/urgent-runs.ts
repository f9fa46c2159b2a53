import { urgentStates } from '@/lib/run/judged-states'
import type { NewsRun } from '@/lib/project/project-news'

/** Of runs, newest first: the newest of each series, candidates aside, where that needs attention; the most urgent first. */
export function urgentRuns<Run extends Pick<NewsRun, 'seriesId' | 'candidate' | 'judged'>>(
  runs: readonly Run[],
): readonly Run[] {
  const joined = runs.filter(({ candidate }) => !candidate)
  const newest = [...new Map([...joined].reverse().map((run) => [run.seriesId, run])).values()].reverse()
  return urgentStates.flatMap((state) => newest.filter(({ judged }) => judged?.state === state))
}
