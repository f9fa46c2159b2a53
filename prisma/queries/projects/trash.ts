import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import { maxInBulk, type BulkEdits, type Trash } from '../../../lib/project/stored-trash'
import { stringsSchema } from '../../../lib/run/imported-run-schema'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import { runRowSelect, toRunRow } from '../../rows/run-rows'
import { toUploadSummary, uploadSummarySelect } from '../../rows/upload-rows'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { destroyRuns, destroyUploads } from '../../statements/destroy'
import { takeRun, writeEdits } from '../../statements/edit-run'

const maxShown = 200

/** What was deleted in a project and can be restored. Runs of a deleted upload are not listed separately. */
export async function listTrash(project: Granted<'read'>): Promise<Trash> {
  const page = { orderBy: [{ deletedAt: 'desc' as const }, { id: 'desc' as const }], take: maxShown + 1 }
  const runs = await database().run.findMany({
    where: {
      projectId: project.id,
      deletedAt: { not: null },
      deletedBy: { in: ['run', 'retention'] },
      upload: { deletedAt: null },
    },
    select: { ...runRowSelect, deletedAt: true, deletedBy: true },
    ...page,
  })
  const uploads = await database().upload.findMany({
    where: { projectId: project.id, deletedAt: { not: null }, state: 'saved' },
    select: {
      ...uploadSummarySelect,
      deletedAt: true,
      _count: { select: { runs: { where: { deletedBy: 'upload' } } } },
    },
    ...page,
  })
  return {
    runs: runs.slice(0, maxShown).map(({ deletedAt, deletedBy, ...run }) => ({
      ...toRunRow(run),
      deletedAt: (deletedAt ?? new Date(0)).toISOString(),
      deletedBy: deletedBy === 'retention' ? 'retention' : 'run',
    })),
    uploads: uploads.slice(0, maxShown).map(({ deletedAt, _count, ...upload }) => ({
      ...toUploadSummary(upload),
      deletedAt: (deletedAt ?? new Date(0)).toISOString(),
      runCount: _count.runs,
    })),
    more: runs.length > maxShown || uploads.length > maxShown,
  }
}

/** Changes runs together: all or none. Throws NotFoundError, InvalidInputError. */
export async function updateRuns(
  project: Granted<'edit'>,
  runIds: readonly string[],
  { addLabels = {}, removeLabels = [], ...names }: BulkEdits,
): Promise<void> {
  await database().$transaction(async (tx) => {
    for (const runId of checkedIds(runIds)) {
      const run = await takeRun(tx, project, runId)
      const remaining = Object.entries(stringsSchema.parse(run.labels)).filter(([key]) => !removeLabels.includes(key))
      await writeEdits(tx, run, { ...names, labels: { ...Object.fromEntries(remaining), ...addLabels } })
    }
  })
}

/** Trashes runs together: all or none. Throws NotFoundError. */
export async function deleteRuns(granted: Granted<'edit'>, runIds: readonly string[]): Promise<void> {
  const ids = checkedIds(runIds)
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    await tx.$executeRaw`SELECT 1 FROM run WHERE id = ANY(${ids}::text[]) AND project_id = ${project.id} ORDER BY id FOR UPDATE`
    const { count } = await tx.run.updateMany({
      where: { id: { in: ids }, projectId: project.id, deletedAt: null },
      data: { deletedAt: new Date(), deletedBy: 'run' },
    })
    if (count < ids.length) throw new NotFoundError('Run')
  })
}

/** A selection of the trash. */
export interface TrashChoice {
  readonly runIds: readonly string[]
  readonly uploadIds: readonly string[]
}

/** Restores runs, and uploads with the runs that were trashed with them: all or none. Throws NotFoundError. */
export async function restoreFromTrash(project: Granted<'edit'>, choice: TrashChoice): Promise<void> {
  await database().$transaction(async (tx) => {
    const { id, runIds, uploadIds } = await takeTrash(tx, project, choice, 'edit')
    const back = { deletedAt: null, deletedBy: null }
    await tx.upload.updateMany({ where: { id: { in: uploadIds }, projectId: id }, data: { deletedAt: null } })
    await tx.run.updateMany({ where: { uploadId: { in: uploadIds }, deletedBy: 'upload' }, data: back })
    await tx.run.updateMany({ where: { id: { in: runIds } }, data: back })
  })
}

/**
 * Permanently deletes runs, and uploads with all their runs: all or none. They must be in the trash. Throws
 * NotFoundError.
 */
export async function destroyTrash(project: Granted<'administer'>, choice: TrashChoice): Promise<void> {
  await database().$transaction(async (tx) => {
    const { runIds, uploadIds } = await takeTrash(tx, project, choice, 'administer')
    await destroyRuns(tx, runIds)
    await destroyUploads(tx, uploadIds)
  })
}

/** The ids of a choice if all of it is in the project's trash, locked; leaves out runs whose upload is there, too. */
async function takeTrash(tx: Db, granted: Granted<'edit'>, choice: TrashChoice, need: 'edit' | 'administer') {
  const runIds = checkedIds(choice.runIds)
  const uploadIds = checkedIds(choice.uploadIds)
  const { id } = await requireProject(tx, granted.viewer, granted.id, need)
  await tx.$executeRaw`SELECT 1 FROM upload WHERE id = ANY(${uploadIds}::text[]) AND project_id = ${id} ORDER BY id FOR UPDATE`
  await tx.$executeRaw`SELECT 1 FROM run WHERE id = ANY(${runIds}::text[]) AND project_id = ${id} ORDER BY id FOR UPDATE`
  const trashed = { projectId: id, deletedAt: { not: null } }
  const runs = await tx.run.count({
    where: { ...trashed, id: { in: runIds }, deletedBy: { in: ['run', 'retention'] }, upload: { deletedAt: null } },
  })
  const uploads = await tx.upload.count({ where: { ...trashed, id: { in: uploadIds }, state: 'saved' } })
  if (runs < runIds.length) throw new NotFoundError('Run in the trash')
  if (uploads < uploadIds.length) throw new NotFoundError('Upload in the trash')
  return { id, runIds, uploadIds }
}

/** Each once, sorted, so that two changes of the same runs wait for each other. */
function checkedIds(ids: readonly string[]): string[] {
  const each = [...new Set(ids)].sort()
  if (each.length > maxInBulk)
    throw new InvalidInputError(`At most ${maxInBulk} can be changed at once.`, { field: 'runs' })
  if (!each.every(isId)) throw new NotFoundError('Run')
  return each
}
