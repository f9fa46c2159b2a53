import { createHash } from 'node:crypto'
import { ConflictError, InvalidInputError } from '@/lib/errors'
import { plural } from '@/lib/format'
import { mergedNames, partNames } from '@/lib/merge/merged-names'
import { mergedUploadKind, writeMergedDocument } from '@/lib/merge/merged-document'
import { mergeRuns, type MergeOutcome } from '@/lib/merge/merge-runs'
import type { MergePart } from '@/lib/merge/merge-latencies'
import { figuresOf } from '@/lib/run/metrics'
import type { ImportedRun, UtcIso } from '@/lib/run/run'
import type { RunEdits, RunRow, StoredRun } from '@/lib/history/stored-runs'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { saveMerge } from '@/prisma/queries/runs/merged-runs'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getRuns } from '@/prisma/queries/runs/runs'
import { getUpload, saveDraft, type MergeOfUpload } from '@/prisma/queries/uploads/uploads'
import type { MergePlan } from '../answers/run-answers'
import { rawStore } from '../store/process-store'

/** The plan of merging these runs, or why they cannot be merged. Throws NotFoundError. */
export async function planMerge(project: Granted<'read'>, runIds: readonly string[]): Promise<MergeOutcome> {
  return mergeRuns(storedParts(await partsOf(project, runIds)))
}

/** Describes runs that may be merged: their combined figures, or why they cannot be merged. */
export function describePlan(outcome: MergeOutcome): MergePlan {
  if (outcome.kind === 'refused') return outcome
  const { kind, remarks, run } = outcome
  return { kind, remarks, load: run.load, complete: run.complete, figures: figuresOf(run) }
}

/**
 * Merges the runs of several generators of one test. Throws NotFoundError, ConflictError with the reason when it
 * cannot.
 */
export async function mergeStoredRuns(project: Granted<'edit'>, runIds: readonly string[]): Promise<RunRow> {
  const stored = await partsOf(project, runIds)
  const parts = storedParts(stored)
  const run = await mergedOf(parts)
  const sources = stored.map(({ id }) => id)
  const keepSecrets = stored.some(({ upload }) => upload.keepSecrets)
  const made = await storeDocument({ projectId: project.id, run, parts, sources, keepSecrets })
  return saveMerge(project, { parts: stored, names: mergedNames(stored), ...made })
}

/** For a draft: its user's changes, and which of its runs (indices in the file) are merged. */
interface DraftMerge {
  readonly uploadId: string
  readonly edits: readonly RunEdits[]
  readonly merge: readonly number[]
}

/**
 * The plan of merging runs of a draft, or why they cannot be merged. Throws NotFoundError, InvalidInputError,
 * ConflictError.
 */
export async function planDraftMerge(project: Granted<'read'>, draft: DraftMerge): Promise<MergeOutcome> {
  const upload = await getUpload(project, draft.uploadId)
  return mergeRuns(draftParts(upload, draft).map(({ part }) => part))
}

/**
 * Saves a draft and merges some of its runs, both or neither; returns the runs as in lists. Throws NotFoundError,
 * InvalidInputError, ConflictError with the reason when they cannot be merged.
 */
export async function saveDraftMerged(project: Granted<'edit'>, draft: DraftMerge): Promise<readonly RunRow[]> {
  const { uploadId, edits } = draft
  const upload = await getUpload(project, uploadId)
  const parts = draftParts(upload, draft)
  const run = await mergedOf(parts.map(({ part }) => part))
  return saveDraft(project, { uploadId, edits, merge: await mergeOf(upload, parts, run) })
}

/** Merges the runs of a file that is saved at once; `startedAt`: of those without a time. */
export async function mergeAll(
  upload: Omit<UploadOfParts, 'draftRuns'>,
  runs: readonly ImportedRun[],
  startedAt: UtcIso | undefined,
): Promise<{ readonly kind: 'merged'; readonly merge: MergeOfUpload } | Extract<MergeOutcome, { kind: 'refused' }>> {
  const started = runs.map((run) => ({ ...run, startedAt: run.startedAt ?? startedAt ?? null }))
  const parts = namedParts({ ...upload, draftRuns: started }, [...runs.keys()])
  const outcome = await mergeRuns(parts.map(({ part }) => part))
  return outcome.kind === 'refused' ? outcome : { kind: 'merged', merge: await mergeOf(upload, parts, outcome.run) }
}

/** Throws ConflictError with the reason when they cannot be merged. */
async function mergedOf(parts: readonly MergePart[]): Promise<ImportedRun> {
  const outcome = await mergeRuns(parts)
  if (outcome.kind === 'refused') throw new ConflictError(outcome.reason, outcome.hint)
  return outcome.run
}

