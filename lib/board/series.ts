import type { JudgedState } from '../run/judged-states'
import type { MetricJudgement, RunJudgement } from '../run/judgement'
import type { UtcIso } from '../run/run'
import type { RunRow, SeriesSummary } from '../run/stored'

/** A series as the board lists it, with its newest run that takes part in it. */
export interface BoardSeries extends SeriesSummary {
  /** Null: none of its runs is a measurement of it. */
  readonly newest: BoardNewest | null
  /** A later run that does not take part: a candidate, or one that is invalid or incomplete. Null: there is none. */
  readonly later: { readonly runId: string; readonly isCandidate: boolean } | null
}

/** The newest run of a series that takes part in it. */
export interface BoardNewest {
  readonly runId: string
  readonly uploadId: string
  readonly uploadName: string
  /** Of its label; null: it has none. */
  readonly commit: string | null
  readonly orderedAt: UtcIso
  /** Null: not judged yet. */
  readonly state: JudgedState | null
}

/** The newest run of a series with what is said of it, whole. */
export interface BoardRun extends RunRow {
  /** Null: not judged yet. */
  readonly judgement: RunJudgement | null
}

/** What was said of past runs, for strips. */
export interface PastJudgements {
  /** Runs that were outside of what was expected of the metric. */
  readonly outside: ReadonlySet<string>
  /** What was expected of runs that were asked for, by id. */
  readonly expected: ReadonlyMap<string, MetricJudgement>
}
