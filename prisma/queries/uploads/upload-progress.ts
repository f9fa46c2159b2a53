import { z } from 'zod'
import { database } from '../../db'
import type { Granted } from '../../statements/access'

/** Progress of an upload. Bytes are those sent, packed or not. */
export interface UploadProgress {
  readonly receivedBytes: number
  /** Bytes that importers have read so far. A zip is read from its end, once all of it is there: 0 until then. */
  readonly readBytes: number
  /** Everything is read; the result is being stored. */
  readonly isStoring: boolean
}

const cancelledSchema = z.array(z.object({ isCancelled: z.boolean() })).length(1)
const draftSchema = z.array(z.object({ uploadId: z.string().nullable() })).length(1)
const progressSchema = z.array(z.object({ receivedBytes: z.number(), readBytes: z.number(), isStoring: z.boolean() }))

/**
 * For the sender's UUID of an upload: reports to all instances how far an upload is, and which draft it made (null:
 * none yet). Returns whether it was cancelled before, including before it began; of a draft and a cancel, the later one
 * sees the earlier.
 */
export async function reportProgress(
  project: Granted<'upload'>,
  id: string,
  { receivedBytes, readBytes, isStoring, uploadId }: UploadProgress & { readonly uploadId: string | null },
): Promise<boolean> {
  const [row] = cancelledSchema.parse(
    await database().$queryRaw`
      INSERT INTO upload_progress AS own
        (project_id, id, received_bytes, read_bytes, is_storing, is_cancelled, upload_id, reported_at)
      VALUES (${project.id}, ${id}::uuid, ${receivedBytes}, ${readBytes}, ${isStoring}, false, ${uploadId}, now())
      ON CONFLICT (project_id, id) DO UPDATE SET received_bytes = excluded.received_bytes,
        read_bytes = excluded.read_bytes, is_storing = excluded.is_storing, reported_at = now(),
        upload_id = CASE WHEN own.is_cancelled THEN own.upload_id ELSE coalesce(excluded.upload_id, own.upload_id) END
      RETURNING is_cancelled AS "isCancelled"`,
  )
  return row?.isCancelled === true
}

/** Progress reported of an upload within the last minute; null: none. */
export async function findReportedProgress(project: Granted<'read'>, id: string): Promise<UploadProgress | null> {
  const [row] = progressSchema.parse(
    await database().$queryRaw`
      SELECT received_bytes::float8 AS "receivedBytes", read_bytes::float8 AS "readBytes", is_storing AS "isStoring"
      FROM upload_progress WHERE project_id = ${project.id} AND id = ${id}::uuid AND NOT is_cancelled
        AND reported_at > now() - interval '1 minute'`,
  )
  return row ?? null
}

/**
 * Cancels an upload wherever it is received, even one that is about to come. Returns the draft that it already made;
 * null: none.
 */
export async function cancelReported(project: Granted<'upload'>, id: string): Promise<string | null> {
  const [row] = draftSchema.parse(
    await database().$queryRaw`
      INSERT INTO upload_progress AS own
        (project_id, id, received_bytes, read_bytes, is_storing, is_cancelled, upload_id, reported_at)
      VALUES (${project.id}, ${id}::uuid, 0, 0, false, true, NULL, now())
      ON CONFLICT (project_id, id) DO UPDATE SET is_cancelled = true, reported_at = now()
      RETURNING upload_id AS "uploadId"`,
  )
  return row?.uploadId ?? null
}
