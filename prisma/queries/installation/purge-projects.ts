import type pg from 'pg'
import { databasePool } from '../../db'
import { quote } from '../../statements/catalog'

// Housekeeping of the whole installation: called by the server itself, not for a viewer.

/** A statement's share of the rows: one with its histograms is up to some 100 kB. */
const rowsAtOnce = 200
const foreignKeyViolation = '23503'

/**
 * Permanently deletes projects that were deleted before then, with all that they contain, a few rows at a time, until
 * none is left or `stop` is aborted; calls `onStep` after each statement. Audit entries stay, of no project. Raw files
 * go with the next sweep. Several instances may do so at once.
 */
export async function purgeProjects(before: Date, stop?: AbortSignal, onStep?: () => void): Promise<void> {
  const pool = databasePool()
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM project WHERE deleted_at < $1 ORDER BY id', [
    before,
  ])
  for (const { id } of rows) {
    let waiting = await tablesOfProjects(pool)
    while (waiting.length > 0 && !stop?.aborted) {
      const held: OwnTable[] = []
      for (const table of waiting) if (!(await emptyTable(pool, table, id, stop, onStep))) held.push(table)
      if (held.length === waiting.length)
        throw new Error(`Tables hold each other's rows: ${held.map(({ name }) => name).join(', ')}.`)
      waiting = held
    }
    if (stop?.aborted) return
    await deleteUnlessHeld(pool, 'DELETE FROM project WHERE id = $1', id)
  }
}

interface OwnTable {
  readonly name: string
  /** Its indices are of live rows or of trashed ones. */
  readonly hasTrash: boolean
}

/** Those whose rows keep a project from being deleted, from the catalog, so that none can be forgotten. */
async function tablesOfProjects(pool: pg.Pool): Promise<readonly OwnTable[]> {
  const { rows } = await pool.query<OwnTable>(
    `SELECT relname AS name, EXISTS (
       SELECT 1 FROM pg_attribute WHERE attrelid = conrelid AND attname = 'deleted_at' AND NOT attisdropped
     ) AS "hasTrash"
     FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE contype = 'f' AND confrelid = '"project"'::regclass AND confdeltype IN ('r', 'a') ORDER BY 1`,
  )
  return rows
}

/** Whether its rows are gone; if not, those of another table refer to them, which goes first. */
async function emptyTable(
  pool: pg.Pool,
  { name, hasTrash }: OwnTable,
  projectId: string,
  stop: AbortSignal | undefined,
  onStep?: () => void,
): Promise<boolean> {
  const own = quote(name)
  for (const part of hasTrash ? ['deleted_at IS NULL', 'deleted_at IS NOT NULL'] : ['TRUE']) {
    const some = `SELECT ctid FROM ${own} WHERE project_id = $1 AND ${part} LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED`
    for (let deleted: number | null = 1; deleted !== 0; onStep?.()) {
      if (stop?.aborted) return true
      deleted = await deleteUnlessHeld(pool, `DELETE FROM ${own} WHERE ctid = ANY(ARRAY(${some}))`, projectId)
      if (deleted === null) return false
    }
  }
  return true
}

/** How many rows went; null: others refer to them, such as those that another instance has not deleted yet. */
async function deleteUnlessHeld(pool: pg.Pool, statement: string, projectId: string): Promise<number | null> {
  try {
    return (await pool.query(statement, [projectId])).rowCount
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === foreignKeyViolation) return null
    throw error
  }
}
