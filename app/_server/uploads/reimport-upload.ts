import type { NamedMapping } from '@/lib/run/column-mapping'
import type { ImportedFile } from '@/lib/run/run'
import type { RunRow } from '@/lib/history/stored-runs'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { ConflictError } from '@/lib/errors'
import { maskedCode } from '@/lib/secrets'
import { getMapping } from '@/prisma/queries/uploads/sample-mappings'
import type { EncodedCubes } from '@/prisma/statements/save-cubes'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getUpload, replaceDraftRuns, replaceUploadRuns } from '@/prisma/queries/uploads/uploads'
import { readInWorker } from './read-in-worker'
import { maskedProblem } from './mask-upload'
import { rawStore } from '../store/process-store'
import { requireRaw } from './require-raw'

/** Reads a saved upload's bytes again with today's importers. Its runs keep their ids, edits and links. */
export async function reimportUpload(project: Granted<'edit'>, uploadId: string): Promise<readonly RunRow[]> {
  const upload = await getUpload(project, uploadId)
  return replaceUploadRuns(project, { uploadId, ...(await readStored(upload, upload.mapping, true)) })
}

/**
 * Reads a draft's bytes again as samples, by one of its project's mappings, in place of what was found before. Throws
 * NotFoundError for either, ConflictError for a saved upload, and ImportError when the mapping does not fit: the draft
 * stays as it was.
 */
export async function mapDraft(project: Granted<'edit'>, uploadId: string, mappingName: string): Promise<UploadDetail> {
  const upload = await getUpload(project, uploadId)
  if (upload.state === 'saved')
    throw new ConflictError('This upload is already saved.', 'Upload the file again with ?mapping=NAME.')
  const { name, mapping } = await getMapping(project, mappingName)
  const { file } = await readStored(upload, { name, mapping }, false)
  return replaceDraftRuns(project, { uploadId, file, mapping: { name, mapping } })
}

/** What today's importers find in stored bytes. Throws ImportError, NotFoundError when the bytes were deleted. */
async function readStored(
  upload: UploadDetail,
  mapping: NamedMapping | null,
  counts: boolean,
): Promise<{ readonly file: ImportedFile; readonly cubes: EncodedCubes }> {
  await requireRaw(upload)
  const store = rawStore()
  const { storedSha256 } = upload
  // Packed files and raw results keep their bytes, secrets and all: what is read from them is masked.
  const { file, cubes, masked } = await readInWorker(store.read(storedSha256), () => store.stored(storedSha256), {
    masks: !upload.keepSecrets,
    ...{ mapping, counts },
  })
  if (upload.keepSecrets) return { file, cubes }
  // A stored text has no secrets left to find: the note from its arrival still holds.
  const said =
    masked.length > 0 ? maskedProblem(masked, false) : upload.problems.filter(({ code }) => code === maskedCode)
  return { file: { ...file, problems: [...file.problems, ...said] }, cubes }
}
