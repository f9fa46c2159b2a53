import { z } from 'zod'
import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import type { UploadContent } from '../../../lib/project/upload-title'
import type { UploadSummary } from '../../../lib/history/stored-uploads'
import { database } from '../../db'
import type { Prisma } from '../../generated/client'
import { isId } from '../../rows/ids'
import { toUploadSummary, uploadSummarySelect } from '../../rows/upload-rows'
import type { Granted } from '../../statements/access'

const maxAtOnce = 1_000

const contentsSchema = z.array(
  z.object({
    uploadId: z.string(),
    tool: z.string(),
    scenario: z.string(),
    variant: z.string().nullable(),
    runCount: z.number(),
    orderedAt: z.date().transform((at) => at.toISOString()),
    commit: z.string().nullable(),
    subject: z.string().nullable(),
  }),
)

/** Some uploads of a project, newest first. */
export interface UploadPage {
  readonly uploads: readonly UploadSummary[]
  /** `before` of the next page, with older uploads; null: these are the oldest. */
  readonly nextBefore: string | null
}

/**
 * The saved uploads of a project, newest first; with `before`, those before that upload, deleted or not. At most
 * `limit`, up to 1,000. Throws NotFoundError for `before`.
 */
export async function listUploads(
  project: Granted<'read'>,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<UploadPage> {
  const older = before === undefined ? {} : await olderThan(project.id, before)
  const found = await database().upload.findMany({
    where: { projectId: project.id, state: 'saved', deletedAt: null, ...older },
    select: uploadSummarySelect,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: Math.min(limit, maxAtOnce) + 1,
  })
  const uploads = found.slice(0, Math.min(limit, maxAtOnce)).map(toUploadSummary)
  return { uploads, nextBefore: found.length > uploads.length ? (uploads.at(-1)?.id ?? null) : null }
}

async function olderThan(projectId: string, uploadId: string): Promise<Prisma.UploadWhereInput> {
  const select = { createdAt: true, id: true }
  const from = isId(uploadId) ? await database().upload.findFirst({ where: { id: uploadId, projectId }, select }) : null
  if (from === null) throw new NotFoundError('Upload')
  const { createdAt, id } = from
  // The first condition lets the query walk an index.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] }
}

/**
 * The contents of a project's uploads, by the first run of each; those without runs are left out. Takes at most 1,000.
 * Throws InvalidInputError.
 */
export async function listUploadContents(
  project: Granted<'read'>,
  uploads: readonly Pick<UploadSummary, 'id'>[],
): Promise<readonly UploadContent[]> {
  if (uploads.length > maxAtOnce) throw new InvalidInputError(`More than ${maxAtOnce} uploads.`, { field: 'uploads' })
  const ids = uploads.map(({ id }) => id).filter(isId)
  if (ids.length === 0) return []
  return contentsSchema.parse(
    await database().$queryRaw`
      SELECT asked.id AS "uploadId", first.tool, first.scenario, first.variant,
        first.ordered_at AS "orderedAt", first.labels ->> 'commit' AS commit, first.labels ->> 'subject' AS subject,
        (SELECT count(*) FROM run WHERE run.upload_id = asked.id AND run.deleted_at IS NULL)::int AS "runCount"
      FROM unnest(${ids}::text[]) AS asked(id), LATERAL (
        SELECT tool, scenario, variant, ordered_at, labels FROM run
        WHERE run.upload_id = asked.id AND run.project_id = ${project.id} AND run.deleted_at IS NULL
        ORDER BY index_in_upload LIMIT 1
      ) AS first`,
  )
}
