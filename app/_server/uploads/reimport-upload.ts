import type { RunRow } from '@/lib/run/stored'
import type { Viewer } from '@/lib/viewer'
import { getUpload, replaceUploadRuns } from '@/prisma/queries/uploads'
import { maskedCode } from '@/lib/secrets'
import { readInWorker } from './read-in-worker'
import { maskedProblem } from './mask-upload'
import { rawStore } from './raw-store'
import { inUploadSlot } from './upload-slots'
import { requireRaw } from './require-raw'

/** Reads a saved upload's bytes again with today's importers. Its runs keep their ids, edits and links. */
export async function reimportUpload(viewer: Viewer, projectId: string, uploadId: string): Promise<readonly RunRow[]> {
  const upload = await getUpload(viewer, projectId, uploadId)
  await requireRaw(upload)
  const store = rawStore()
  const { storedSha256 } = upload
  // Packed files and raw results keep their bytes, secrets and all: what is read from them is masked.
  const { file, masked } = await inUploadSlot(() =>
    readInWorker(store.read(storedSha256), () => store.stored(storedSha256), {
      masks: !upload.keepSecrets,
      mapping: upload.mapping,
    }),
  )
  if (upload.keepSecrets) return replaceUploadRuns(viewer, { projectId, uploadId, file })
  // In the stored bytes of a text nothing is left to be found: what was said when it came still holds.
  const said =
    masked.length > 0 ? maskedProblem(masked, false) : upload.problems.filter(({ code }) => code === maskedCode)
  return replaceUploadRuns(viewer, { projectId, uploadId, file: { ...file, problems: [...file.problems, ...said] } })
}
