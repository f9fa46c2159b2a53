import type { RunGuard } from '../run/guard'
import type { JudgedRow, MetricJudgement, RunJudgement } from '../run/judgement'
import type { RunFigures } from '../run/metrics'
import type { ImportedRun, Load, UtcIso, Warning } from '../run/run'
import type { Tool } from '../run/tools'
import type { UploadSummary } from './stored-uploads'

/** The identity of a run, which users may edit. Null variant/environment: none. */
export interface RunNames {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly labels: Readonly<Record<string, string>>
}

/** One row of the history. */
export interface RunRow extends RunNames {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly uploadId: string
  /** The runs of the same scenario, variant and environment. */
  readonly seriesId: string
  /** Position within its upload, 0-based. */
  readonly indexInUpload: number
  readonly tool: Tool
  readonly form: string
  readonly load: Load
  /** When the run began, as stated by the document or the user; null: not stated. */
  readonly startedAt: UtcIso | null
  readonly startedAtSource: string | null
  readonly uploadedAt: UtcIso
  /** startedAt, else uploadedAt: the history is ordered by it (then by id). */
  readonly orderedAt: UtcIso
  readonly complete: boolean
  /** Guards that refuse it, or one of its metrics; for a run that a person counts anyway none that make it invalid. */
  readonly guards: readonly RunGuard[]
  /** It is judged against its series and never joins it. */
  readonly candidate: boolean
  /** The state of its judgement; null: not judged yet. */
  readonly judged: JudgedRow | null
  readonly warnings: readonly Warning[]
  readonly figures: RunFigures
}

/** A run that a merged run was made of. */
export interface RunPart extends RunRow {
  readonly uploadName: string
}

/** A level of a series with the expected range of its runs. */
export interface PastLevel {
  /** Its first run; null: before those that are shown. */
  readonly since: UtcIso | null
  /** Null: too few runs since. */
  readonly expected: { readonly level: number; readonly low: number; readonly high: number } | null
}

/** What a list shows of a run beside its own row: its place in its series, and which of its figures are off. */
export interface RunPast {
  readonly uploadName: string
  /** One metric of the newest runs of its series and load profile up to this one, oldest first; null: a gap. */
  readonly values: readonly (number | null)[]
  /** Which of those were judged outside in that metric. */
  readonly outside: readonly boolean[]
  /** When each of those ran, to the minute. */
  readonly times: readonly UtcIso[]
  /** The commit of each in its labels; null: none. */
  readonly commits: readonly (string | null)[]
  /** The levels that this run's judgement of the metric states, oldest first; empty: too few runs. */
  readonly levels: readonly PastLevel[]
  /** The judgement of the metric that its state is about, if the level of that changed; null: it did not. */
  readonly moved: MetricJudgement | null
  /** Metrics in which it is judged worse, better or unusual, by id. */
  readonly off: Readonly<Record<string, 'worse' | 'better' | 'unusual'>>
}

/** A run with everything read from its file. */
export interface StoredRun extends RunRow {
  /** Its full judgement; null: not judged yet. */
  readonly judgement: RunJudgement | null
  /** A person's decision whether it is a valid measurement of its series; null: none. */
  readonly counted: boolean | null
  /** The canonical run, with its histograms joined in again. */
  readonly imported: ImportedRun
  /** Markdown, by the user. */
  readonly notes: string
  readonly environmentAttributes: Readonly<Record<string, string>>
  readonly upload: UploadSummary
}

/** A user's changes to a proposed run before saving. Absent: as proposed. */
export interface RunEdits {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly startedAt?: UtcIso | null | undefined
  readonly notes?: string | undefined
  /** It is judged against its series and never joins it. */
  readonly candidate?: boolean | undefined
  /** Whether it is a valid measurement of its series, whatever its guards find; null: they decide. */
  readonly counted?: boolean | null | undefined
  /** Drafts only: false leaves the run out. */
  readonly include?: boolean | undefined
}

/** One of several runs of one experiment. */
export interface RunRepeat {
  readonly id: string
  readonly figures: RunFigures
}
