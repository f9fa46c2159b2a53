import type { ImportedRun } from '../../lib/run/run'
import type { RunRow, StoredRun } from '../../lib/run/stored'
import type { Prisma } from '../generated/client'
import type { Db } from './access'
import { figureColumns, toFigures } from './figure-columns'
import { loadSchema, stringsSchema, toolSchema, warningsSchema } from '../../lib/run/imported-run-schema'
import { editableFields, type RunState } from './run-state'
import { toUploadSummary, uploadSummarySelect } from './upload-rows'

/** The columns of one line of the history, of the run's own. */
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
  startedAt: true,
  startedAtSource: true,
  uploadedAt: true,
  orderedAt: true,
  ...figureColumns,
} as const satisfies Prisma.RunSelect

/** The columns of one line of the history. */
export const runRowSelect = { ...ownRowSelect, project: { select: { slug: true } } } as const satisfies Prisma.RunSelect

/**
 * What a run page shows, without what was imported, uploads and histograms: Prisma reads two relations of a row at the
 * same moment, which pg's one connection of a transaction does not want.
 */
export const storedRunSelect = { ...runRowSelect, notes: true, edited: true } as const satisfies Prisma.RunSelect

/** The row of `runRowSelect`. */
export type RunRowRecord = Prisma.RunGetPayload<{ select: typeof runRowSelect }>
type StoredRunRecord = Prisma.RunGetPayload<{ select: typeof storedRunSelect }>

/** A line of the history. Throws when a JSON column does not hold what this version knows. */
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
    warnings: warningsSchema.parse(columns.warnings),
    figures: toFigures(columns),
  }
}

/** Runs with everything: what was imported, uploads and attributes of environments looked up by `db`. */
export async function toStoredRuns(
  db: Db,
  records: readonly StoredRunRecord[],
  importedOf: ReadonlyMap<string, ImportedRun>,
): Promise<readonly StoredRun[]> {
  if (records.length === 0) return []
  const uploads = await db.upload.findMany({
    where: { id: { in: [...new Set(records.map((record) => record.uploadId))] } },
    select: uploadSummarySelect,
  })
  const uploadOf = new Map(uploads.map((upload) => [upload.id, toUploadSummary(upload)]))
  const attributesOf = await environmentAttributes(db, records)
  return records.flatMap((record) => {
    const [upload, imported] = [uploadOf.get(record.uploadId), importedOf.get(record.id)]
    if (upload === undefined || imported === undefined) return [] // deleted for good between two statements
    // What was written beside this run goes before what other documents say of an environment of that name.
    const own = record.edited.includes('environment') ? {} : imported.proposal.environmentAttributes
    return [
      {
        ...toRunRow(record),
        imported,
        notes: record.notes,
        environmentAttributes: { ...attributesOf.get(keyOf(record.projectId, record.environment)), ...own },
        upload,
      },
    ]
  })
}

async function environmentAttributes(db: Db, records: readonly StoredRunRecord[]) {
  const named = records.flatMap(({ projectId, environment }) =>
    environment === null ? [] : [{ projectId, name: environment }],
  )
  const found = named.length === 0 ? [] : await db.environment.findMany({ where: { OR: named } })
  return new Map(found.map((row) => [keyOf(row.projectId, row.name), stringsSchema.parse(row.attributes)]))
}

const keyOf = (...parts: readonly (string | number | null)[]) => JSON.stringify(parts)

/** What a user may change of a stored run, as it stands. */
export function toRunState(record: StoredRunRecord): RunState {
  return {
    scenario: record.scenario,
    variant: record.variant,
    environment: record.environment,
    labels: stringsSchema.parse(record.labels),
    startedAt: record.startedAt,
    startedAtSource: record.startedAtSource,
    notes: record.notes,
    edited: editableFields.filter((field) => record.edited.includes(field)),
  }
}
