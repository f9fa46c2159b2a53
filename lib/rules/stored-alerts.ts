import type { AlertFinding } from './evaluate-profile'
import type { Sensitivity } from '../levels/sensitivity'
import type { RuleEvent } from './rule-events'
import type { Rule } from './rules'
import type { UtcIso } from '../run/run'
import type { SeriesSummary } from '../history/stored-series'

/** What may raise an alert. */
export const alertKinds = [
  'change-point',
  'drift',
  'baseline',
  'limit',
  'missing',
  'failed-import',
  'environment',
] as const
export type AlertKind = (typeof alertKinds)[number]

/**
 * States of an alert in lists. open → acknowledged; both → expected (the new level is accepted), false-alarm or
 * resolved by hand; both → recovered (a later change undid it) or withdrawn (later runs no longer show it) by
 * evaluation.
 */
export const alertStates = [
  'open',
  'acknowledged',
  'expected',
  'false-alarm',
  'resolved',
  'recovered',
  'withdrawn',
] as const

/** Those of lists, and `merged`: an earlier alert now reports its changes; it is still found at its own address. */
export const storedAlertStates = [...alertStates, 'merged'] as const
export type AlertState = (typeof storedAlertStates)[number]

/** States in which an alert needs attention. */
export const liveStates: readonly AlertState[] = ['open', 'acknowledged']

/** States that wait for a person, counted beside a project in the frame. */
export const unattendedStates: readonly AlertState[] = ['open']

/** States in which what an alert reports did happen, whatever became of it since. */
export const reportedStates: readonly AlertState[] = ['open', 'acknowledged', 'expected', 'resolved', 'recovered']

/** What a person may do with an alert. */
export const alertMoves = ['acknowledged', 'expected', 'false-alarm', 'resolved', 'open'] as const
export type AlertMove = (typeof alertMoves)[number]

/** An alert as lists show it. */
export interface AlertRow {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly state: AlertState
  /** The series it was first raised for; null: deleted. */
  readonly series: SeriesSummary | null
  /** Changes of level, largest first; empty if only events raised it. */
  readonly findings: readonly AlertFinding[]
  /**
   * What rules other than change points found, and slow drifts, in order of arrival. There is at least one finding or
   * event.
   */
  readonly events: readonly RuleEvent[]
  /** The rule that raised it, even if deleted since; null: unknown. */
  readonly rule: Rule | null
  readonly sensitivity: Sensitivity
  readonly detectorVersion: string
  /** Commit or upload of the first run of the new level. */
  readonly cause: string | null
  /** The newest run when it was raised. */
  readonly raisedRunId: string | null
  /** The assigned account; null: not assigned. */
  readonly assignee: { readonly id: string; readonly name: string } | null
  readonly openedAt: UtcIso
  readonly updatedAt: UtcIso
  readonly closedAt: UtcIso | null
}

/** A step in an alert's history. */
export interface AlertStep {
  readonly what: string
  readonly who: string
  readonly note: string
  readonly at: UtcIso
}

/** An alert with its history and the names of all series in its findings, by id. */
export interface StoredAlert extends AlertRow {
  readonly steps: readonly AlertStep[]
  readonly seriesOf: Readonly<Record<string, SeriesSummary>>
}

/** The sides of the comparison that shows a finding: runs before and after. */
export function sidesOfFinding({
  beforeRunIds,
  afterRunIds,
  beforeRunId,
  afterRunId,
}: AlertFinding): readonly (readonly string[])[] {
  // Findings of older versions name one run on either side.
  if (beforeRunIds.length === 0 || afterRunIds.length === 0) return [[beforeRunId], [afterRunId]]
  return [beforeRunIds, afterRunIds]
}

/** The series named in an alert's findings and events, possibly with duplicates. */
export function seriesIdsOf({ findings, events }: Pick<AlertRow, 'findings' | 'events'>): readonly string[] {
  return [
    ...findings.map((finding) => finding.seriesId),
    ...events.flatMap((event) =>
      'seriesId' in event ? event.seriesId : event.kind === 'environment' ? event.seriesIds : [],
    ),
  ]
}
