import type { JudgedState } from '../run/judged-states'
import { figureSortKeys, type FigureSortKey } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { Tool } from '../run/tools'
import type { RunRow } from './stored-runs'

/** Sort keys of lists of runs: their time, a figure, or their state, the most urgent one counting as the largest. */
export type RunSortKey = 'time' | 'state' | FigureSortKey

export const runSortKeys: readonly RunSortKey[] = ['time', 'state', ...figureSortKeys]

/** Filters of the history. Absent or empty: not filtered. All conditions must hold. */
export interface RunFilter {
  readonly tool?: Tool | undefined
  readonly scenario?: string | undefined
  readonly variant?: string | undefined
  readonly environment?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** Words that must each occur in names, labels, command or upload name. */
  readonly text?: string | undefined
  readonly state?: JudgedState | undefined
  /** Without candidates, which are judged against their series and never join it. */
  readonly withoutCandidates?: boolean | undefined
  readonly uploadId?: string | undefined
  readonly runIds?: readonly string[] | undefined
  /** Runs at or after this time … */
  readonly from?: UtcIso | undefined
  /** … and before this one. */
  readonly to?: UtcIso | undefined
  /** A figure within inclusive bounds, in its own unit (error ratio 0–1). Runs without the figure are left out. */
  readonly range?: FigureRange | undefined
  /** Of runs that are repeats, as in trends, only the newest. */
  readonly newestOfRepeats?: boolean | undefined
}

/** Bounds of a figure by which runs can be sorted. */
export interface FigureRange {
  readonly of: FigureSortKey
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export interface RunPageRequest {
  readonly sort: RunSortKey
  readonly direction: 'asc' | 'desc'
  /** 1–200. */
  readonly limit: number
  /** Opaque, from the previous page; absent: the first page. */
  readonly cursor?: string | undefined
}

export interface RunPage {
  readonly rows: readonly RunRow[]
  /** Null: the last page. */
  readonly nextCursor: string | null
}

/** Distinct values to filter by, most frequent first, at most 100 each. */
export interface RunFacets {
  readonly tools: readonly string[]
  readonly scenarios: readonly string[]
  readonly variants: readonly string[]
  readonly environments: readonly string[]
  readonly labels: Readonly<Record<string, readonly string[]>>
}

/** A name already used by runs of a project. */
export interface KnownName {
  readonly name: string
  /** Number of counted runs that have it. */
  readonly runCount: number
}

/** Names known in a project, those with the most runs first, at most 100 each. */
export interface KnownNames {
  readonly scenarios: readonly KnownName[]
  readonly variants: readonly KnownName[]
  readonly environments: readonly KnownName[]
  /** There are more runs than were counted, so each count is a minimum. */
  readonly isPart: boolean
}
