import { ConflictError, type ImportError } from '@/lib/errors'
import type { ImportProblem, UtcIso } from '@/lib/run/run'
import type { RunRow } from '@/lib/history/stored-runs'
import type { UploadDetail, UploadSummary } from '@/lib/history/stored-uploads'
import { uploadKind } from '@/lib/run/tools'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { getUploadMapping } from '@/prisma/queries/uploads/sample-mappings'
import { endFailedImports, followFailedImport } from '@/prisma/queries/alerts/project-events'
import {
  createDraft,
  discardDraft,
  findSavedUploadBySentSha256,
  saveImport,
  type DraftInput,
} from '@/prisma/queries/uploads/uploads'
import { meters } from '../observe/meters'
import { mergeAll } from './merge-runs'
import { endedBy, receiveUpload, type BodyClaims } from './receive-upload'
import { trackUpload, type UploadTrack } from './upload-progress'

/** An arm of a round of an experiment. */
export interface UploadPlace {
  readonly experiment: string
  readonly arm: string
  readonly round: number
}

export interface UploadRequest {
  readonly project: Granted<'upload'>
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly scenario?: string | undefined
  readonly variant?: string | undefined
  readonly environment?: string | undefined
  /** Start of the runs whose text does not give one. */
  readonly startedAt?: UtcIso | undefined
  /** The same bytes make new runs again. */
  readonly again: boolean
  readonly draft: boolean
  /** All runs are merged, or none is saved. Absent: each is saved. */
  readonly merge?: boolean | undefined
  /** Secrets in the bytes are stored as they are; else they are masked. */
  readonly keepSecrets: boolean
  /** Answer with a verdict for a build. */
  readonly gate: boolean
  /**
   * Whether the runs are judged against their series without joining it, as for a pull request. Absent: the project's
   * rule decides.
   */
  readonly candidate?: boolean | undefined
  /** The series of the runs are controls from now on: their code never changes, they measure the environment. */
  readonly control?: boolean | undefined
  /** The arm of a round of an experiment that its run is. Absent: none. */
  readonly place?: UploadPlace | undefined
  /** The project's mapping by which samples are read; absent: an importer recognises the file. */
  readonly mappingName?: string | undefined
  /** A repeated request with the same key and body gets the response of the first one. */
  readonly idempotencyKey?: string | undefined
  /** Id under which the sender polls the progress, and cancels. */
  readonly progressId?: string | null
}

export type UploadOutcome =
  | { readonly kind: 'draft'; readonly upload: UploadDetail; readonly savedBefore: SavedBefore | null }
  | { readonly kind: 'saved'; readonly upload: UploadSummary; readonly runs: readonly RunRow[] }
  | {
      readonly kind: 'duplicate'
      readonly upload: UploadSummary
      readonly runs: readonly RunRow[]
      readonly labelsDiffer: boolean
      /** They should have been candidates but are runs of their series, or the other way round. */
      readonly candidateDiffers: boolean
    }
  /** Nothing could be read; the bytes are stored as a draft that shows why. */
  | { readonly kind: 'unreadable'; readonly upload: UploadDetail; readonly error: ImportError }
  /** Its runs cannot be merged as its sender wants; they are a draft. */
  | { readonly kind: 'unmerged'; readonly upload: UploadDetail; readonly error: ConflictError }

interface SavedBefore {
  readonly upload: UploadSummary
  readonly runs: readonly RunRow[]
}

/**
 * Receives a body, reads it and saves it: as a draft for the preview, or at once. Nothing is half-saved. `signal`: the
 * sender went away; then nothing is stored, unless the runs were saved already.
 */
export async function importUpload(
  request: UploadRequest,
  body: AsyncIterable<Uint8Array> | null,
  claims: BodyClaims,
  signal: AbortSignal | null = null,
): Promise<UploadOutcome> {
  const track = await trackUpload(request.project, request.progressId ?? null)
  try {
    const outcome = await importTracked(request, body, claims, signal, track)
    // The bytes of a duplicate are stored already.
    const end = outcome.kind === 'unmerged' ? 'draft' : outcome.kind
    meters()?.upload(end, outcome.kind === 'duplicate' ? 0 : outcome.upload.sizeBytes)
    return outcome
  } catch (error) {
    meters()?.upload('refused', 0)
    throw error
  } finally {
    track.end()
  }
}

