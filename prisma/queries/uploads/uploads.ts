import { z } from 'zod'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { importedRunSchema } from '../../../lib/run/imported-run-schema'
import { mergedUploadKind } from '../../../lib/merge/merged-document'
import { mergedNames } from '../../../lib/merge/merged-names'
import { figuresOf } from '../../../lib/run/metrics'
import type { NamedMapping } from '../../../lib/run/column-mapping'
import type { ImportedFile, ImportedRun } from '../../../lib/run/run'
import type { ProjectAddress } from '../../../lib/project/stored-projects'
import type { RunEdits, RunRow } from '../../../lib/history/stored-runs'
import type { UploadDetail, UploadSummary } from '../../../lib/history/stored-uploads'
import { uploadKind } from '../../../lib/run/tools'
import type { Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import { givenSchema, jsonColumn } from '../../rows/json-columns'
import { editedRunSelect, toRunRow, toRunState } from '../../rows/run-rows'
import { isControlBy, type ControlRule } from '../../../lib/project/control-rule'
import { editedState, proposedState, stateAfterReimport, withCandidateRule } from '../../rows/run-state'
import {
  checkedGiven,
  fileColumns,
  toUploadDetail,
  toUploadSummary,
  uploadDetailSelect,
  uploadRow,
  uploadSummarySelect,
  type GivenRunNames,
  type ReceivedUpload,
} from '../../rows/upload-rows'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { replaceCellNotes } from '../../statements/cell-notes'
import { findUploadOfKey } from '../../statements/idempotency'
import { mapInTimeSlices } from '../../statements/time-slices'
import { insertRows } from '../../statements/insert-rows'
import { readUploadRows, type RawRunRow } from '../../statements/read-rows'
import { replaceByOne, type RunMadeOfParts } from '../../statements/merge-saved'
import { keepCubes, type EncodedCubes } from '../../statements/save-cubes'
import { checkRunCount, insertRuns, overwriteRuns, type RunToSave } from '../../statements/save-runs'

/** A file for the preview. `labels` and `names` apply to all its runs once saved. */
export interface DraftInput extends ReceivedUpload {
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly names?: GivenRunNames | undefined
}

/** A file to save at once. `again`: even if the same bytes were saved before, but once per `idempotencyKey`. */
export interface ImportInput extends DraftInput {
  readonly again?: boolean | undefined
  /** The series of the runs become controls. */
  readonly control?: boolean | undefined
  readonly idempotencyKey?: string | undefined
  /** What was counted of each run's rows. Absent: nothing; the background does it. */
  readonly cubes?: EncodedCubes | undefined
  /** Runs of the file to merge. */
  readonly merge?: MergeOfUpload | undefined
}

/** Runs of one upload that are merged when it is saved. */
export interface MergeOfUpload extends RunMadeOfParts {
  /** Indices in the file, rising; as they were when the figures of `imported` were computed. */
  readonly parts: readonly { readonly index: number; readonly imported: ImportedRun }[]
}

/** An upload and its runs, in the order of the file. */
export interface SavedUpload {
  readonly upload: UploadSummary
  readonly runs: readonly RunRow[]
}

/** A draft or saved upload with its contents. Throws NotFoundError. */
export async function getUpload(project: Granted<'read'>, uploadId: string): Promise<UploadDetail> {
  const found = isId(uploadId)
    ? await database().upload.findFirst({
        where: { id: uploadId, projectId: project.id, deletedAt: null },
        select: uploadDetailSelect,
      })
    : null
  if (found === null) throw new NotFoundError('Upload')
  return toUploadDetail(found)
}

/** The first upload of exactly these bytes that still has runs; null: none. */
export async function findSavedUploadBySentSha256(
  project: Granted<'read'>,
  sentSha256: string,
): Promise<SavedUpload | null> {
  return findSaved(database(), project, sentSha256)
}

/** Stores a file for the preview. Throws NotFoundError, InvalidInputError, TooLargeError. */
export async function createDraft(viewer: Viewer, input: DraftInput): Promise<UploadDetail> {
  checkRunCount(input.file.runs.length)
  const row = uploadRow(input, 'draft', checkedGiven(input.names ?? {}, input.labels ?? {}))
  return database().$transaction(async (tx) => {
    await requireProject(tx, viewer, input.projectId, 'upload')
    await insertRows(tx, 'upload', [row])
    await insertDraftRuns(tx, row, input.file)
    return toUploadDetail(await tx.upload.findUniqueOrThrow({ where: { id: row.id }, select: uploadDetailSelect }))
  })
}

async function insertDraftRuns(
  tx: Db,
  { id, projectId }: { readonly id: string; readonly projectId: string },
  { runs }: ImportedFile,
): Promise<void> {
  const rows = runs.map((imported, index) => ({ uploadId: id, index, projectId, imported: jsonColumn(imported) }))
  for (let at = 0; at < rows.length; at += 100) await insertRows(tx, 'draft_run', rows.slice(at, at + 100))
}

/**
 * Turns a draft into runs: `edits[i]` are the user's changes to its i-th run; without any, a run is saved as proposed.
 * Saves even if the same bytes were saved before: the user has seen the preview. Returns the runs as in lists: of those
 * that were merged, the merged run. Throws NotFoundError, ConflictError when it was saved already or changed meanwhile,
 * InvalidInputError when nothing is left to save.
 */
export async function saveDraft(
  granted: Granted<'upload'>,
  input: {
    readonly uploadId: string
    readonly edits: readonly RunEdits[]
    readonly merge?: MergeOfUpload | undefined
  },
): Promise<readonly RunRow[]> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'upload')
    const upload = await takeUpload(tx, project.id, input.uploadId)
    if (upload.state === 'saved')
      throw new ConflictError('This upload is already saved.', 'Its runs are in the history.')
    const found = await tx.draftRun.findMany({ where: { uploadId: upload.id }, orderBy: { index: 'asc' } })
    const given = givenSchema.parse(upload.given)
    const now = Date.now()
    const all = await mapInTimeSlices(found, ({ index, imported: json }) => {
      const imported = importedRunSchema.parse(json)
      const edits = input.edits[index] ?? {}
      const edited = editedState(proposedState(imported, upload, given), edits, now)
      const state = withCandidateRule(edited, project.candidateRule, given, edits)
      return { index, imported, state, included: edits.include !== false }
    })
    const runs = all.filter((run) => run.included)
    if (runs.length === 0) throw new InvalidInputError('No runs left to save.', { field: 'edits' })
    const leftOut = all.filter((run) => !run.included).map((run) => run.index)
    await tx.upload.update({ where: { id: upload.id }, data: { state: 'saved', leftOut } })
    const rows = await insertRuns(tx, upload, runs)
    await keepCubes(tx, upload.id, countedRuns(rows), null)
    await markControls(tx, controlsAmong(runs, rows, project.controlRule))
    await replaceCellNotes(tx, upload, toUploadDetail({ ...upload, draftRuns: [] }).cellNotes, runs)
    await tx.draftRun.deleteMany({ where: { uploadId: upload.id } })
    const listed = await withMerge(tx, rows, runs, input.merge)
    return mapInTimeSlices(listed, (own) => toRunRow({ ...own, project }))
  })
}

