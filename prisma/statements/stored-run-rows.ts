import { z } from 'zod'
import { isId } from '../rows/ids'
import { stringsSchema } from '../../lib/run/imported-run-schema'
import { Prisma } from '../generated/client'
import type { SummaryRecord } from '../rows/upload-rows'
import type { Db, Granted, SharedRuns } from './access'
import { rawRunRowSchema, rowColumnsSql } from './read-rows'

const uploadSchema: z.ZodType<SummaryRecord> = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  kind: z.string(),
  encoding: z.string().nullable(),
  lineCount: z.number().nullable(),
  sentSha256: z.string(),
  storedSha256: z.string(),
  state: z.enum(['draft', 'saved']),
  createdAt: z.coerce.date(),
  rawRemovedAt: z.coerce.date().nullable(),
  keepSecrets: z.boolean(),
})
const uploadSql = Prisma.sql`json_build_object(
  'id', u.id, 'projectId', u.project_id, 'name', u.name, 'sizeBytes', u.size_bytes, 'kind', u.kind,
  'encoding', u.encoding, 'lineCount', u.line_count, 'sentSha256', u.sent_sha256, 'storedSha256', u.stored_sha256,
  'state', u.state, 'createdAt', u.created_at, 'rawRemovedAt', u.raw_removed_at, 'keepSecrets', u.keep_secrets
)`

const rowsSchema = z.array(
  rawRunRowSchema.and(
    z.object({
      notes: z.string(),
      judgement: z.json().nullable(),
      edited: z.array(z.string()),
      /** Of the transaction that wrote the row. */
      version: z.string(),
      projectSlug: z.string(),
      /** That documents give its environment. */
      attributes: stringsSchema.nullable(),
      upload: uploadSchema,
    }),
  ),
)

/** A run with everything that its page shows, but for what was imported. */
export type StoredRunRow = z.infer<typeof rowsSchema>[number]

/** Runs that are not in the trash, of the project or of a share of it, in any order. */
export async function readStoredRuns(
  db: Db,
  { viewer, id: projectId }: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<readonly StoredRunRow[]> {
  const ids = runIds.filter((id) => isId(id) && (viewer.kind !== 'share' || viewer.runIds.includes(id)))
  if (ids.length === 0 || !isId(projectId)) return []
  return rowsSchema.parse(
    await db.$queryRaw`
      SELECT ${rowColumnsSql}, r.notes, r.judgement, r.edited, r.xmin::text AS version, project.slug AS "projectSlug",
        e.attributes, ${uploadSql} AS upload
      FROM run AS r JOIN project ON project.id = r.project_id AND project.deleted_at IS NULL
        JOIN upload AS u ON u.id = r.upload_id
        LEFT JOIN environment AS e ON e.project_id = r.project_id AND e.name = r.environment
      WHERE r.id = ANY(${ids}::text[]) AND r.project_id = ${projectId} AND r.deleted_at IS NULL`,
  )
}
