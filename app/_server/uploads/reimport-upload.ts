import type { RunRow } from '@/lib/run/stored'
import type { Viewer } from '@/lib/viewer'
import { getUpload, replaceUploadRuns } from '@/prisma/queries/uploads'
import { maskedCode } from '@/lib/secrets'
import { maskedProblem, maskFile } from './mask-upload'
import { rawStore } from './raw-store'
import { requireRaw } from './require-raw'
import { readUpload } from './read-upload'

/** Reads a saved upload's bytes again with today's importers. Its runs keep their ids, edits and links. */
export async function reimportUpload(viewer: Viewer, projectId: string, uploadId: string): Promise<readonly RunRow[]> {
  const upload = await getUpload(viewer, projectId, uploadId)
  await requireRaw(upload)
  const store = rawStore()
  const { storedSha256 } = upload
  const file = await readUpload(store.read(storedSha256), () => store.stored(storedSha256))
  if (upload.keepSecrets) return replaceUploadRuns(viewer, { projectId, uploadId, file })
  // Packed files and raw results keep their bytes, secrets and all: what is read from them is masked.
  const found: string[] = []
  maskFile(file, found)
  // In the stored bytes of a text nothing is left to be found: what was said when it came still holds.
  const said =
    found.length > 0 ? maskedProblem(found, false) : upload.problems.filter(({ code }) => code === maskedCode)
  return replaceUploadRuns(viewer, { projectId, uploadId, file: { ...file, problems: [...file.problems, ...said] } })
}
