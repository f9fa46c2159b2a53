import { TooLargeError } from '../../lib/errors'
import { maxRunsPerUpload } from '../../lib/run/run-limit'
import type { ImportedRun } from '../../lib/run/run'
import { newId } from '../rows/ids'
import { proposedLabels } from '../../lib/history/proposed-names'
import { histogramRows, importedColumns, notJudged, stateColumns } from '../rows/run-columns'
import type { RunState, RunUpload } from '../rows/run-state'
import type { Db } from './access'
import { mapInTimeSlices } from './time-slices'
import { insertRows } from './insert-rows'
import { calmFirstRuns } from './judgements'
import { rawRunRowsSchema, rowColumnsSql, type RawRunRow } from './read-rows'

/** One run to be written: the contents of the file, and its names. */
export interface RunToSave {
  readonly index: number
  readonly imported: ImportedRun
  readonly state: RunState
}

/** Throws TooLargeError when a file has more runs than one upload may have. */
export function checkRunCount(count: number): void {
  if (count <= maxRunsPerUpload) return
  throw new TooLargeError(`The file holds ${count} runs; an upload may have ${maxRunsPerUpload}.`, maxRunsPerUpload)
}

/** A statement blocks the embedded database's thread for some 1 ms per run. */
const rowsAtOnce = 25

/** Writes new runs with their histograms and environments, two statements per 25 of them; returns their rows. */
export async function insertRuns(db: Db, upload: RunUpload, runs: readonly RunToSave[]): Promise<readonly RawRunRow[]> {
  const { id: uploadId, projectId } = upload
  // Runs of the same time are ordered by id: in the order of their document.
  const ids = (await mapInTimeSlices(runs, newId)).toSorted()
  const withIds = runs.map((run, at) => ({ ...run, id: ids[at] ?? newId() }))
  await addEnvironments(db, projectId, environmentsOf(runs))
  const rows: RawRunRow[] = []
  for (const part of chunksOf(withIds, rowsAtOnce)) {
    const values = part.map(({ id, index, imported, state }) => ({
      id,
      projectId,
      uploadId,
      indexInUpload: index,
      uploadedAt: upload.createdAt,
      ...importedColumns(imported),
      ...stateColumns(state, imported, upload),
    }))
    const written = rawRunRowsSchema.parse(await insertRows(db, 'run', values, rowColumnsSql))
    rows.push(...written)
    await insertHistograms(db, upload, part)
  }
  const calmed = await calmFirstRuns(db, invalidOf(rows))
  const said = rows.map((row) => (calmed.has(row.id) ? { ...row, judgedState: 'no-history' } : row))
  return said.sort((a, b) => a.indexInUpload - b.indexInUpload)
}

const invalidOf = (rows: readonly Pick<RawRunRow, 'id' | 'judgedState'>[]): readonly string[] =>
  rows.flatMap(({ id, judgedState }) => (judgedState === 'invalid' ? [id] : []))

/** A run to rewrite under its id; `restored`: an earlier re-import trashed it, and it is back. */
export type RunToOverwrite = RunToSave & { readonly id: string; readonly restored: boolean }

/** Rewrites runs of an upload under their ids. */
export async function overwriteRuns(db: Db, upload: RunUpload, runs: readonly RunToOverwrite[]): Promise<void> {
  if (runs.length === 0) return
  await addEnvironments(db, upload.projectId, environmentsOf(runs))
  for (const { id, imported, state, restored } of runs) {
    const columns = { ...notJudged, ...importedColumns(imported), ...stateColumns(state, imported, upload) }
    const data = restored ? { ...columns, deletedAt: null, deletedBy: null } : columns
    await db.run.update({ where: { id }, data })
  }
  const runId = { in: runs.map((run) => run.id) }
  await db.histogram.deleteMany({ where: { runId } })
  for (const part of chunksOf(runs, rowsAtOnce)) await insertHistograms(db, upload, part)
  await calmFirstRuns(db, runId.in)
}

type Identified = RunToSave & { readonly id: string }

async function insertHistograms(db: Db, upload: RunUpload, runs: readonly Identified[]): Promise<void> {
  const rows = runs.flatMap(({ id, imported }) => histogramRows(id, upload.projectId, imported))
  if (rows.length > 0) await insertRows(db, 'histogram', rows)
}

/**
 * Environment name → attributes that the file gives it. If the user renamed it, the file's are those of another
 * environment.
 */
function environmentsOf(runs: readonly RunToSave[]): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const found = new Map<string, Readonly<Record<string, string>>>()
  for (const { imported, state } of runs) {
    if (state.environment === null) continue
    const named = state.edited.includes('environment') ? {} : proposedLabels(imported.proposal.environmentAttributes)
    found.set(state.environment, { ...named, ...found.get(state.environment) })
  }
  return found
}

/** Adds new environments, and new attributes of known ones, to a project. Known attributes stay as they are. */
export async function addEnvironments(
  db: Db,
  projectId: string,
  environments: ReadonlyMap<string, Readonly<Record<string, string>>>,
): Promise<void> {
  // Sorted: two transactions that add the same ones wait for each other instead of deadlocking.
  const sorted = [...environments].sort(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return
  const ids = sorted.map(() => newId())
  const names = sorted.map(([name]) => name)
  const attributes = sorted.map(([, named]) => JSON.stringify(named))
  await db.$executeRaw`
    INSERT INTO environment (id, project_id, name, attributes)
    SELECT id, ${projectId}, name, attributes::jsonb
    FROM unnest(${ids}::text[], ${names}::text[], ${attributes}::text[]) AS new (id, name, attributes)
    ON CONFLICT (project_id, name) DO UPDATE SET attributes = EXCLUDED.attributes || environment.attributes`
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