/**
 * Saves a file and its runs at once. The same bytes again (even when two arrive at the same moment) give the first
 * upload and `duplicate: true`; so does the same key. Throws NotFoundError, InvalidInputError, TooLargeError,
 * KeyReusedError.
 */
export async function saveImport(
  viewer: Viewer,
  input: ImportInput,
): Promise<SavedUpload & { readonly duplicate: boolean }> {
  const { file } = input
  checkRunCount(file.runs.length)
  if (file.runs.length === 0) throw new InvalidInputError('The file has no runs that can be saved.')
  const given = checkedGiven(input.names ?? {}, input.labels ?? {})
  const row = uploadRow(input, 'saved', given)
  const proposed = await mapInTimeSlices(file.runs, (imported, index) => {
    return { index, imported, state: proposedState(imported, row, given) }
  })
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, input.projectId, 'upload')
    const { idempotencyKey: key, sentSha256 } = input
    if (key !== undefined) {
      const made = await findUploadOfKey(tx, { projectId: project.id, key, sentSha256 }, row.createdAt)
      if (made !== null) return { ...(await savedUpload(tx, project, made)), duplicate: true }
    }
    if (!input.again) {
      const before = (await awaitSameUpload(tx, project.id, sentSha256))
        ? await findSaved(tx, project, sentSha256)
        : null
      if (before !== null) {
        if (input.control === true) await markControls(tx, before.runs)
        return { ...before, duplicate: true }
      }
    }
    await insertRows(tx, 'upload', [{ ...row, idempotencyKey: key }])
    const runs = proposed.map((run) => ({ ...run, state: withCandidateRule(run.state, project.candidateRule, given) }))
    const rows = await insertRuns(tx, row, runs)
    await keepCubes(tx, row.id, countedRuns(rows), input.cubes ?? null)
    await markControls(tx, input.control === true ? rows : controlsAmong(runs, rows, project.controlRule))
    if (file.cellNotes.length > 0) await replaceCellNotes(tx, row, file.cellNotes, runs)
    const listed = await withMerge(tx, rows, runs, input.merge)
    const written = await mapInTimeSlices(listed, (own) => toRunRow({ ...own, project }))
    return { upload: toUploadSummary({ ...row, rawRemovedAt: null }), runs: written, duplicate: false }
  })
}

