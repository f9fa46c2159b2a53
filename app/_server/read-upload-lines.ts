import { cleanText, readLines } from '@/importers/lines'
import type { Viewer } from '@/lib/viewer'
import { getUpload } from '@/prisma/queries/uploads'
import { rawStore } from './raw-store'

export interface UploadLine {
  /** 1-based. */
  readonly number: number
  /** As decoded, without carriage return and terminal escape codes. */
  readonly text: string
}

const LINE_LIMIT = 5_000

/** Lines `first`…`last` (1-based, inclusive, at most 5,000) of a stored upload. Throws NotFoundError. */
export async function readUploadLines(
  viewer: Viewer,
  projectId: string,
  uploadId: string,
  first: number,
  last: number,
): Promise<readonly UploadLine[]> {
  const upload = await getUpload(viewer, projectId, uploadId)
  const lines: UploadLine[] = []
  const end = Math.min(last, first + LINE_LIMIT - 1)
  for await (const line of readLines(rawStore().read(upload.storedSha256))) {
    if (line.number > end) break
    if (line.number >= first) lines.push({ number: line.number, text: cleanText(line.raw) })
  }
  return lines
}
