import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { waitPatiently } from './silent-connections'

/** The advisory lock that `prisma migrate` takes: the two never migrate a database at the same time. */
export const migrationLock = 72707369

interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, hex: as Prisma writes it into the table. */
  readonly checksum: string
}

/** A start's changes to the database: names of migrations, in order. */
export interface MigrateResult {
  readonly applied: readonly string[]
  /** Applied earlier, but the file has changed since (line ends, a comment); left as they are, as Prisma does. */
  readonly modified: readonly string[]
}

const table = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/**
 * Brings a database up to date: `prisma migrate deploy` without Prisma's native engine, with the same folder layout,
 * table, checksums and lock, so that Prisma's own commands can continue from it and it from theirs. Each migration runs
 * in one transaction with its row, so that a kill leaves it either whole or absent. Throws with a sentence when another
 * instance holds the lock longer than `waitMs`, when a migration failed, and when the database has migrations that the
 * folder lacks (a newer Tailboard used it). `afterwards` runs under the same lock.
 */
export async function migrate(
  pool: Pool,
  folder: string,
  waitMs = 5 * 60_000,
  afterwards: (client: PoolClient) => Promise<void> = () => Promise.resolve(),
): Promise<MigrateResult> {
  const client = await pool.connect()
  const endPatience = waitPatiently(client)
  try {
    await client.query('SET statement_timeout = 0')
    await takeLock(client, waitMs)
    try {
      const result = await applyMissing(client, await readMigrations(folder))
      await afterwards(client)
      return result
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    }
  } finally {
    await client.query('RESET statement_timeout').catch(() => undefined)
    endPatience()
    client.release()
  }
}

async function takeLock(client: PoolClient, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock])
    if (rows[0]?.taken) return
    if (Date.now() >= deadline) {
      throw new Error(
        `Another process has been migrating this database for more than ${Math.round(waitMs / 1000)} seconds. ` +
          'Wait until it is done, or stop it, and start again.',
      )
    }
    await sleep(250)
  }
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(path.join(folder, name, 'migration.sql'))
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') }
    }),
  )
}

async function applyMissing(client: PoolClient, migrations: readonly Migration[]): Promise<MigrateResult> {
  await client.query(table)
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  )
  const known = new Map(rows.map((row) => [row.name, row]))
  const unknown = rows.filter((row) => !migrations.some((migration) => migration.name === row.name))
  if (unknown.length > 0) {
    throw new Error(
      `This database was made by a newer version of Tailboard (it has the migration ${unknown.map((row) => row.name).join(', ')}). ` +
        'Start that version, or use another database.',
    )
  }
  const applied: string[] = []
  const modified: string[] = []
  for (const migration of migrations) {
    const row = known.get(migration.name)
    if (row === undefined) {
      await apply(client, migration)
      applied.push(migration.name)
    } else if (!row.finished) {
      throw new Error(
        `The migration ${migration.name} failed earlier and may be half applied. ` +
          'Repair the database and run `npx prisma migrate resolve`, or restore a backup.',
      )
    } else if (row.checksum !== migration.checksum) modified.push(migration.name)
  }
  return { applied, modified }
}

async function apply(client: PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID()
  await client.query('BEGIN')
  try {
    await client.query('INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)', [
      id,
      checksum,
      name,
    ])
    await client.query(sql)
    await client.query(
      'UPDATE "_prisma_migrations" SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
      [id],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    const reason = error instanceof Error ? error.message : String(error)
    // Nothing of it remains, so the next start may try again; the row records why this one failed.
    await client.query(
      'INSERT INTO "_prisma_migrations" (id, checksum, migration_name, logs, rolled_back_at) VALUES ($1, $2, $3, $4, now())',
      [id, checksum, name, reason],
    )
    throw new Error(`The migration ${name} failed: ${reason}`, { cause: error })
  }
}
