import { NotFoundError } from '@/lib/errors'
import { formatDay } from '@/lib/format'
import type { UploadSummary } from '@/lib/history/stored-uploads'
import { rawStore } from '../store/process-store'

/** Whether an upload's raw file can be read: it was not released, and the store has it. */
export async function hasRaw({ rawRemovedAt, storedSha256 }: UploadSummary): Promise<boolean> {
  return rawRemovedAt === null && (await rawStore().has(storedSha256))
}

/** Throws NotFoundError when the upload's raw file was released, or the store lost it. */
export async function requireRaw(upload: UploadSummary): Promise<void> {
  const { rawRemovedAt } = upload
  if (rawRemovedAt !== null) {
    const hint = `It was removed on ${formatDay(rawRemovedAt)} by the project’s retention.`
    throw new NotFoundError('The raw file', hint)
  }
  if (!(await hasRaw(upload)))
    throw new NotFoundError(
      'The raw file',
      'It is missing from the store: restore the raw files together with the database.',
    )
}
