import { importedRunSchema } from '../../lib/run/imported-run-schema'
import type { NamedMapping } from '../../lib/run/column-mapping'
import type { ImportedFile, UtcIso } from '../../lib/run/run'
import type { UploadDetail, UploadSummary } from '../../lib/history/stored-uploads'
import { clipText, storableText } from '../../lib/text'
import type { Prisma } from '../generated/client'
import { newId } from './ids'
import { cellNotesSchema, givenSchema, jsonColumn, problemsSchema, type GivenNames } from './json-columns'
import { checkedLabels, checkedName, checkedOptionalName, limits } from './limits'
import { checkedStart, withGiven } from './run-state'

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

/** Columns of an upload with its contents. */
export const uploadDetailSelect = {
  ...uploadSummarySelect,
  given: true,
  problems: true,
  cellNotes: true,
  draftRuns: { select: { imported: true }, orderBy: { index: 'asc' } },
} as const satisfies Prisma.UploadSelect

/** The row of `uploadSummarySelect`. */
export type SummaryRecord = Omit<Prisma.UploadGetPayload<{ select: typeof uploadSummarySelect }>, 'sizeBytes'> & {
  readonly sizeBytes: bigint | number
}
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

/** Throws when a JSON column holds something unknown to this version. */
export function toUploadDetail(record: DetailRecord): UploadDetail {
  const given = givenSchema.parse(record.given)
  return {
    ...toUploadSummary(record),
    problems: problemsSchema.parse(record.problems),
    cellNotes: cellNotesSchema.parse(record.cellNotes),
    mapping: given.mapping ?? null,
    draftRuns: record.draftRuns.map((run) => withGiven(importedRunSchema.parse(run.imported), given)),
  }
}

/** A received file and what was read from it. */
export interface ReceivedUpload {
  readonly projectId: string
  /** File name as sent; no path. */
  readonly name: string
  readonly sizeBytes: number
  readonly kind: string
  /** Hashes of the bytes as sent (which recognises them), and as stored in the raw store (which is their address). */
  readonly sentSha256: string
  readonly storedSha256: string
  readonly file: ImportedFile
  /** What looks like a secret was stored, at the sender's request. Absent: masked. */
  readonly keepSecrets?: boolean | undefined
}

/** Names for all runs of an upload, from its sender. Absent: as the file proposes. */
export interface GivenRunNames {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  /** Start of the runs whose text gives none. */
  readonly startedAt?: UtcIso | undefined
  /** They are judged against their series and never join it; false: they join it whatever the project's rule is. */
  readonly candidate?: boolean | undefined
  /** By which its samples are read, now and at every re-import. */
  readonly mapping?: NamedMapping | undefined
}

/** Names, labels and start for all runs, checked. Throws InvalidInputError. */
export function checkedGiven(names: GivenRunNames, labels: Readonly<Record<string, string>>): GivenNames {
  const { scenario, variant, environment, startedAt, candidate, mapping } = names
  return {
    ...(scenario === undefined ? {} : { scenario: checkedName('scenario', scenario) }),
    ...(variant === undefined ? {} : { variant: checkedOptionalName('variant', variant) }),
    ...(environment === undefined ? {} : { environment: checkedOptionalName('environment', environment) }),
    ...(startedAt === undefined ? {} : { startedAt: checkedStart(startedAt, Date.now()).toISOString() }),
    ...(candidate === undefined ? {} : { candidate }),
    ...(mapping === undefined ? {} : { mapping }),
    labels: checkedLabels(labels),
  }
}

/** The columns that depend on the contents of the file. */
export function fileColumns(file: ImportedFile) {
  return {
    encoding: file.encoding,
    lineCount: file.lineCount,
    problems: jsonColumn(file.problems),
    cellNotes: jsonColumn(file.cellNotes),
  } satisfies Prisma.UploadUncheckedUpdateInput
}

/** The row of a new upload. Throws InvalidInputError for what cannot be stored. */
export function uploadRow(input: ReceivedUpload, state: 'draft' | 'saved', given: GivenNames) {
  return {
    id: newId(),
    projectId: input.projectId,
    state,
    name: clipText(storableText(input.name).trim() || 'untitled', limits.uploadName),
    sizeBytes: input.sizeBytes,
    kind: storableText(input.kind),
    sentSha256: input.sentSha256,
    storedSha256: input.storedSha256,
    given: jsonColumn(given),
    keepSecrets: input.keepSecrets ?? false,
    createdAt: new Date(),
    ...fileColumns(input.file),
  } satisfies Prisma.UploadUncheckedCreateInput
}