async function importTracked(
  request: UploadRequest,
  body: AsyncIterable<Uint8Array> | null,
  claims: BodyClaims,
  signal: AbortSignal | null,
  track: UploadTrack,
): Promise<UploadOutcome> {
  const { project, name, keepSecrets, scenario, variant, environment, startedAt, candidate } = request
  const { mappingName } = request
  const mapping = mappingName === undefined ? undefined : await getUploadMapping(project, mappingName)
  // A draft may be discarded: the background counts the rows of those that are saved.
  const counts = !request.draft
  const received = await receiveUpload(body, claims, { name, signal, keepSecrets, mapping, counts, track })
  const input = {
    projectId: project.id,
    name: request.name,
    sizeBytes: received.sizeBytes,
    kind: uploadKind(received.file.encoding, received.file.runs),
    sentSha256: received.sentSha256,
    storedSha256: received.sha256,
    file: received.file,
    keepSecrets: request.keepSecrets,
    labels: request.labels,
    names: { scenario, variant, environment, startedAt, candidate, mapping },
  }
  if (received.error !== null) {
    const upload = await storeDraft(project, input, signal, track)
    return request.draft
      ? { kind: 'draft', upload, savedBefore: null }
      : { kind: 'unreadable', upload, error: received.error }
  }
  // An upload saved at once is checked for duplicates when it is saved.
  const asksBefore = !request.again && (request.draft || request.merge === true)
  const before = asksBefore ? await findSavedUploadBySentSha256(await readAgain(project), received.sentSha256) : null
  if (request.draft)
    return { kind: 'draft', upload: await storeDraft(project, input, signal, track), savedBefore: before }
  if (before) return duplicateOf(before, request)

  const merging = request.merge ? await mergeAll(input, received.file.runs, startedAt) : null
  if (merging?.kind === 'refused') {
    const error = new ConflictError(merging.reason, merging.hint)
    return { kind: 'unmerged', upload: await storeDraft(project, input, signal, track), error }
  }
  if (track.signal.aborted) throw endedBy(track)
  const saved = await saveImport(project.viewer, {
    ...input,
    cubes: received.cubes,
    merge: merging?.merge,
    again: request.again,
    control: request.control,
    idempotencyKey: request.idempotencyKey,
  })
  if (saved.duplicate) return duplicateOf(saved, request)
  await followImport(project, saved.upload, received.file.problems)
  return { kind: 'saved', upload: saved.upload, runs: saved.runs }
}

/** The right may have been lost while the body arrived slowly. */
const readAgain = ({ viewer, id }: Granted<'upload'>): Promise<Granted<'read'>> => grant(viewer, { id }, 'read')

/** Reports to the rules of a project how an upload ended: whole, or with something that could not be read. */
async function followImport(
  project: Granted<'upload'>,
  { id, name }: UploadSummary,
  problems: readonly ImportProblem[],
): Promise<void> {
  const worst = problems.find((problem) => problem.severity === 'error')
  const now = new Date()
  if (worst === undefined) await endFailedImports(project, now)
  else await followFailedImport(project, { id, name, message: worst.message }, now)
}

/** Discards a draft whose sender has disconnected. */
async function storeDraft(
  project: Granted<'upload'>,
  input: DraftInput,
  signal: AbortSignal | null,
  track: UploadTrack,
): Promise<UploadDetail> {
  const upload = await createDraft(project.viewer, input)
  // From here on, a cancel gets the draft: no step comes between.
  if (signal?.aborted !== true && !track.signal.aborted && (await track.stored(upload.id))) return upload
  await discardDraft(project, upload.id)
  throw endedBy(track)
}

function duplicateOf(before: SavedBefore, request: UploadRequest): UploadOutcome {
  const labelsDiffer = before.runs.some((run) =>
    Object.entries(request.labels).some(([key, value]) => run.labels[key] !== value),
  )
  const wanted = request.candidate
  const candidateDiffers = wanted !== undefined && before.runs.some(({ candidate }) => candidate !== wanted)
  return { kind: 'duplicate', upload: before.upload, runs: before.runs, labelsDiffer, candidateDiffers }
}