/** In order of arrival, whatever order they were named in. */
async function partsOf(project: Granted<'read'>, runIds: readonly string[]): Promise<readonly StoredRun[]> {
  const found = await getRuns(project, runIds)
  const key = ({ uploadedAt, id }: StoredRun) => `${uploadedAt} ${id}`
  return found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** With starts that people may have corrected. */
function storedParts(stored: readonly StoredRun[]): readonly MergePart[] {
  const names = partNames(
    stored.map(({ indexInUpload, upload, imported }) => ({
      indexInUpload,
      uploadName: upload.name,
      file: imported.context.file ?? null,
    })),
  )
  return stored.map(({ id, imported, startedAt }, at) => ({ name: names[at] ?? id, run: { ...imported, startedAt } }))
}

type UploadOfParts = Pick<UploadDetail, 'projectId' | 'name' | 'sentSha256' | 'keepSecrets' | 'draftRuns'>

/** A run of a file that becomes part of a merged run; `imported` as in the file. */
interface PartOfFile {
  readonly index: number
  readonly imported: ImportedRun
  readonly part: MergePart
}

/** The runs of a draft to merge, with the starts that its user corrected. Throws InvalidInputError, ConflictError. */
function draftParts(upload: UploadDetail, { edits, merge }: DraftMerge): readonly PartOfFile[] {
  if (upload.state === 'saved') throw new ConflictError('This upload is already saved.', 'Its runs are in the history.')
  const indices = [...new Set(merge)].sort((a, b) => a - b)
  const count = upload.draftRuns.length
  const missing = indices.find((index) => index >= count || edits[index]?.include === false)
  if (missing !== undefined) {
    const reason = missing < count ? 'is left out' : `does not exist: the draft has ${plural(count, 'run')}`
    throw new InvalidInputError(`Run ${missing} (counted from 0) ${reason}.`, { field: 'merge' })
  }
  const draftRuns = upload.draftRuns.map((run, index) => {
    const startedAt = edits[index]?.startedAt
    return startedAt === undefined ? run : { ...run, startedAt }
  })
  return namedParts({ ...upload, draftRuns }, indices)
}

function namedParts({ name: uploadName, draftRuns }: UploadOfParts, indices: readonly number[]): readonly PartOfFile[] {
  const runs = indices.flatMap((index) => (draftRuns[index] ? [{ index, imported: draftRuns[index] }] : []))
  const names = partNames(
    runs.map(({ index, imported }) => ({ indexInUpload: index, uploadName, file: imported.context.file ?? null })),
  )
  return runs.map((run, at) => ({ ...run, part: { name: names[at] ?? uploadName, run: run.imported } }))
}

async function mergeOf(
  { projectId, sentSha256, keepSecrets }: Omit<UploadOfParts, 'draftRuns'>,
  parts: readonly PartOfFile[],
  run: ImportedRun,
): Promise<MergeOfUpload> {
  const sources = parts.map(({ index }) => `run ${index + 1} of the upload with the SHA-256 ${sentSha256}`)
  const made = await storeDocument({ projectId, run, parts: parts.map(({ part }) => part), sources, keepSecrets })
  return { parts, ...made }
}

interface MergedDocument {
  readonly projectId: string
  readonly run: ImportedRun
  readonly parts: readonly MergePart[]
  /** Where the output of each part is. */
  readonly sources: readonly string[]
  readonly keepSecrets: boolean
}

/** Writes a merged run as a document of its own into the raw store; returns what to save of both. */
async function storeDocument({ projectId, run, parts, sources, keepSecrets }: MergedDocument) {
  const listed = parts.map(({ name, run: { requests } }, at) => ({ name, source: sources[at] ?? '', requests }))
  const { text, lines } = writeMergedDocument(run, listed, new Date().toISOString())
  const bytes = new TextEncoder().encode(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await store(bytes, sha256)
  return {
    imported: { ...run, context: { ...run.context, lines } },
    upload: {
      projectId,
      name: `${parts.length} runs merged, ${parts[0]?.name ?? ''} and others.md`,
      sizeBytes: bytes.byteLength,
      kind: mergedUploadKind,
      sentSha256: sha256,
      storedSha256: sha256,
      keepSecrets,
      file: {
        encoding: 'utf-8' as const,
        lineCount: text.split('\n').length - 1,
        runs: [],
        problems: [],
        cellNotes: [],
      },
    },
  }
}

/** Durably in the raw store; a sweep removes it if no upload comes to name it. */
async function store(bytes: Uint8Array, sha256: string): Promise<void> {
  const writer = await rawStore().create()
  try {
    await writer.write(bytes)
    await writer.sync()
    await writer.keep(sha256)
  } catch (failure) {
    await writer.discard()
    throw failure
  }
}
