import { importFile } from '@/importers/index'
import type { RunRow } from '@/lib/stored'
import type { Viewer } from '@/lib/viewer'
import { getUpload, replaceUploadRuns } from '@/prisma/queries/uploads'
import { rawStore } from './raw-store'

/** Reads a saved upload's bytes again with today's importers. Its runs keep their ids, edits and links. */
export async function reimportUpload(viewer: Viewer, projectId: string, uploadId: string): Promise<readonly RunRow[]> {
  const upload = await getUpload(viewer, projectId, uploadId)
  const file = await importFile(rawStore().read(upload.storedSha256), { name: upload.name })
  return replaceUploadRuns(viewer, { projectId, uploadId, file })
}
