import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databasePool } from '@/prisma/db'
import { migrate, migrationLock } from '@/prisma/migrate'
import { describeOnEngines } from '../engines'

const real = path.join(import.meta.dirname, '../../../prisma/migrations')

describeOnEngines(
  'migrations',
  () => {
    let folder = ''
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tailboard-migrations-'))
      await cp(real, folder, { recursive: true })
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    const add = async (name: string, sql: string) => {
      await mkdir(path.join(folder, name), { recursive: true })
      await writeFile(path.join(folder, name, 'migration.sql'), sql)
    }
    const remove = (name: string) => rm(path.join(folder, name), { recursive: true })
    const rows = async () =>
      (await databasePool().query<Record<string, unknown>>('SELECT * FROM _prisma_migrations ORDER BY started_at')).rows

    it('leave the table as Prisma expects it', async () => {
      const columns = await databasePool().query(
        `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
       FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
      )
      const column = (
        name: string,
        type: string,
        length: number | null,
        nullable: boolean,
        fallback: string | null,
      ) => ({
        column_name: name,
        data_type: type,
        character_maximum_length: length,
        is_nullable: nullable ? 'YES' : 'NO',
        column_default: fallback,
      })
      const time = 'timestamp with time zone'
      // What `prisma migrate deploy` 7.10 writes.
      expect(columns.rows).toEqual([
        column('id', 'character varying', 36, false, null),
        column('checksum', 'character varying', 64, false, null),
        column('finished_at', time, null, true, null),
        column('migration_name', 'character varying', 255, false, null),
        column('logs', 'text', null, true, null),
        column('rolled_back_at', time, null, true, null),
        column('started_at', time, null, false, 'now()'),
        column('applied_steps_count', 'integer', null, false, '0'),
      ])
      const names = (await readdir(real, { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
      const found = await rows()
      expect(found.map((row) => row.migration_name)).toEqual(names.sort())
      for (const row of found) {
        const sql = await readFile(path.join(real, String(row.migration_name), 'migration.sql'))
        expect(row.checksum).toBe(createHash('sha256').update(sql).digest('hex'))
        expect(row.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
        expect(row).toMatchObject({ logs: null, rolled_back_at: null, applied_steps_count: 1 })
        expect(row.finished_at).toBeInstanceOf(Date)
      }
    })

    it('run once, in order, even if several instances start', async () => {
      await add('20990101000000_b', 'ALTER TABLE thing ADD COLUMN b int; INSERT INTO thing VALUES (1, 2);')
      await add('20990100000000_a', 'CREATE TABLE thing (a int);')
      const results = await Promise.all([1, 2, 3].map(() => migrate(databasePool(), folder)))
      expect(results.flatMap((result) => result.applied)).toEqual(['20990100000000_a', '20990101000000_b'])
      expect((await databasePool().query('SELECT * FROM thing')).rows).toEqual([{ a: 1, b: 2 }])
      expect(await migrate(databasePool(), folder)).toEqual({ applied: [], modified: [] })
    })

    it('that fail leave nothing behind, say why, and are retried', async () => {
      const name = '20990102000000_c'
      await add(name, 'CREATE TABLE half (a int); SELECT 1/0;')
      await expect(migrate(databasePool(), folder)).rejects.toThrow(/20990102000000_c failed: .*division by zero/)
      await expect(databasePool().query('SELECT * FROM half')).rejects.toThrow(/does not exist/)
      expect((await rows()).at(-1)).toMatchObject({ migration_name: name, finished_at: null, logs: 'division by zero' })
      expect((await rows()).at(-1)?.rolled_back_at).toBeInstanceOf(Date)
      await add(name, 'CREATE TABLE half (a int);')
      expect((await migrate(databasePool(), folder)).applied).toEqual([name])
    })

    it('with changed files are left alone and named', async () => {
      await add('20990102000000_c', 'CREATE TABLE half (a int); -- changed')
      expect(await migrate(databasePool(), folder)).toEqual({ applied: [], modified: ['20990102000000_c'] })
    })

    it('from a newer version, and ones that failed in Prisma, stop the start', async () => {
      await remove('20990102000000_c')
      await expect(migrate(databasePool(), folder)).rejects.toThrow(/newer version of Tailboard .*20990102000000_c/)
      await databasePool().query('DELETE FROM _prisma_migrations WHERE migration_name = $1', ['20990102000000_c'])
      await add('20990103000000_d', 'SELECT 1')
      await databasePool().query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'y', '20990103000000_d', 'oops')`,
      )
      await expect(migrate(databasePool(), folder)).rejects.toThrow(/20990103000000_d failed earlier/)
    })

    it('wait for another process that migrates, but not forever', async () => {
      const pool = databasePool()
      if (pool.options.max === 1) return // one session: nothing else can hold the lock
      const other = await pool.connect()
      try {
        await other.query('SELECT pg_advisory_lock($1)', [migrationLock])
        await expect(migrate(pool, real, 600)).rejects.toThrow(/Another process has been migrating/)
        const late = migrate(pool, folder, 10_000)
        await other.query('SELECT pg_advisory_unlock($1)', [migrationLock])
        await expect(late).rejects.toThrow(/failed earlier/)
      } finally {
        other.release()
      }
    })
  },
  'schema',
)
