import type { NamedMapping } from './column-mapping'
import type { CandidateRule } from './candidate-rule'
import type { RunGuard } from './guard'
import type { JudgedState } from './judged-states'
import type { RunJudgement } from './judgement'
import { figureSortKeys, type FigureSortKey, type RunFigures } from './metrics'
import type { CellNote, ImportedRun, ImportProblem, Load, UtcIso, Warning } from './run'
import type { JudgedPart, JudgedWindow } from './steady-part'
import type { Tool } from './tools'
import type { Role } from '../viewer'

/** Where a project is found. `slug` is its name in URLs: lower-case letters, digits and hyphens. */
export interface ProjectAddress {
  readonly id: string
  readonly slug: string
}

/** A project as lists show it. */
export interface ProjectSummary extends ProjectAddress {
  readonly name: string
  readonly createdAt: UtcIso
  readonly runCount: number
  /** `orderedAt` of its newest run; null when it has none. */
  readonly latestRunAt: UtcIso | null
  /** Where its commits are seen (lib/project/repository.ts); null: not known. */
  readonly repositoryUrl: string | null
  /** Which of its new runs are candidates where their upload does not say so; null: none. */
  readonly candidateRule: CandidateRule | null
  /** What its series are judged by: whole runs, or their steady parts where all runs have one. */
  readonly judgedWindow: JudgedWindow
}

/** A project as the frame of every page shows it. */
export interface ProjectName {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Where its commits are seen; null: not known. */
  readonly repositoryUrl: string | null
  /** Alerts that wait for somebody. */
  readonly openAlerts: number
  /** A channel turned itself off, so that alerts do not reach it. */
  readonly hasDeadChannel: boolean
  /** What the viewer may do there; without accounts, and for owners, everything. */
  readonly role: Role
}

/** One raw file or paste, stored as it came. */
export interface UploadSummary {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly sizeBytes: number
  /** As `uploadKind` calls it; older ones are `text` or `binary`. */
  readonly kind: string
  readonly encoding: string | null
  readonly lineCount: number | null
  readonly sentSha256: string
  readonly storedSha256: string
  /** draft: previewed, not yet saved, swept after 24 h, invisible everywhere else. */
  readonly state: 'draft' | 'saved'
  readonly createdAt: UtcIso
  /** When the raw file was deleted, because the project's retention of files was over; null: it is stored. */
  readonly rawRemovedAt: UtcIso | null
  /** Its sender chose to keep what looks like a secret. */
  readonly keepSecrets: boolean
}

/** A draft or saved upload with all that was found in it, for the preview. */
export interface UploadDetail extends UploadSummary {
  readonly problems: readonly ImportProblem[]
  readonly cellNotes: readonly CellNote[]
  /** By which its samples were read; null: they were in a form that is known. */
  readonly mapping: NamedMapping | null
  /** Draft: the runs found, in order. Saved: empty (they are runs now). */
  readonly draftRuns: readonly ImportedRun[]
}

/** Who a run is: what users may edit. Null variant/environment: none. */
export interface RunNames {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly labels: Readonly<Record<string, string>>
}

/** A name that runs of a project have already. */
export interface KnownName {
  readonly name: string
  /** Of the runs that were counted, how many have it. */
  readonly runCount: number
}

/** Names that a project knows, those with the most runs first, at most 100 each. */
export interface KnownNames {
  readonly scenarios: readonly KnownName[]
  readonly variants: readonly KnownName[]
  readonly environments: readonly KnownName[]
  /** There are more runs than were counted: each name has as many as stated, or more. */
  readonly isPart: boolean
}

/** One line of the history. */
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
  /** When the run began, as the document or the user says; null when nothing says it. */
  readonly startedAt: UtcIso | null
  readonly startedAtSource: string | null
  readonly uploadedAt: UtcIso
  /** startedAt, else uploadedAt: what the history is ordered by (then by id). */
  readonly orderedAt: UtcIso
  readonly complete: boolean
  /** What refuses it, or one of its metrics; of a run that a person counts all the same nothing that makes it invalid. */
  readonly guards: readonly RunGuard[]
  /** It is judged against its series and never joins it. */
  readonly candidate: boolean
  /** What is said of it; null: not judged yet. */
  readonly judged: JudgedRow | null
  readonly warnings: readonly Warning[]
  readonly figures: RunFigures
}

/** A run that another one was made of. */
export interface RunPart extends RunRow {
  readonly uploadName: string
}

/** What a list shows of a run beside its own line: where it lies in its series, and which of its figures are off. */
export interface RunPast {
  readonly uploadName: string
  /** A metric of the newest runs of its series and load profile up to this one, oldest first; null: a gap. */
  readonly values: readonly (number | null)[]
  /** Which of those were judged to be outside in that metric. */
  readonly outside: readonly boolean[]
  /** What was expected of this run's metric when it was judged; null: too few runs. */
  readonly expected: { readonly level: number; readonly low: number; readonly high: number } | null
  /** Metrics in which it is judged worse, better or unusual, by id. */
  readonly off: Readonly<Record<string, 'worse' | 'better' | 'unusual'>>
}

