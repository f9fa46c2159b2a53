import { NotFoundError } from '@/lib/errors'
import type { UploadSummary } from '@/lib/stored'

/** Throws NotFoundError when the upload's raw file was given up. */
export function requireRaw({ rawRemovedAt }: UploadSummary): void {
  if (rawRemovedAt === null) return
  const hint = `It was removed on ${rawRemovedAt.slice(0, 10)}: this project keeps raw files for a time only.`
  throw new NotFoundError('The raw file', hint)
}
