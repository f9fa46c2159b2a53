import type pg from 'pg'

/** All tables except the one of the migrations, by name. */
export async function listTables(client: pg.PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
     AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** The columns that are written, not generated; in order. */
export async function listColumns(
  client: pg.PoolClient,
  table: string,
): Promise<readonly { readonly name: string; readonly type: string }[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quote(table)],
  )
  return rows
}

/** A name quoted for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
