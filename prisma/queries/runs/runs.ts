import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { failureKinds } from '../../../lib/run/figures'
import type { RunJudgement } from '../../../lib/run/judgement'
import type { Metric } from '../../../lib/run/metrics'
import type { ImportedRun } from '../../../lib/run/run'
import type { RunEdits, RunPast, RunRepeat, RunRow, StoredRun } from '../../../lib/history/stored-runs'
import type { RunFacets, RunFilter, RunPage, RunPageRequest } from '../../../lib/history/run-list'
import { runSortKeys } from '../../../lib/history/run-list'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import { ownRowSelect, runRowSelect, toJudgement, toRunRow } from '../../rows/run-rows'
import { toUploadSummary } from '../../rows/upload-rows'
import { writeCursor } from '../../search/run-pages'
import { findPasts } from '../../search/run-pasts'
import { findRepeats } from '../../search/run-repeats'
import { findPage } from '../../search/run-search'
import { listFacetTerms } from '../../search/term-counts'
import {
  requireProject,
  requireSlug,
  visibleRuns,
  type Db,
  type Granted,
  type SharedRuns,
} from '../../statements/access'
import { takeRun, writeEdits } from '../../statements/edit-run'
import { cachedImportedRuns, importedRuns, runVersions } from '../../statements/imported-runs'
import { moveRunTo } from '../../statements/move-run'
import { readStoredRuns, type StoredRunRow } from '../../statements/stored-run-rows'

const requestSchema = z.object({
  sort: z.enum(runSortKeys),
  direction: z.enum(['asc', 'desc']),
  limit: z.number().int().min(1).max(200),
})

/** A page of a project's history. Throws InvalidInputError for an invalid cursor or limit. */
export async function listRuns(project: Granted<'read'>, filter: RunFilter, request: RunPageRequest): Promise<RunPage> {
  if (!requestSchema.safeParse(request).success)
    throw new InvalidInputError('A page has 1 to 200 runs.', { field: 'limit' })
  const found = await findPage(database(), project.id, filter, request, request.limit + 1)
  const page = found.slice(0, request.limit)
  const last = page.at(-1)
  return {
    rows: page.map((row) => toRunRow({ ...row, project })),
    nextCursor: found.length <= request.limit || last === undefined ? null : writeCursor(request, last),
  }
}

/** A list shows at most this many runs of one experiment; older ones are not counted. */
const listedRepeats = 20

/**
 * For each of these runs that is the newest of its repeats: those repeats, newest first, itself included, at most
 * `most`.
 */
export async function listRepeats(
  project: Granted<'read'>,
  runIds: readonly string[],
  most = listedRepeats,
): Promise<ReadonlyMap<string, readonly RunRepeat[]>> {
  return findRepeats(database(), project.id, runIds, most)
}

/**
 * What a list shows of these runs beside their lines, by id, at most 200; deleted ones are left out.
 */
export async function listPasts(
  project: Granted<'read'>,
  runIds: readonly string[],
  metric: Metric,
): Promise<ReadonlyMap<string, RunPast>> {
  return runIds.length === 0 ? new Map() : findPasts(database(), project.id, runIds.slice(0, 200), metric)
}

/**
 * The runs of an upload in the order of its file, and the merged runs that its runs are parts of; empty for a draft.
 * `limit` absent: all of them. Throws NotFoundError.
 */
export async function listUploadRuns(
  project: Granted<'read'>,
  uploadId: string,
  limit?: number,
): Promise<readonly RunRow[]> {
  const where = { id: uploadId, projectId: project.id, deletedAt: null }
  const upload = isId(uploadId) ? await database().upload.findFirst({ where, select: { id: true } }) : null
  if (upload === null) throw new NotFoundError('Upload')
  const parts = { uploadId: upload.id, mergedIntoId: { not: null } }
  const wholes = await database().run.findMany({
    where: parts,
    distinct: ['mergedIntoId'],
    select: { mergedIntoId: true },
  })
  const wholeIds = wholes.flatMap(({ mergedIntoId }) => mergedIntoId ?? [])
  const found = await database().run.findMany({
    where: { OR: [{ uploadId: upload.id }, { id: { in: wholeIds } }], deletedAt: null },
    orderBy: [{ indexInUpload: 'asc' }, { id: 'asc' }],
    ...(limit === undefined ? {} : { take: limit }),
    select: ownRowSelect,
  })
  return found.map((row) => toRunRow({ ...row, project }))
}

