import { z } from 'zod'
import type { RunningApp } from '../server/app'

const pageSchema = z.object({
  rows: z.array(z.object({ id: z.string(), uploadId: z.string() })),
  nextCursor: z.string().nullable(),
})

/** The number of runs in each upload of a project that has any. */
export async function runsByUpload(app: RunningApp, slug: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const response: Response = await fetch(`${app.url}/api/v1/projects/${slug}/runs?limit=200${next}`)
    const page: z.infer<typeof pageSchema> = pageSchema.parse(await response.json())
    for (const { uploadId } of page.rows) counts.set(uploadId, (counts.get(uploadId) ?? 0) + 1)
    cursor = page.nextCursor
  }
  return counts
}