const countedRuns = (rows: readonly RawRunRow[]) =>
  rows.map(({ id, indexInUpload, form }) => ({ id, index: indexInUpload, form }))

/** The inserted rows of runs that make their series controls by the rule of the project. */
const controlsAmong = <Row>(runs: readonly RunToSave[], rows: readonly Row[], rule: ControlRule | null) =>
  rows.filter((_, at) => isControlBy(rule, runs[at]?.state.labels ?? {}))

async function markControls(tx: Db, runs: readonly { readonly seriesId: string }[]): Promise<void> {
  const ids = runs.map(({ seriesId }) => seriesId)
  if (ids.length === 0) return
  await tx.series.updateMany({ where: { id: { in: ids }, isControl: false }, data: { isControl: true } })
}

/** The rows written, in the order of the file; merged ones are one row, at the place of the first. */
async function withMerge(
  tx: Db,
  rows: readonly RawRunRow[],
  runs: readonly RunToSave[],
  merge: MergeOfUpload | undefined,
): Promise<readonly RawRunRow[]> {
  if (merge === undefined) return rows
  const parts = merge.parts.map(({ index, imported }) => {
    const run = runs.find((one) => one.index === index)
    const row = rows.find((one) => one.indexInUpload === index)
    if (run === undefined || row === undefined || figuresText(run.imported) !== figuresText(imported))
      throw new ConflictError('The draft has changed in the meantime.', 'Reload the page, then save it again.')
    return { row, state: run.state }
  })
  const ids = parts.map(({ row }) => row.id)
  const made = await replaceByOne(tx, ids, mergedNames(parts.map(({ state }) => state)), merge)
  return rows.flatMap((row) => (row.id === ids[0] ? [made] : ids.includes(row.id) ? [] : [row]))
}

const figuresText = (run: ImportedRun) => JSON.stringify(figuresOf(run))

/**
 * Replaces what was read before by what today's importers read. Runs are matched by their index in the file and keep
 * ids, links and the user's edits; new ones are added, missing ones are trashed. What the user left out or moved away
 * stays so. Throws NotFoundError, ConflictError for a draft.
 */
