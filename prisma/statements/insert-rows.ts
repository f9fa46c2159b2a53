import { storableText } from '../../lib/text'
import { Prisma } from '../generated/client'
import { columnOf } from '../rows/figure-columns'
import type { Db } from './access'

/**
 * Inserts rows of a table, fields under our names; fields missing in a row are null, fields missing in all rows get the
 * table's default. All rows are one parameter: with a parameter per value, Prisma plans the statement anew each time,
 * which takes as long as running it. `returning`: what the statement returns, of the rows `r`. Names never contain
 * input.
 */
export function insertRows(
  db: Db,
  table: 'draft_run' | 'histogram' | 'run' | 'run_cube' | 'upload',
  rows: readonly object[],
  returning: Prisma.Sql = Prisma.raw('1'),
): Promise<unknown> {
  const named = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value])),
  )
  const columns = [...new Set(named.flatMap((row) => Object.keys(row)))].map((name) => `"${name}"`).join(', ')
  return db.$queryRaw`
    INSERT INTO ${Prisma.raw(`"${table}" AS r (${columns})`)}
    SELECT ${Prisma.raw(columns)} FROM json_populate_recordset(${Prisma.raw(`NULL::"${table}"`)}, ${JSON.stringify(named, columnValue)}::json)
    RETURNING ${returning}`
}

function columnValue(_field: string, value: unknown): unknown {
  if (value === Prisma.DbNull) return null
  if (typeof value === 'string') return storableText(value)
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
}
