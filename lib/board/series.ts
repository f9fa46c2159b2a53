import type { JudgedState } from '../run/judged-states'
import type { MetricJudgement, RunJudgement } from '../run/judgement'
import type { UtcIso } from '../run/run'
import type { RunRow } from '../history/stored-runs'
import type { SeriesSummary } from '../history/stored-series'

/** A series as the board lists it, with the newest run that takes part in it. */
export interface BoardSeries extends SeriesSummary {
  /** Null: none of its runs is a valid measurement of it. */
  readonly newest: BoardNewest | null
  /** A later run that does not take part: a candidate, invalid or incomplete. Null: none. */
  readonly later: { readonly runId: string; readonly isCandidate: boolean } | null
}

/** The newest run of a series that takes part in it. */
export interface BoardNewest {
  readonly runId: string
  readonly uploadId: string
  readonly uploadName: string
  /** From its label; null: it has none. */
  readonly commit: string | null
  readonly orderedAt: UtcIso
  /** Null: not judged yet. */
  readonly state: JudgedState | null
}

/** The newest run of a series with its full judgement. */
export interface BoardRun extends RunRow {
  /** Null: not judged yet. */
  readonly judgement: RunJudgement | null
}

/** Judgements of past runs, for strips. */
export interface PastJudgements {
  /** Runs that were outside of the metric's expected range. */
  readonly outside: ReadonlySet<string>
  /** What was expected of the requested runs, by id. */
  readonly expected: ReadonlyMap<string, MetricJudgement>
}