/** A complete run. Throws NotFoundError. */
export async function getRun(from: Granted<'read'> | SharedRuns, runId: string): Promise<StoredRun> {
  return single(await storedRuns(database(), from, [runId]))
}

/** Complete runs that are read at once. */
const runsAtOnce = 40

/** Complete runs, in the order of `runIds` (each once). Throws NotFoundError when one is missing. */
export async function getRuns(
  from: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<readonly StoredRun[]> {
  const ids = [...new Set(runIds)]
  const found: StoredRun[] = []
  for (let at = 0; at < ids.length; at += runsAtOnce) {
    found.push(...(await storedRuns(database(), from, ids.slice(at, at + runsAtOnce))))
    // The embedded database blocks the thread while it reads: let other requests in between.
    await setImmediate()
  }
  return found
}

/** At most this many runs have their failures read: a sentence names the first kinds of them. */
const maxFailed = 50

/**
 * How requests of runs failed, as `failureKinds` words it, most frequent first, by run: for runs in which no request
 * succeeded, at most 50. Throws NotFoundError.
 */
export async function listFailures(
  from: Granted<'read'> | SharedRuns,
  runs: readonly Pick<RunRow, 'id' | 'figures'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const failed = runs.filter(({ figures }) => figures.errorRatio === 1).slice(0, maxFailed)
  if (failed.length === 0) return new Map()
  const ids = failed.map(({ id }) => id)
  const where = whereSeen(from, ids)
  const found = await database().run.count({ where })
  if (found !== ids.length) throw new NotFoundError('Run')
  const imported = await cachedImportedRuns(database(), await runVersions(database(), ids))
  return new Map([...imported].map(([id, run]) => [id, failureKinds(run).map(({ words }) => words)]))
}

/** Judgements of runs, by id; without runs that are not judged yet. */
export async function getJudgements(
  from: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunJudgement>> {
  const { viewer, id: projectId } = from
  const seen = viewer.kind === 'share' ? runIds.filter((id) => viewer.runIds.includes(id)) : runIds
  const where = { projectId, id: { in: seen.filter(isId) }, deletedAt: null }
  const found = await database().run.findMany({ where, select: { id: true, judgement: true } })
  return new Map(
    found.flatMap(({ id, judgement }): [string, RunJudgement][] => {
      const judged = toJudgement(judgement)
      return judged === null ? [] : [[id, judged]]
    }),
  )
}

/** Lines of the history by id, in this order, each once. Throws NotFoundError when one may not be seen. */
export async function getRunRows(
  from: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<readonly RunRow[]> {
  const ids = [...new Set(runIds)]
  const where = whereSeen(from, ids)
  const found = await database().run.findMany({ where, select: runRowSelect })
  if (found.length !== ids.length) throw new NotFoundError('Run')
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map(toRunRow)
}

/** Changes the fields that a user may change; absent fields stay. Throws NotFoundError, InvalidInputError. */
export async function updateRun(project: Granted<'edit'>, runId: string, edits: RunEdits): Promise<StoredRun> {
  return database().$transaction(async (tx) => {
    const run = await takeRun(tx, project, runId)
    await writeEdits(tx, run, edits)
    return single(await storedRuns(tx, project, [run.id]))
  })
}

/** Trashes a run. Throws NotFoundError. */
export async function deleteRun(project: Granted<'edit'>, runId: string): Promise<void> {
  await database().$transaction(async (tx) => {
    const run = await takeRun(tx, project, runId)
    await tx.run.update({ where: { id: run.id }, data: { deletedAt: new Date(), deletedBy: 'run' } })
  })
}

/**
 * Takes a run out of the trash. Throws NotFoundError, also when it is not in the trash; ConflictError when its upload
 * is there, or when it is part of a merged run.
 */
export async function restoreRun(granted: Granted<'edit'>, runId: string): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const where = { id: runId, projectId: project.id, deletedAt: { not: null } }
    const run = isId(runId)
      ? await tx.run.findFirst({ where, select: { mergedIntoId: true, upload: { select: { deletedAt: true } } } })
      : null
    if (run === null) throw new NotFoundError('Run in the trash')
    if (run.mergedIntoId !== null)
      throw new ConflictError('This run is part of a merged run.', 'Split that run to restore it.')
    if (run.upload.deletedAt !== null)
      throw new ConflictError('The upload of this run was deleted.', 'Restore the upload.')
    await tx.run.update({ where: { id: runId }, data: { deletedAt: null, deletedBy: null } })
  })
}

