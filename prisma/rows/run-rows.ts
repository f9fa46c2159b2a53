import { deriveSuccesses } from '../../lib/derived-histogram'
import type { LatencyHistogram } from '../../lib/run'
import type { RunRow, StoredRun } from '../../lib/stored'
import type { Histogram, Prisma } from '../generated/client'
import type { Db } from './access'
import { figureColumns, toFigures } from './figure-columns'
import {
  hdrUnitSchema,
  histogramBucketsSchema,
  importedRunSchema,
  loadSchema,
  stringsSchema,
  toolSchema,
  warningsSchema,
} from '../../lib/imported-run-schema'
import { editableFields, type RunState } from './run-state'
import { toUploadSummary, uploadSummarySelect } from './upload-rows'

/** The columns of one line of the history. */
export const runRowSelect = {
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
  project: { select: { slug: true } },
} as const satisfies Prisma.RunSelect

/**
 * What a run page shows, without uploads and histograms: Prisma reads two relations of a row at the same moment, which
 * pg's one connection of a transaction does not want.
 */
export const storedRunSelect = {
  ...runRowSelect,
  notes: true,
  edited: true,
  imported: true,
} as const satisfies Prisma.RunSelect

type RunRowRecord = Prisma.RunGetPayload<{ select: typeof runRowSelect }>
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

/** Runs with everything: uploads, histograms and attributes of environments looked up. */
export async function toStoredRuns(db: Db, records: readonly StoredRunRecord[]): Promise<readonly StoredRun[]> {
  if (records.length === 0) return []
  const uploads = await db.upload.findMany({
    where: { id: { in: records.map((record) => record.uploadId) } },
    select: uploadSummarySelect,
  })
  const uploadOf = new Map(uploads.map((upload) => [upload.id, toUploadSummary(upload)]))
  const histograms = await db.histogram.findMany({ where: { runId: { in: records.map((record) => record.id) } } })
  const histogramOf = new Map(histograms.map((row) => [keyOf(row.runId, row.latencyIndex), toHistogram(row)]))
  const attributesOf = await environmentAttributes(db, records)
  return records.flatMap((record) => {
    const upload = uploadOf.get(record.uploadId)
    if (upload === undefined) return [] // cannot be: the column is a foreign key
    const imported = importedRunSchema.parse(record.imported)
    const kept = imported.latencies.map((latency, index) => ({
      ...latency,
      histogram: histogramOf.get(keyOf(record.id, index)) ?? null,
    }))
    const latencies = kept.map((latency) =>
      latency.of === 'success' && latency.histogram === null && latency.origin === 'samples'
        ? { ...latency, histogram: deriveSuccesses(kept) }
        : latency,
    )
    // What was written beside this run goes before what other documents say of an environment of that name.
    const own = record.edited.includes('environment') ? {} : imported.proposal.environmentAttributes
    return [
      {
        ...toRunRow(record),
        imported: { ...imported, latencies },
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

function toHistogram(row: Histogram): LatencyHistogram {
  if (row.v2 === null) return histogramBucketsSchema.parse(row.buckets)
  return { kind: 'hdr', v2Base64: Buffer.from(row.v2).toString('base64'), unit: hdrUnitSchema.parse(row.unit) }
}

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