/** A run's judgement as lists show it. */
export interface JudgedRow {
  readonly state: JudgedState
  readonly sentence: string
}

/** A run with everything that was read from its file. */
export interface StoredRun extends RunRow {
  /** What is said of it, whole; null: not judged yet. */
  readonly judgement: RunJudgement | null
  /** What a person says of whether it is a measurement of its series; null: nothing. */
  readonly counted: boolean | null
  /** The canonical run; its histograms are joined in again. */
  readonly imported: ImportedRun
  /** Markdown, by the user. */
  readonly notes: string
  readonly environmentAttributes: Readonly<Record<string, string>>
  readonly upload: UploadSummary
}

/** What the user changed of a proposed run before saving. Absent: as proposed. */
export interface RunEdits {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly startedAt?: UtcIso | null | undefined
  readonly notes?: string | undefined
  /** It is judged against its series and never joins it. */
  readonly candidate?: boolean | undefined
  /** Whether it is a measurement of its series, whatever its guards say; null: they decide. */
  readonly counted?: boolean | null | undefined
  /** Draft only: false leaves the run out. */
  readonly include?: boolean | undefined
}

/** What lists of runs are sorted by: their time, a figure, or their state, the most urgent one as the largest. */
export type RunSortKey = 'time' | 'state' | FigureSortKey
export const runSortKeys: readonly RunSortKey[] = ['time', 'state', ...figureSortKeys]

/** What the history is narrowed to. Absent or empty: not narrowed. All conditions hold together. */
export interface RunFilter {
  readonly tool?: Tool | undefined
  readonly scenario?: string | undefined
  readonly variant?: string | undefined
  readonly environment?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** Words, each of which must occur in names, labels, command or upload name. */
  readonly text?: string | undefined
  readonly state?: JudgedState | undefined
  /** Without runs that are judged against their series and never join it. */
  readonly withoutCandidates?: boolean | undefined
  readonly uploadId?: string | undefined
  readonly runIds?: readonly string[] | undefined
  /** Runs at or after this time … */
  readonly from?: UtcIso | undefined
  /** … and before this one. */
  readonly to?: UtcIso | undefined
  /** A figure between bounds, both included, in its own unit (error ratio 0–1). Runs without the figure are left out. */
  readonly range?: FigureRange | undefined
  /** Of runs that repeat each other, as in trends, only the newest. */
  readonly newestOfRepeats?: boolean | undefined
}

/** One of several runs of one experiment. */
export interface RunRepeat {
  readonly id: string
  readonly figures: RunFigures
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
  /** Opaque, from the page before; absent: the first page. */
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

/** A cell note as stored. Null upload and line: the user wrote it. */
export interface StoredCellNote extends Omit<CellNote, 'line'> {
  readonly id: string
  readonly uploadId: string | null
  readonly line: number | null
}

/** The runs of one scenario, variant and environment of a project over time. */
export interface SeriesSummary {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
}

/** One run of a series as trends and the change-point detector read it. */
export interface SeriesPoint {
  readonly runId: string
  readonly uploadId: string
  /** startedAt, else the time of the upload. */
  readonly orderedAt: UtcIso
  readonly tool: Tool
  readonly load: Load
  readonly labels: Readonly<Record<string, string>>
  readonly figures: RunFigures
  readonly guards: readonly RunGuard[]
  /** What its judgement rests on (lib/judge/judgement-basis.ts); null: it has none. */
  readonly judgementBasis: string | null
  /** What its figures are of; absent: whole runs. */
  readonly judgedBy?: JudgedPart | undefined
}

/**
 * A series with the newest runs that join it, oldest first. Cut runs, invalid ones and candidates are left out: their
 * figures are no measurement of it.
 */
export interface SeriesHistory extends SeriesSummary {
  readonly points: readonly SeriesPoint[]
}

export const comparisonKinds = ['runs', 'matrix'] as const
export type ComparisonKind = (typeof comparisonKinds)[number]

/** A comparison that somebody saved with what was concluded from it. */
export interface SavedComparison {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly name: string
  /** runs: a comparison of `refs`; matrix: all that `view` filters. */
  readonly kind: ComparisonKind
  /** As in the address of a comparison: `a+b...c` (sides by `...`, the base first; repeats by `+`). Matrix: empty. */
  readonly refs: string
  /** The query string of the page, without `?`: metrics, scales, SLO, cost inputs (`cost.…`), axes. */
  readonly view: string
  /** Markdown: how it was measured. */
  readonly notes: string
  /** Markdown: what follows from it. */
  readonly takeaways: string
  readonly createdAt: UtcIso
  readonly updatedAt: UtcIso
}

/** What a user writes of a saved comparison; absent fields stay. */
export interface ComparisonEdits {
  readonly name?: string | undefined
  readonly refs?: string | undefined
  readonly view?: string | undefined
  readonly notes?: string | undefined
  readonly takeaways?: string | undefined
}
