import type { Db } from './access'

/** Deletes trashed runs with their histograms and parts. A re-import of their files will not bring them back. */
export async function destroyRuns(db: Db, runIds: readonly string[]): Promise<number> {
  if (runIds.length === 0) return 0
  const ids = [...runIds]
  await leaveOut(db, ids)
  return (await db.run.deleteMany({ where: { id: { in: ids }, deletedAt: { not: null } } })).count
}

/** Marks in the uploads of runs, and of their parts, that these are not to be imported again. */
async function leaveOut(db: Db, runIds: readonly string[]): Promise<void> {
  const parts = await db.run.findMany({ where: { mergedIntoId: { in: [...runIds] } }, select: { id: true } })
  const ids = [...runIds, ...parts.map(({ id }) => id)]
  await db.$executeRaw`
    UPDATE upload SET left_out = (SELECT array_agg(DISTINCT place ORDER BY place) FROM unnest(left_out || gone.places) AS place)
    FROM (SELECT upload_id, array_agg(index_in_upload) AS places FROM run WHERE id = ANY(${ids}::text[]) GROUP BY 1) AS gone
    WHERE upload.id = gone.upload_id`
}

/** Deletes trashed uploads with all their runs and notes. Their raw files go with the next sweep. */
export async function destroyUploads(db: Db, uploadIds: readonly string[]): Promise<number> {
  if (uploadIds.length === 0) return 0
  const ids = [...uploadIds]
  const runs = await db.run.findMany({ where: { uploadId: { in: ids } }, select: { id: true } })
  await leaveOut(
    db,
    runs.map(({ id }) => id),
  )
  await db.run.deleteMany({ where: { uploadId: { in: ids } } })
  return (await db.upload.deleteMany({ where: { id: { in: ids }, deletedAt: { not: null } } })).count
}
