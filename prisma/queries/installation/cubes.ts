import { cubeVersion } from '../../../lib/cube/cube'
import type { NamedMapping } from '../../../lib/run/column-mapping'
import { mayHaveRows } from '../../../lib/cube/row-forms'
import { database } from '../../db'
import { givenSchema } from '../../rows/json-columns'
import { saveCubes, type EncodedCubes } from '../../statements/save-cubes'

// Work of the whole installation: called by the server itself, not for a viewer.

/** An upload whose runs' rows wait to be counted. */
export interface DueCubes {
  readonly uploadId: string
  readonly storedSha256: string
  readonly keepSecrets: boolean
  readonly mapping: NamedMapping | null
  /** Retention removed its raw file: they will never be counted. */
  readonly isRemoved: boolean
}

/** Lets the uploads of all cubes that another version counted wait. */
export async function enqueueOldCubes(): Promise<void> {
  await database().$executeRaw`
    INSERT INTO cube_due (upload_id, due_at)
    SELECT DISTINCT upload.id, upload.created_at FROM run_cube JOIN run ON run.id = run_cube.run_id
      JOIN upload ON upload.id = run.upload_id
    WHERE (run_cube.version < ${cubeVersion} OR run_cube.version > ${cubeVersion}) AND upload.raw_removed_at IS NULL
    ON CONFLICT (upload_id) DO NOTHING`
}

/** The upload that waits and came last; null: none waits. */
export async function findDueCubes(): Promise<DueCubes | null> {
  const due = await database().cubeDue.findFirst({ orderBy: [{ dueAt: 'desc' }, { uploadId: 'desc' }] })
  if (due === null) return null
  const { uploadId } = due
  const select = { storedSha256: true, keepSecrets: true, given: true, rawRemovedAt: true }
  const upload = await database().upload.findUnique({ where: { id: uploadId }, select })
  if (upload === null) return null
  const { storedSha256, keepSecrets, given, rawRemovedAt } = upload
  const mapping = givenSchema.parse(given).mapping ?? null
  return { ...{ uploadId, storedSha256, keepSecrets, mapping }, isRemoved: rawRemovedAt !== null }
}

/** Lets all others that wait come before this upload. */
export async function postponeDueCubes(uploadId: string): Promise<void> {
  await database().$executeRaw`
    UPDATE cube_due SET due_at = (SELECT min(due_at) FROM cube_due) - interval '1 ms' WHERE upload_id = ${uploadId}`
}

/** Stores what was counted, also for runs that were moved to other projects; null: it cannot be read. */
export async function saveDueCubes(uploadId: string, cubes: EncodedCubes | null): Promise<void> {
  await database().$transaction(async (tx) => {
    // Another instance may have counted the same: it waits here, and finds that nothing is due.
    if ((await tx.cubeDue.deleteMany({ where: { uploadId } })).count === 0) return
    const found = await tx.run.findMany({
      where: { OR: [{ uploadId }, { upload: { originId: uploadId } }] },
      select: { id: true, indexInUpload: true, form: true },
    })
    const runs = found
      .filter(({ form }) => mayHaveRows(form))
      .map(({ id, indexInUpload }) => ({ id, index: indexInUpload }))
    await saveCubes(tx, runs, cubes ?? [])
  })
}
