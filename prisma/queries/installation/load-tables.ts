import type pg from 'pg'
import { InvalidInputError } from '../../../lib/errors'
import { databasePool } from '../../db'
import { waitPatiently } from '../../silent-connections'
import { listColumns, listTables, quote } from '../../statements/catalog'
import type { DumpState, TablePart } from './dump-tables'

/** The tables that have rows. */
export async function listFilledTables(): Promise<readonly string[]> {
  const client = await databasePool().connect()
  try {
    const filled: string[] = []
    for (const table of await listTables(client)) {
      const { rows } = await client.query(`SELECT 1 FROM ${quote(table)} LIMIT 1`)
      if (rows.length > 0) filled.push(table)
    }
    return filled
  } finally {
    client.release()
  }
}

/**
 * Writes a dump into the empty tables of the same migrations, in one transaction: all of it or nothing. The dump
 * already has the rows that triggers made, so triggers are off; references are checked at the end. Throws
 * InvalidInputError when the dump has an unknown table or column, or lacks one.
 */
export async function loadTables(
  parts: AsyncIterable<TablePart>,
  sequences: DumpState['sequences'],
): Promise<{ readonly rows: number }> {
  const client = await databasePool().connect()
  const endPatience = waitPatiently(client)
  let isWhole = false
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL statement_timeout = 0`)
    const tables = await listTables(client)
    const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
      `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
    )
    for (const { table, name } of references) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
    for (const table of tables) await client.query(`ALTER TABLE ${quote(table)} DISABLE TRIGGER USER`)
    const seen = new Set<string>()
    let rows = 0
    for await (const part of parts) {
      if (!tables.includes(part.table)) throw new InvalidInputError(`There is no table ${part.table} here.`)
      await loadPart(client, part)
      seen.add(part.table)
      rows += part.lines.length
    }
    const missing = tables.filter((table) => !seen.has(table))
    if (missing.length > 0) throw new InvalidInputError(`The backup lacks the tables ${missing.join(', ')}.`)
    for (const { name, last } of sequences) await client.query('SELECT setval($1::regclass, $2)', [quote(name), last])
    for (const table of tables) await client.query(`ALTER TABLE ${quote(table)} ENABLE TRIGGER USER`)
    for (const { table, name, definition } of references)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    await client.query('COMMIT')
    isWhole = true
    return { rows }
  } finally {
    endPatience()
    client.release(!isWhole)
  }
}

async function loadPart(client: pg.PoolClient, { table, columns, lines }: TablePart): Promise<void> {
  const own = await listColumns(client, table)
  if (own.map(({ name }) => name).join() !== columns.join())
    throw new InvalidInputError(`The columns of ${table} are others here.`)
  if (lines.length === 0) return
  const values = own.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ')
  const into = `${quote(table)} (${own.map(({ name }) => quote(name)).join(', ')})`
  await client.query(`INSERT INTO ${into} OVERRIDING SYSTEM VALUE SELECT ${values} FROM unnest($1::json[]) AS line`, [
    lines,
  ])
}
