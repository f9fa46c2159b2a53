import { z } from 'zod'
import { InvalidInputError } from '../../lib/errors'
import type { UploadSummary } from '../../lib/stored'
import type { UploadContent } from '../../lib/upload-title'
import type { Viewer } from '../../lib/viewer'
import { database } from '../db'
import { requireProject } from '../rows/access'
import { isId } from '../rows/ids'

const mostAtOnce = 1_000

const contentsSchema = z.array(
  z.object({
    uploadId: z.string(),
    tool: z.string(),
    scenario: z.string(),
    variant: z.string().nullable(),
    hasMore: z.boolean(),
  }),
)

/**
 * What uploads of a project hold, by the first run of each; those without runs are left out. Takes at most 1,000.
 * Throws NotFoundError, InvalidInputError.
 */
export async function listUploadContents(
  viewer: Viewer,
  projectId: string,
  uploads: readonly Pick<UploadSummary, 'id'>[],
): Promise<readonly UploadContent[]> {
  const project = await requireProject(database(), viewer, projectId)
  if (uploads.length > mostAtOnce) throw new InvalidInputError(`More than ${mostAtOnce} uploads.`, { field: 'uploads' })
  const ids = uploads.map(({ id }) => id).filter(isId)
  if (ids.length === 0) return []
  return contentsSchema.parse(
    await database().$queryRaw`
      SELECT asked.id AS "uploadId", first.tool, first.scenario, first.variant,
        EXISTS (
          SELECT 1 FROM run WHERE run.upload_id = asked.id AND run.deleted_at IS NULL
            AND run.index_in_upload > first.index_in_upload
        ) AS "hasMore"
      FROM unnest(${ids}::text[]) AS asked(id), LATERAL (
        SELECT tool, scenario, variant, index_in_upload FROM run
        WHERE run.upload_id = asked.id AND run.project_id = ${project.id} AND run.deleted_at IS NULL
        ORDER BY index_in_upload LIMIT 1
      ) AS first`,
  )
}
