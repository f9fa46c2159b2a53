import type { ComponentProps } from 'react'
import { maxFilesInTable } from '@/components/upload/many-url'
import type { ManyView } from '@/components/upload/many/many-view'
import { NotFoundError } from '@/lib/errors'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { defaultMetric } from '@/lib/run/metrics'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listPasts, listUploadRuns } from '@/prisma/queries/runs/runs'
import { listKnownNames } from '@/prisma/queries/series/series'
import { findSavedUploadBySentSha256, getUpload } from '@/prisma/queries/uploads/uploads'

const maxRuns = 200

/** Uploads by their ids, in this order: the drafts, and the runs of those that are saved. Others are left out. */
export async function loadMany(
  granted: Granted<'read'>,
  uploadIds: readonly string[],
): Promise<Pick<ComponentProps<typeof ManyView>, 'drafts' | 'saved' | 'pasts' | 'known'>> {
  const uploads: UploadDetail[] = []
  for (const id of new Set(uploadIds.slice(0, maxFilesInTable))) uploads.push(...(await findUpload(granted, id)))
  const drafts = []
  const saved = []
  for (const upload of uploads) {
    if (upload.state === 'saved') saved.push(...(await listUploadRuns(granted, upload.id, maxRuns)))
    else
      drafts.push({
        upload,
        savedBefore: (await findSavedUploadBySentSha256(granted, upload.sentSha256))?.upload ?? null,
      })
  }
  const ids = saved.map(({ id }) => id)
  return { drafts, saved, pasts: await listPasts(granted, ids, defaultMetric), known: await listKnownNames(granted) }
}

const findUpload = (granted: Granted<'read'>, id: string): Promise<readonly UploadDetail[]> =>
  getUpload(granted, id).then(
    (upload) => [upload],
    (error: unknown) => {
      if (error instanceof NotFoundError) return []
      throw error
    },
  )
