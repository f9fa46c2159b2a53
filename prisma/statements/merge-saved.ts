import type { MergedNames } from '../../lib/merge/merged-names'
import type { ImportedRun } from '../../lib/run/run'
import { plausibleStart } from '../../lib/history/proposed-names'
import type { RunState } from '../rows/run-state'
import { uploadRow, type ReceivedUpload } from '../rows/upload-rows'
import type { Db } from './access'
import { insertRows } from './insert-rows'
import type { RawRunRow } from './read-rows'
import { insertRuns } from './save-runs'

/** A merged run: its figures, and the document that holds them. */
export interface RunMadeOfParts {
  readonly imported: ImportedRun
  readonly upload: ReceivedUpload
}

/**
 * Replaces runs by a merged one; its parts leave lists, series and trash until it is split. Throws InvalidInputError
 * for a document that cannot be stored.
 */
export async function replaceByOne(
  tx: Db,
  partIds: readonly string[],
  names: MergedNames,
  { imported, upload }: RunMadeOfParts,
): Promise<RawRunRow> {
  const row = uploadRow(upload, 'saved', { labels: {} })
  const where = { id: { in: [...partIds] }, projectId: row.projectId, deletedAt: null }
  await insertRows(tx, 'upload', [row])
  await tx.run.updateMany({ where, data: { deletedAt: row.createdAt, deletedBy: 'merge' } })
  const [made] = await insertRuns(tx, row, [{ index: 0, imported, state: stateOf(names, imported, row.createdAt) }])
  if (made === undefined) throw new Error('One run was written')
  await tx.run.updateMany({ where: { id: where.id }, data: { mergedIntoId: made.id } })
  return made
}

function stateOf(names: MergedNames, { startedAt }: ImportedRun, now: Date): RunState {
  const at = startedAt === null ? null : plausibleStart(startedAt, now.getTime())
  return { ...names, startedAt: at, startedAtSource: at === null ? null : 'the first of its parts', edited: [] }
}
