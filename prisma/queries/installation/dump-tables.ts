import type pg from 'pg'
import { databasePool } from '../../db'
import { waitPatiently } from '../../silent-connections'
import { listColumns, listTables, quote } from '../../statements/catalog'

/** Rows of a table, one JSON array per line: the text of each column, or null. */
export interface TablePart {
  readonly table: string
  readonly columns: readonly string[]
  readonly lines: readonly string[]
}

/** What a dump holds besides rows. */
export interface DumpState {
  /** Names of the migrations that made the tables, in order. */
  readonly migrations: readonly string[]
  /** The last number of each sequence that was used. */
  readonly sequences: readonly { readonly name: string; readonly last: string }[]
  /** The SHA-256s of the raw files that uploads need, 32 bytes each: there may be millions. */
  readonly rawSha256s: Buffer
}

const rowsAtOnce = 500
const partBytes = 1024 * 1024

/**
 * All rows of all tables at one moment, in parts of about a megabyte, at least one per table; returns the rest of the
 * dump at the end. The tables come from the catalog, so that none can be forgotten. On the embedded database everything
 * else waits meanwhile.
 */
export async function* dumpTables(): AsyncGenerator<TablePart, DumpState> {
  const client = await databasePool().connect()
  const endPatience = waitPatiently(client)
  let isWhole = false
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(`SET LOCAL statement_timeout = 0`)
    await client.query(`SET LOCAL timezone = 'UTC'`)
    for (const table of await listTables(client)) yield* dumpTable(client, table)
    const state = await readState(client)
    await client.query('COMMIT')
    isWhole = true
    return state
  } finally {
    endPatience()
    // Abandoned within the transaction: the next caller gets another connection.
    client.release(!isWhole)
  }
}

async function* dumpTable(client: pg.PoolClient, table: string): AsyncGenerator<TablePart> {
  const columns = await listColumns(client, table)
  const values = columns.map((column) => `${quote(column.name)}::text`).join(', ')
  await client.query(
    `DECLARE dumped NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS line FROM ${quote(table)}`,
  )
  const names = columns.map(({ name }) => name)
  let lines: string[] = []
  let bytes = 0
  for (let isFirst = true; ;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${rowsAtOnce} FROM dumped`)
    for (const { line } of rows) {
      lines.push(line)
      bytes += line.length
      if (bytes < partBytes) continue
      yield { table, columns: names, lines }
      isFirst = false
      lines = []
      bytes = 0
    }
    if (rows.length > 0) continue
    if (lines.length > 0 || isFirst) yield { table, columns: names, lines }
    break
  }
  await client.query('CLOSE dumped')
}

async function readState(client: pg.PoolClient): Promise<DumpState> {
  const migrations = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  )
  const sequences = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  )
  return {
    migrations: migrations.rows.map(({ name }) => name),
    sequences: sequences.rows,
    rawSha256s: await readRawSha256s(client),
  }
}

async function readRawSha256s(client: pg.PoolClient): Promise<Buffer> {
  await client.query(
    `DECLARE raws NO SCROLL CURSOR FOR
     SELECT DISTINCT stored_sha256 AS sha256 FROM upload WHERE raw_removed_at IS NULL ORDER BY 1`,
  )
  const parts: Buffer[] = []
  for (;;) {
    const { rows } = await client.query<{ sha256: string }>(`FETCH ${rowsAtOnce} FROM raws`)
    if (rows.length === 0) break
    parts.push(Buffer.from(rows.map(({ sha256 }) => sha256).join(''), 'hex'))
  }
  await client.query('CLOSE raws')
  return Buffer.concat(parts)
}
