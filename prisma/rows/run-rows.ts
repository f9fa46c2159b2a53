import { loadSchema, stringsSchema, toolSchema, warningsSchema } from '../../lib/run/imported-run-schema'
import { guardsThatHold, runGuardsSchema } from '../../lib/run/guard'
import { judgedStates } from '../../lib/run/judged-states'
import { runJudgementSchema, type RunJudgement } from '../../lib/run/judgement'
import type { JudgedRow } from '../../lib/run/judgement'
import type { RunRow } from '../../lib/history/stored-runs'
import type { Prisma } from '../generated/client'
import { figureColumns, toFigures } from './figure-columns'
import { editableFields, type RunState } from './run-state'

/** The run's own columns in a line of the history. */
export const ownRowSelect = {
  id: true,
  projectId: true,
  uploadId: true,
  seriesId: true,
  indexInUpload: true,
  tool: true,
  form: true,
  scenario: true,
  variant: true,
  environment: true,
  labels: true,
  load: true,
  warnings: true,
  complete: true,
  candidate: true,
  counted: true,
  guards: true,
  judgedState: true,
  judgedSentence: true,
  startedAt: true,
  startedAtSource: true,
  uploadedAt: true,
  orderedAt: true,
  ...figureColumns,
} as const satisfies Prisma.RunSelect

/** The columns of one line of the history. */
export const runRowSelect = { ...ownRowSelect, project: { select: { slug: true } } } as const satisfies Prisma.RunSelect

/** What a user may have edited of a run, beside its line of the history. */
export const editedRunSelect = {
  ...runRowSelect,
  notes: true,
  edited: true,
} as const satisfies Prisma.RunSelect

/** The row of `runRowSelect`. */
export type RunRowRecord = Prisma.RunGetPayload<{ select: typeof runRowSelect }>
/** The row of `editedRunSelect`. */
export type EditedRunRecord = Prisma.RunGetPayload<{ select: typeof editedRunSelect }>

/** A line of the history. Throws when a JSON column holds something unknown to this version. */
export function toRunRow(record: RunRowRecord): RunRow {
  const { project, startedAt, uploadedAt, orderedAt, ...columns } = record
  return {
    id: columns.id,
    projectId: columns.projectId,
    projectSlug: project.slug,
    uploadId: columns.uploadId,
    seriesId: columns.seriesId,
    indexInUpload: columns.indexInUpload,
    tool: toolSchema.parse(columns.tool),
    form: columns.form,
    scenario: columns.scenario,
    variant: columns.variant,
    environment: columns.environment,
    labels: stringsSchema.parse(columns.labels),
    load: loadSchema.parse(columns.load),
    startedAt: startedAt?.toISOString() ?? null,
    startedAtSource: columns.startedAtSource,
    uploadedAt: uploadedAt.toISOString(),
    orderedAt: orderedAt.toISOString(),
    complete: columns.complete,
    candidate: columns.candidate,
    guards: guardsThatHold(runGuardsSchema.parse(columns.guards), columns.counted),
    judged: toJudgedRow(columns),
    warnings: warningsSchema.parse(columns.warnings),
    figures: toFigures(columns),
  }
}

/** The judgement of a run, for lists; null: not judged yet. */
export function toJudgedRow(columns: Pick<RunRowRecord, 'judgedState' | 'judgedSentence'>): JudgedRow | null {
  const state = judgedStates.find((one) => one === columns.judgedState)
  return state === undefined ? null : { state, sentence: columns.judgedSentence ?? '' }
}

/** A stored judgement; null: there is none, or it has another version's format. */
export function toJudgement(json: unknown): RunJudgement | null {
  return json === null ? null : (runJudgementSchema.safeParse(json).data ?? null)
}

/** The fields of a stored run that a user may change, with their current values. */
export function toRunState(record: EditedRunRecord): RunState {
  return {
    scenario: record.scenario,
    variant: record.variant,
    environment: record.environment,
    labels: stringsSchema.parse(record.labels),
    startedAt: record.startedAt,
    startedAtSource: record.startedAtSource,
    notes: record.notes,
    candidate: record.candidate,
    counted: record.counted,
    edited: editableFields.filter((field) => record.edited.includes(field)),
  }
}