/** Moves a run to another project, with the parts it was merged from; its id stays. Throws NotFoundError for either. */
export async function moveRun(
  project: Granted<'edit'>,
  { runId, toProjectSlug }: { readonly runId: string; readonly toProjectSlug: string },
): Promise<RunRow> {
  return database().$transaction(async (tx) => {
    const run = await takeRun(tx, project, runId)
    const target = await requireSlug(tx, project.viewer, toProjectSlug, 'edit')
    if (target.id !== run.projectId) {
      await moveRunTo(tx, run, target.id)
      const select = { id: true, projectId: true, uploadId: true, environment: true }
      const parts = await tx.run.findMany({ where: { mergedIntoId: run.id }, orderBy: { id: 'asc' }, select })
      for (const part of parts) await moveRunTo(tx, part, target.id)
    }
    return toRunRow(await tx.run.findUniqueOrThrow({ where: { id: run.id }, select: runRowSelect }))
  })
}

/** Filters for a project's runs. */
export async function listFacets(project: Granted<'read'>): Promise<RunFacets> {
  return listFacetTerms(database(), project.id)
}

/** These runs, as far as they may be seen. Throws NotFoundError for what is no id. */
function whereSeen({ viewer, id: projectId }: Granted<'read'> | SharedRuns, ids: readonly string[]) {
  if (!isId(projectId) || !ids.every(isId)) throw new NotFoundError('Run')
  return { AND: [visibleRuns(viewer), { projectId, id: { in: [...ids] } }] }
}

async function storedRuns(
  db: Db,
  from: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<readonly StoredRun[]> {
  const ids = [...new Set(runIds)]
  const found = await readStoredRuns(db, from, ids)
  const imported = await (db === database() ? cachedImportedRuns(db, found) : importedRuns(db, found))
  const byId = new Map(found.flatMap((row) => toStoredRun(row, imported.get(row.id)) ?? []).map((run) => [run.id, run]))
  return ids.map((id) => {
    const run = byId.get(id)
    if (run === undefined) throw new NotFoundError('Run')
    return run
  })
}

function single(runs: readonly StoredRun[]): StoredRun {
  const [run] = runs
  if (run === undefined) throw new NotFoundError('Run')
  return run
}

/** Null: deleted permanently between two statements. */
function toStoredRun(row: StoredRunRow, imported: ImportedRun | undefined): StoredRun | null {
  if (imported === undefined) return null
  // Attributes from this run's own file win over those that other documents give an environment of that name.
  const own = row.edited.includes('environment') ? {} : imported.proposal.environmentAttributes
  return {
    ...toRunRow({ ...row, project: { slug: row.projectSlug } }),
    judgement: toJudgement(row.judgement),
    counted: row.counted,
    imported,
    notes: row.notes,
    environmentAttributes: { ...row.attributes, ...own },
    upload: toUploadSummary(row.upload),
  }
}
