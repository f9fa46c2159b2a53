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

/** Address of a project. `slug` is its name in URLs: lower-case letters, digits and hyphens. */
export interface ProjectAddress {
  readonly id: string
  readonly slug: string
}

/** A project as shown in lists. */
export interface ProjectSummary extends ProjectAddress {
  readonly name: string
  readonly createdAt: UtcIso
  readonly runCount: number
  /** `orderedAt` of its newest run; null when it has none. */
  readonly latestRunAt: UtcIso | null
  /** Address of its repository (lib/project/repository.ts); null: unknown. */
  readonly repositoryUrl: string | null
  /** Which of its new runs are candidates unless their upload states it; null: none. */
  readonly candidateRule: CandidateRule | null
  /** What its series are judged by: whole runs, or their steady parts if all runs have one. */
  readonly judgedWindow: JudgedWindow
}

/** A project as shown in the frame of every page. */
export interface ProjectName {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Address of its repository; null: unknown. */
  readonly repositoryUrl: string | null
  /** Number of alerts waiting for a person. */
  readonly openAlerts: number
  /** A channel was disabled automatically, so alerts do not reach it. */
  readonly hasDeadChannel: boolean
  /** What the viewer may do there; everything without accounts, and for owners. */
  readonly role: Role
}

/** One raw file or paste, stored as it came. */
export interface UploadSummary {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly sizeBytes: number
  /** A word from `uploadKind`; older ones are `text` or `binary`. */
  readonly kind: string
  readonly encoding: string | null
  readonly lineCount: number | null
  readonly sentSha256: string
  readonly storedSha256: string
  /** draft: previewed, not yet saved, swept after 24 h, invisible everywhere else. */
  readonly state: 'draft' | 'saved'
  readonly createdAt: UtcIso
  /** When the raw file was deleted because the project's retention of files had ended; null: it is stored. */
  readonly rawRemovedAt: UtcIso | null
  /** Its sender chose to keep what looks like a secret. */
  readonly keepSecrets: boolean
}

/** A draft or saved upload with everything found in it, for the preview. */
export interface UploadDetail extends UploadSummary {
  readonly problems: readonly ImportProblem[]
  readonly cellNotes: readonly CellNote[]
  /** The mapping its samples were read by; null: they were in a known form. */
  readonly mapping: NamedMapping | null
  /** Draft: the runs found, in order. Saved: empty (they are runs now). */
  readonly draftRuns: readonly ImportedRun[]
}

/** The identity of a run, which users may edit. Null variant/environment: none. */
export interface RunNames {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly labels: Readonly<Record<string, string>>
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

/** What a list shows of a run beside its own row: its place in its series, and which of its figures are off. */
export interface RunPast {
  readonly uploadName: string
  /** One metric of the newest runs of its series and load profile up to this one, oldest first; null: a gap. */
  readonly values: readonly (number | null)[]
  /** Which of those were judged outside in that metric. */
  readonly outside: readonly boolean[]
  /** The expected range of this run's metric when it was judged; null: too few runs. */
  readonly expected: { readonly level: number; readonly low: number; readonly high: number } | null
  /** Metrics in which it is judged worse, better or unusual, by id. */
  readonly off: Readonly<Record<string, 'worse' | 'better' | 'unusual'>>
}

/** A run's judgement as shown in lists. */
export interface JudgedRow {
  readonly state: JudgedState
  readonly sentence: string
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

/** One run of a series, as read by trends and the change-point detector. */
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
  /** The basis of its judgement (lib/judge/judgement-basis.ts); null: none. */
  readonly judgementBasis: string | null
  /** Which part of the run its figures are of; absent: whole runs. */
  readonly judgedBy?: JudgedPart | undefined
}

/**
 * A series with the newest runs that join it, oldest first. Cut runs, invalid ones and candidates are left out: their
 * figures are no valid measurement of it.
 */
export interface SeriesHistory extends SeriesSummary {
  readonly points: readonly SeriesPoint[]
}

export const comparisonKinds = ['runs', 'matrix'] as const
export type ComparisonKind = (typeof comparisonKinds)[number]

/** A saved comparison with its conclusions. */
export interface SavedComparison {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly name: string
  /** runs: a comparison of `refs`; matrix: everything that matches `view`. */
  readonly kind: ComparisonKind
  /** As in the address of a comparison: `a+b...c` (sides by `...`, the base first; repeats by `+`). Matrix: empty. */
  readonly refs: string
  /** The query string of the page, without `?`: metrics, scales, SLO, cost inputs (`cost.…`), axes. */
  readonly view: string
  /** Markdown: how it was measured. */
  readonly notes: string
  /** Markdown: the conclusions. */
  readonly takeaways: string
  readonly createdAt: UtcIso
  readonly updatedAt: UtcIso
}

/** A user's changes to a saved comparison; absent fields stay. */
export interface ComparisonEdits {
  readonly name?: string | undefined
  readonly refs?: string | undefined
  readonly view?: string | undefined
  readonly notes?: string | undefined
  readonly takeaways?: string | undefined
}
