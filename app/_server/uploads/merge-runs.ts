import { createHash } from 'node:crypto'
import { ConflictError } from '@/lib/errors'
import { mergedNames, partNames } from '@/lib/merge/merged-names'
import { mergedUploadKind, writeMergedDocument } from '@/lib/merge/merged-document'
import { mergeRuns, type MergeOutcome } from '@/lib/merge/merge-runs'
import type { RunRow, StoredRun } from '@/lib/run/stored'
import type { Viewer } from '@/lib/viewer'
import { saveMerge } from '@/prisma/queries/merge/merged-runs'
import { getRuns } from '@/prisma/queries/runs'
import { rawStore } from '../store/process-store'

/** What these runs would be as one, or why they cannot be. Throws NotFoundError. */
export async function planMerge(viewer: Viewer, projectId: string, runIds: readonly string[]): Promise<MergeOutcome> {
  return outcomeOf(await partsOf(viewer, projectId, runIds))
}

/** Makes one run of several generators of one test. Throws NotFoundError, ConflictError with the reason when it cannot. */
export async function mergeStoredRuns(viewer: Viewer, projectId: string, runIds: readonly string[]): Promise<RunRow> {
  const parts = await partsOf(viewer, projectId, runIds)
  const outcome = await outcomeOf(parts)
  if (outcome.kind === 'refused') throw new ConflictError(outcome.reason, outcome.hint)
  const names = namesOf(parts)
  const listed = parts.map(({ id, imported }, at) => ({ id, name: names[at] ?? id, requests: imported.requests }))
  const { text, lines } = writeMergedDocument(outcome.run, listed, new Date().toISOString())
  const imported = { ...outcome.run, context: { ...outcome.run.context, lines } }
  const bytes = new TextEncoder().encode(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const upload = {
    projectId,
    name: `${parts.length} runs merged, ${names[0] ?? ''} and others.md`,
    sizeBytes: bytes.byteLength,
    kind: mergedUploadKind,
    sentSha256: sha256,
    storedSha256: sha256,
    keepSecrets: parts.some((part) => part.upload.keepSecrets),
    file: { encoding: 'utf-8', lineCount: text.split('\n').length - 1, runs: [], problems: [], cellNotes: [] },
  }
  await store(bytes, sha256)
  return saveMerge(viewer, { projectId, parts, imported, names: mergedNames(parts), upload })
}

/** In the order in which they came, whatever order they were named in. */
async function partsOf(viewer: Viewer, projectId: string, runIds: readonly string[]): Promise<readonly StoredRun[]> {
  const found = await getRuns(viewer, projectId, runIds)
  const key = ({ uploadedAt, id }: StoredRun) => `${uploadedAt} ${id}`
  return found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Durably in the raw store; a sweep takes it when no upload comes to name it. */
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

/** By the starts that people may have corrected. */
function outcomeOf(parts: readonly StoredRun[]): Promise<MergeOutcome> {
  const names = namesOf(parts)
  return mergeRuns(
    parts.map(({ id, imported, startedAt }, at) => ({ name: names[at] ?? id, run: { ...imported, startedAt } })),
  )
}

const namesOf = (parts: readonly StoredRun[]) =>
  partNames(parts.map(({ uploadId, indexInUpload, upload }) => ({ uploadId, indexInUpload, uploadName: upload.name })))
