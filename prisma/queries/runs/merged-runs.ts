import { ConflictError, NotFoundError } from '../../../lib/errors'
import type { MergedNames } from '../../../lib/merge/merged-names'
import type { RunPart, RunRow, StoredRun } from '../../../lib/history/stored-runs'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import { runRowSelect, toRunRow } from '../../rows/run-rows'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { takeRun } from '../../statements/edit-run'
import { replaceByOne, type RunMadeOfParts } from '../../statements/merge-saved'

/** Runs to merge, and the run that they become. */
export interface RunsToMerge extends RunMadeOfParts {
  /** As they were when the figures of `imported` were computed. */
  readonly parts: readonly StoredRun[]
  readonly names: MergedNames
}

/**
 * Saves a merged run; its parts leave lists, series and trash until it is split. Throws NotFoundError, and
 * ConflictError when one of the parts changed meanwhile.
 */
export async function saveMerge(
  granted: Granted<'edit'>,
  { parts, imported, names, upload }: RunsToMerge,
): Promise<RunRow> {
  const ids = parts.map(({ id }) => id).sort()
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    if (!ids.every(isId)) throw new NotFoundError('Run')
    await lock(tx, project.id, ids)
    const where = { id: { in: ids }, projectId: project.id, deletedAt: null }
    const found = await tx.run.findMany({ where, select: runRowSelect })
    const figuresOf = new Map(found.map((record) => [record.id, JSON.stringify(toRunRow(record).figures)]))
    if (figuresOf.size < new Set(ids).size) throw new NotFoundError('Run')
    if (parts.some(({ id, figures }) => figuresOf.get(id) !== JSON.stringify(figures)))
      throw new ConflictError('One of the runs changed meanwhile.', 'Merge them again.')
    return toRunRow({ ...(await replaceByOne(tx, ids, names, { imported, upload })), project })
  })
}

/** Uploads first, in the order that re-imports and the trash use. */
async function lock(tx: Db, projectId: string, ids: readonly string[]): Promise<void> {
  const all = [...ids]
  await tx.$executeRaw`
    SELECT 1 FROM upload WHERE id IN (SELECT upload_id FROM run WHERE id = ANY(${all}::text[]) AND project_id = ${projectId})
    ORDER BY id FOR UPDATE`
  await tx.$executeRaw`SELECT 1 FROM run WHERE id = ANY(${all}::text[]) AND project_id = ${projectId} ORDER BY id FOR UPDATE`
}

/**
 * Splits a merged run: its parts are back where they were, and it is deleted with its document. Returns their ids.
 * Throws NotFoundError, ConflictError for a run that was not merged.
 */
export async function splitRun(project: Granted<'edit'>, runId: string): Promise<readonly string[]> {
  return database().$transaction(async (tx) => {
    const run = await takeRun(tx, project, runId)
    const parts = await tx.run.findMany({
      where: { mergedIntoId: run.id },
      orderBy: { id: 'asc' },
      select: { id: true },
    })
    if (parts.length === 0)
      throw new ConflictError('This run was not merged from others.', 'There is nothing to split.')
    const data = { deletedAt: null, deletedBy: null, mergedIntoId: null }
    await tx.run.updateMany({ where: { mergedIntoId: run.id }, data })
    await tx.run.delete({ where: { id: run.id } })
    await tx.upload.deleteMany({ where: { id: run.uploadId, runs: { none: {} } } })
    return parts.map(({ id }) => id)
  })
}

/** The parts of a merged run, in the order of their uploads; empty: it was not merged. */
export async function listParts(project: Granted<'read'>, runId: string): Promise<readonly RunPart[]> {
  if (!isId(runId)) return []
  const found = await database().run.findMany({
    where: { projectId: project.id, mergedIntoId: runId, mergedInto: { deletedAt: null } },
    orderBy: [{ uploadedAt: 'asc' }, { id: 'asc' }],
    select: runRowSelect,
  })
  const uploads = await database().upload.findMany({
    where: { id: { in: found.map(({ uploadId }) => uploadId) } },
    select: { id: true, name: true },
  })
  const nameOf = new Map(uploads.map(({ id, name }) => [id, name]))
  return found.map((record) => ({ ...toRunRow(record), uploadName: nameOf.get(record.uploadId) ?? '' }))
}

/** The merged run that a run is a part of; null: none. */
export async function findMergedInto(project: Granted<'read'>, runId: string): Promise<string | null> {
  const where = { id: runId, projectId: project.id, mergedInto: { deletedAt: null } }
  const found = isId(runId) ? await database().run.findFirst({ where, select: { mergedIntoId: true } }) : null
  return found?.mergedIntoId ?? null
}
