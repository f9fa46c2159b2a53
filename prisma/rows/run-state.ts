import { InvalidInputError } from '../../lib/errors'
import { isCandidateBy, type CandidateRule } from '../../lib/project/candidate-rule'
import type { ImportedRun, UtcIso, Warning } from '../../lib/run/run'
import { plausibleStart, proposedNames, warningsWithStart } from '../../lib/history/proposed-names'
import type { RunEdits } from '../../lib/history/stored-runs'
import type { GivenNames } from './json-columns'
import { checkedLabels, checkedName, checkedNotes, checkedOptionalName } from './limits'

/** The fields of a run that a user may change. */
export const editableFields = [
  'scenario',
  'variant',
  'environment',
  'labels',
  'startedAt',
  'notes',
  'candidate',
  'counted',
] as const
export type EditableField = (typeof editableFields)[number]

/** The current values of those fields, and which of them a user changed (a re-import leaves these as they are). */
export interface RunState {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly startedAt: Date | null
  readonly startedAtSource: string | null
  readonly notes: string
  /** It is judged against its series and never joins it. */
  readonly candidate: boolean
  /** A person's decision on whether it is a measurement of its series; null: its guards decide. */
  readonly counted: boolean | null
  readonly edited: readonly EditableField[]
}

/** The parts of an upload that its runs need. */
export interface RunUpload {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly createdAt: Date
}

const givenSource = 'given with the upload'

/** A run as proposed, with the names given for the whole upload. The given start applies only if its text has none. */
export function withGiven(imported: ImportedRun, given: GivenNames): ImportedRun {
  const { scenario, variant, environment, labels } = given
  const startedAt = imported.startedAt === null ? given.startedAt : undefined
  const names = {
    ...(scenario === undefined ? {} : { scenario }),
    ...(variant === undefined ? {} : { variant }),
    ...(environment === undefined ? {} : { environment }),
  }
  const fields = [
    ...Object.keys(names),
    ...Object.keys(labels).map((key) => `label:${key}`),
    ...(startedAt === undefined ? [] : ['startedAt']),
  ]
  const { proposal } = imported
  return {
    ...imported,
    startedAt: startedAt ?? imported.startedAt,
    proposal: {
      ...proposal,
      ...names,
      // Given ones first, so that a limit on their number drops found ones.
      labels: { ...labels, ...proposal.labels, ...labels },
      sources: { ...proposal.sources, ...Object.fromEntries(fields.map((field) => [field, givenSource])) },
    },
  }
}

/** A run's fields, from its file and from those given for the whole upload. */
export function proposedState(imported: ImportedRun, upload: RunUpload, given: GivenNames): RunState {
  const named = withGiven(imported, given)
  const { proposal, startedAt: start } = named
  const startedAt = start === null ? null : plausibleStart(start, upload.createdAt.getTime())
  return {
    ...proposedNames(named, upload.name),
    startedAt,
    startedAtSource: startedAt === null ? null : (proposal.sources.startedAt ?? null),
    notes: '',
    candidate: given.candidate ?? false,
    counted: null,
    edited: [],
  }
}

/**
 * A new run by its project's rule, which reads the labels that it is saved with. Its upload's or a person's choice
 * (`said`: the edits of a draft) wins.
 */
export function withCandidateRule(
  state: RunState,
  rule: CandidateRule | null,
  given: GivenNames,
  said?: RunEdits,
): RunState {
  if ((said?.candidate ?? given.candidate) !== undefined) return state
  return { ...state, candidate: isCandidateBy(rule, state.labels) }
}

/** The importer's warnings, plus one if its date was implausible. */
export const warningsOf = (imported: ImportedRun, state: RunState): readonly Warning[] =>
  state.edited.includes('startedAt') ? imported.warnings : warningsWithStart(imported, state.startedAt)

/** The state after a user's edits; a field counts as edited if its value changed. Throws InvalidInputError. */
export function editedState(state: RunState, edits: RunEdits, now: number): RunState {
  const next = {
    scenario: edits.scenario === undefined ? state.scenario : checkedName('scenario', edits.scenario),
    variant: edits.variant === undefined ? state.variant : checkedOptionalName('variant', edits.variant),
    environment:
      edits.environment === undefined ? state.environment : checkedOptionalName('environment', edits.environment),
    labels: edits.labels === undefined ? state.labels : checkedLabels(edits.labels),
    startedAt:
      edits.startedAt === undefined
        ? state.startedAt
        : edits.startedAt === null
          ? null
          : checkedStart(edits.startedAt, now),
    notes: edits.notes === undefined ? state.notes : checkedNotes(edits.notes),
    candidate: edits.candidate ?? state.candidate,
    counted: edits.counted === undefined ? state.counted : edits.counted,
  }
  const changed: Readonly<Record<EditableField, boolean>> = {
    scenario: next.scenario !== state.scenario,
    variant: next.variant !== state.variant,
    environment: next.environment !== state.environment,
    labels: !sameLabels(next.labels, state.labels),
    startedAt: next.startedAt?.getTime() !== state.startedAt?.getTime(),
    notes: next.notes !== state.notes,
    candidate: next.candidate !== state.candidate,
    counted: next.counted !== state.counted,
  }
  return {
    ...next,
    startedAtSource: !changed.startedAt ? state.startedAtSource : next.startedAt === null ? null : 'set manually',
    edited: editableFields.filter((field) => changed[field] || state.edited.includes(field)),
  }
}

/** A run after a re-import: as proposed now, except that the user's changes stay. */
export function stateAfterReimport(proposed: RunState, current: RunState): RunState {
  const isEdited = (field: EditableField) => current.edited.includes(field)
  return {
    scenario: (isEdited('scenario') ? current : proposed).scenario,
    variant: (isEdited('variant') ? current : proposed).variant,
    environment: (isEdited('environment') ? current : proposed).environment,
    labels: (isEdited('labels') ? current : proposed).labels,
    startedAt: (isEdited('startedAt') ? current : proposed).startedAt,
    startedAtSource: (isEdited('startedAt') ? current : proposed).startedAtSource,
    notes: (isEdited('notes') ? current : proposed).notes,
    // Set by its upload, a person, or its project's rule at the time.
    candidate: current.candidate,
    counted: (isEdited('counted') ? current : proposed).counted,
    edited: current.edited,
  }
}

/** A start given by a person, checked against the time `now` (ms). Throws InvalidInputError. */
export function checkedStart(iso: UtcIso, now: number): Date {
  const start = plausibleStart(iso, now)
  if (start !== null) return start
  const hint = 'Give a UTC time such as 2026-11-21T03:01:26Z, not before 2000 and not in the future.'
  throw new InvalidInputError('The start time is implausible.', { field: 'startedAt', hint })
}

function sameLabels(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
}
