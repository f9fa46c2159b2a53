import type { UploadDetail, UploadSummary } from '../../lib/run/stored'
import type { Prisma } from '../generated/client'
import { importedRunSchema } from '../../lib/run/imported-run-schema'
import { cellNotesSchema, givenSchema, problemsSchema } from './json-columns'
import { withGiven } from './run-state'

/** The columns of an upload's summary. */
export const uploadSummarySelect = {
  id: true,
  projectId: true,
  name: true,
  sizeBytes: true,
  kind: true,
  encoding: true,
  lineCount: true,
  sentSha256: true,
  storedSha256: true,
  state: true,
  createdAt: true,
  rawRemovedAt: true,
  keepSecrets: true,
} as const satisfies Prisma.UploadSelect

/** Those of an upload with what was found in it. */
export const uploadDetailSelect = {
  ...uploadSummarySelect,
  given: true,
  problems: true,
  cellNotes: true,
  draftRuns: { select: { imported: true }, orderBy: { index: 'asc' } },
} as const satisfies Prisma.UploadSelect

type SummaryRecord = Prisma.UploadGetPayload<{ select: typeof uploadSummarySelect }>
type DetailRecord = Prisma.UploadGetPayload<{ select: typeof uploadDetailSelect }>

export function toUploadSummary(record: SummaryRecord): UploadSummary {
  return {
    id: record.id,
    projectId: record.projectId,
    name: record.name,
    sizeBytes: Number(record.sizeBytes),
    kind: record.kind,
    encoding: record.encoding,
    lineCount: record.lineCount,
    sentSha256: record.sentSha256,
    storedSha256: record.storedSha256,
    state: record.state,
    createdAt: record.createdAt.toISOString(),
    rawRemovedAt: record.rawRemovedAt?.toISOString() ?? null,
    keepSecrets: record.keepSecrets,
  }
}

/** Throws when a JSON column does not hold what this version knows. */
export function toUploadDetail(record: DetailRecord): UploadDetail {
  const given = givenSchema.parse(record.given)
  return {
    ...toUploadSummary(record),
    problems: problemsSchema.parse(record.problems),
    cellNotes: cellNotesSchema.parse(record.cellNotes),
    draftRuns: record.draftRuns.map((run) => withGiven(importedRunSchema.parse(run.imported), given)),
  }
}
