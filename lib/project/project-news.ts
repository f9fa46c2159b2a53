import { judgedStates, urgentStates, type JudgedState } from '../run/judged-states'
import type { RunFigures } from '../run/metrics'
import type { JudgedRow } from '../run/judgement'
import type { RunNames } from '../history/stored-runs'
import type { UtcIso } from '../run/run'
import { urgentRuns } from './urgent-runs'

/** One of the newest runs of its project, as the home page reads it. */
export interface NewsRun extends Pick<RunNames, 'scenario' | 'variant'> {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly uploadId: string
  readonly uploadName: string
  readonly seriesId: string
  readonly candidate: boolean
  readonly orderedAt: UtcIso
  /** Null: not judged yet. */
  readonly judged: JudgedRow | null
  readonly figures: Pick<RunFigures, 'p99Ms' | 'meanMs' | 'throughputPerSecond' | 'requestsPerSecond'>
}

/** An upload with the judgement of its runs. */
export interface NewsUpload {
  readonly uploadId: string
  readonly uploadName: string
  readonly at: UtcIso
  /** The most urgent state of its runs; null: none is judged yet. */
  readonly state: JudgedState | null
  readonly runs: number
  /** Of those, how many are in a state that needs attention. */
  readonly urgent: number
}

/** What is new in a project. */
export interface ProjectNews {
  /** Newest first; the oldest may be incomplete. */
  readonly uploads: readonly NewsUpload[]
  /** States of the newest run of each series among these, most urgent first, with how many have it. */
  readonly states: readonly { readonly state: JudgedState; readonly count: number }[]
  /** The newest run that joined its series. */
  readonly newest: NewsRun | null
  /** The newest run of each series, if it needs attention. */
  readonly urgent: readonly NewsRun[]
  /** The id of the newest run of each series, by the series' id; candidates count. */
  readonly newestOf: ReadonlyMap<string, string>
}

const urgency = (state: JudgedState): number => judgedStates.indexOf(state)
const isUrgent = (state: JudgedState | undefined): boolean => urgentStates.some((one) => one === state)

/** From the newest runs of one project, newest first: recent uploads and the states of its series. */
export function projectNews(runs: readonly NewsRun[]): ProjectNews {
  const byUpload = new Map<string, NewsRun[]>()
  for (const run of runs) byUpload.set(run.uploadId, [...(byUpload.get(run.uploadId) ?? []), run])
  const uploads = [...byUpload.values()].flatMap((own): NewsUpload[] => {
    const [first] = own
    if (first === undefined) return []
    const states = own.flatMap(({ judged }) => judged?.state ?? []).toSorted((a, b) => urgency(a) - urgency(b))
    const { uploadId, uploadName, orderedAt } = first
    const urgent = own.filter(({ judged }) => isUrgent(judged?.state)).length
    return [{ uploadId, uploadName, at: orderedAt, state: states[0] ?? null, runs: own.length, urgent }]
  })
  const joined = runs.filter(({ candidate }) => !candidate)
  const newestOfSeries = [...new Map(joined.toReversed().map((run) => [run.seriesId, run])).values()]
  const states = judgedStates
    .map((state) => ({ state, count: newestOfSeries.filter(({ judged }) => judged?.state === state).length }))
    .filter(({ count }) => count > 0)
  const newestOf = new Map(runs.toReversed().map(({ seriesId, id }) => [seriesId, id]))
  return { uploads, states, newest: joined[0] ?? null, urgent: urgentRuns(runs), newestOf }
}
