import { urgentStates } from '@/lib/run/judged-states'
import type { NewsRun } from '@/lib/project/project-news'

/**
 * From runs, newest first: the newest of each series, without candidates, if it needs attention; the most urgent first.
 */
export function urgentRuns<Run extends Pick<NewsRun, 'seriesId' | 'candidate' | 'judged'>>(
  runs: readonly Run[],
): readonly Run[] {
  const joined = runs.filter(({ candidate }) => !candidate)
  const newest = [...new Map([...joined].reverse().map((run) => [run.seriesId, run])).values()].reverse()
  return urgentStates.flatMap((state) => newest.filter(({ judged }) => judged?.state === state))
}
