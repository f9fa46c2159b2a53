import type { RunGuard } from '../run/guard'
import type { RunFigures } from '../run/metrics'
import type { Load, UtcIso } from '../run/run'
import type { JudgedPart } from '../run/steady-part'
import type { Tool } from '../run/tools'

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
  /** Of a control: its code never changes, so its runs of one commit are no repeats. Absent: of another series. */
  readonly isOfControl?: boolean | undefined
  /** Which part of the run its figures are of; absent: whole runs. */
  readonly judgedBy?: JudgedPart | undefined
}

/**
 * A series with the newest runs that join it, oldest first. Truncated runs, invalid ones and candidates are left out:
 * their figures are no valid measurement of it.
 */
export interface SeriesHistory extends SeriesSummary {
  readonly points: readonly SeriesPoint[]
}