export async function replaceUploadRuns(
  granted: Granted<'edit'>,
  {
    uploadId,
    file,
    cubes = null,
  }: { readonly uploadId: string; readonly file: ImportedFile; readonly cubes?: EncodedCubes | null },
): Promise<readonly RunRow[]> {
  checkRunCount(file.runs.length)
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const upload = await takeUpload(tx, project.id, uploadId)
    if (upload.state === 'draft')
      throw new ConflictError('This upload is a draft.', 'Save it, or upload the file again.')
    await requireWhole(tx, upload)
    const given = givenSchema.parse(upload.given)
    const current = await tx.run.findMany({
      where: { uploadId: upload.id },
      select: { ...editedRunSelect, deletedBy: true },
    })
    const elsewhere = await tx.run.findMany({
      where: { upload: { originId: upload.id } },
      select: { indexInUpload: true },
    })
    const notOurs = new Set([...upload.leftOut, ...elsewhere.map((run) => run.indexInUpload)])
    const proposed = file.runs.map((imported, index) => ({
      index,
      imported,
      state: proposedState(imported, upload, given),
      before: current.find((run) => run.indexInUpload === index),
    }))
    const updated = proposed.flatMap(({ before, state, ...run }) =>
      before === undefined
        ? []
        : [
            {
              ...run,
              id: before.id,
              state: stateAfterReimport(state, toRunState(before)),
              restored: before.deletedBy === 'reimport',
            },
          ],
    )
    // A part split off by a move has only the moved runs: the others belong to the upload it came from.
    const added = proposed
      .filter(({ before, index }) => before === undefined && upload.originId === null && !notOurs.has(index))
      .map((run) => ({ ...run, state: withCandidateRule(run.state, project.candidateRule, given) }))
    await tx.upload.update({ where: { id: upload.id }, data: fileColumns(file) })
    await overwriteRuns(tx, upload, updated)
    const rows = await insertRuns(tx, upload, added)
    const rewritten = updated.map(({ id, index, imported }) => ({ id, index, form: imported.form }))
    await keepCubes(tx, upload.id, [...rewritten, ...countedRuns(rows)], cubes)
    await markControls(tx, controlsAmong(added, rows, project.controlRule))
    await tx.run.updateMany({
      where: { uploadId: upload.id, deletedAt: null, indexInUpload: { gte: file.runs.length } },
      data: { deletedAt: new Date(), deletedBy: 'reimport' },
    })
    if (upload.originId === null) await replaceCellNotes(tx, upload, file.cellNotes, [...updated, ...added])
    return listRunsOf(tx, project, upload.id)
  })
}

/**
 * Replaces what was found in a draft by what a mapping reads of it, and keeps a copy of the mapping with the draft.
 * Throws NotFoundError, ConflictError when it was saved meanwhile.
 */
export async function replaceDraftRuns(
  granted: Granted<'upload'>,
  {
    uploadId,
    file,
    mapping,
  }: { readonly uploadId: string; readonly file: ImportedFile; readonly mapping: NamedMapping },
): Promise<UploadDetail> {
  checkRunCount(file.runs.length)
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'upload')
    const { id, state, given } = await takeUpload(tx, project.id, uploadId)
    if (state === 'saved') throw new ConflictError('This upload is already saved.', 'Its runs are in the history.')
    const data = {
      ...fileColumns(file),
      kind: uploadKind(file.encoding, file.runs),
      given: jsonColumn({ ...givenSchema.parse(given), mapping }),
    }
    await tx.upload.update({ where: { id }, data })
    await tx.draftRun.deleteMany({ where: { uploadId: id } })
    await insertDraftRuns(tx, { id, projectId: project.id }, file)
    return toUploadDetail(await tx.upload.findUniqueOrThrow({ where: { id }, select: uploadDetailSelect }))
  })
}

/** Trashes a saved upload with its runs. Throws NotFoundError, ConflictError for a draft. */
export async function deleteUpload(granted: Granted<'edit'>, uploadId: string): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const upload = await takeUpload(tx, project.id, uploadId)
    if (upload.state === 'draft') throw new ConflictError('This upload is a draft.', 'Discard it instead.')
    await requireNoParts(tx, upload.id)
    const deletedAt = new Date()
    await tx.upload.update({ where: { id: upload.id }, data: { deletedAt, idempotencyKey: null } })
    await tx.run.updateMany({
      where: { uploadId: upload.id, deletedAt: null },
      data: { deletedAt, deletedBy: 'upload' },
    })
  })
}

/**
 * Restores an upload and the runs that were trashed with it. Throws NotFoundError, also when it is not in the trash.
 */
export async function restoreUpload(granted: Granted<'edit'>, uploadId: string): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const where = { id: uploadId, projectId: project.id, state: 'saved', deletedAt: { not: null } } as const
    const { count } = isId(uploadId) ? await tx.upload.updateMany({ where, data: { deletedAt: null } }) : { count: 0 }
    if (count === 0) throw new NotFoundError('Upload in the trash')
    const data = { deletedAt: null, deletedBy: null }
    await tx.run.updateMany({ where: { uploadId, deletedBy: 'upload' }, data })
  })
}

/** Discards a draft permanently. Throws NotFoundError, ConflictError when it was saved. */
export async function discardDraft(granted: Granted<'upload'>, uploadId: string): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'upload')
    const upload = await takeUpload(tx, project.id, uploadId)
    if (upload.state === 'saved') throw new ConflictError('This upload is already saved.', 'Delete it instead.')
    await tx.upload.delete({ where: { id: upload.id } })
  })
}

/** The upload, locked until the end of the transaction, so that saving, discarding and re-importing it take turns. */
async function takeUpload(tx: Db, projectId: string, uploadId: string) {
  if (!isId(uploadId)) throw new NotFoundError('Upload')
  await tx.$executeRaw`SELECT 1 FROM upload WHERE id = ${uploadId} AND project_id = ${projectId} FOR UPDATE`
  const upload = await tx.upload.findFirst({ where: { id: uploadId, projectId, deletedAt: null } })
  if (upload === null) throw new NotFoundError('Upload')
  return upload
}

/** Throws ConflictError when runs of the upload are parts of merged runs, whose figures depend on them as they are. */
async function requireNoParts(tx: Db, uploadId: string): Promise<void> {
  const part = await tx.run.findFirst({ where: { uploadId, mergedIntoId: { not: null } }, select: { id: true } })
  if (part !== null)
    throw new ConflictError(
      'A run of this upload is part of a merged run.',
      'Split the merged run first; one in the trash must be restored or deleted permanently.',
    )
}

/** Throws ConflictError when runs of the upload are merged, or were made by merging. */
async function requireWhole(tx: Db, upload: { readonly id: string; readonly kind: string }): Promise<void> {
  if (upload.kind === mergedUploadKind)
    throw new ConflictError(
      'This upload was made by merging runs.',
      'Split the run, import the files of its parts again, then merge them anew.',
    )
  await requireNoParts(tx, upload.id)
}

/**
 * Whether a project has an upload of these bytes; if one is being saved, once that has ended. Others of the same bytes
 * wait until this transaction ends.
 */
async function awaitSameUpload(tx: Db, projectId: string, sentSha256: string): Promise<boolean> {
  const [found] = sameSchema.parse(
    await tx.$queryRaw`SELECT await_same_upload(${projectId}, ${sentSha256}) AS "hasSame"`,
  )
  return found.hasSame
}

const sameSchema = z.tuple([z.object({ hasSame: z.boolean() })])

async function findSaved(db: Db, project: ProjectAddress, sentSha256: string): Promise<SavedUpload | null> {
  // Most bytes are new: one index shows that in half the time of the query below.
  const same = { projectId: project.id, sentSha256 }
  if ((await db.upload.findFirst({ where: same, select: { id: true } })) === null) return null
  const upload = await db.upload.findFirst({
    // A part split off by a move is not the file.
    where: {
      ...same,
      state: 'saved',
      deletedAt: null,
      originId: null,
      runs: { some: { OR: [{ deletedAt: null }, { mergedInto: { deletedAt: null } }] } },
    },
    select: uploadSummarySelect,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return upload && { upload: toUploadSummary(upload), runs: await listRunsOf(db, project, upload.id) }
}

async function savedUpload(db: Db, project: ProjectAddress, id: string): Promise<SavedUpload> {
  const upload = await db.upload.findUniqueOrThrow({ where: { id }, select: uploadSummarySelect })
  return { upload: toUploadSummary(upload), runs: await listRunsOf(db, project, id) }
}

const listRunsOf = async (db: Db, project: ProjectAddress, uploadId: string): Promise<readonly RunRow[]> =>
  mapInTimeSlices(await readUploadRows(db, uploadId), (row) => toRunRow({ ...row, project }))
