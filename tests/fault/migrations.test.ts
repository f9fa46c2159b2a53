import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres'

/** `npm run test:faults` sets 20. */
const rounds = Number(process.env.TAILBOARD_STOPS ?? 1)
const postgres = await startPostgres()
const program = path.join(import.meta.dirname, 'open-on-postgres.ts')
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-migrations-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  if (postgres.kind === 'running') await postgres.stop()
})

/** A process that migrates a database and prints `open`, or why not. */
function start(databaseUrl: string): { readonly child: ChildProcess; readonly line: Promise<string> } {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, ['--import', 'tsx', program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  line.catch(() => undefined)
  return { child, line }
}

async function migrationsOf(databaseUrl: string): Promise<{ readonly done: number; readonly failed: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ done: number; failed: number }>(
    `SELECT count(DISTINCT migration_name) FILTER (WHERE finished_at IS NOT NULL)::int AS done,
       count(*) FILTER (WHERE finished_at IS NULL OR rolled_back_at IS NOT NULL)::int AS failed FROM "_prisma_migrations"`,
  )
  await client.end()
  return rows[0] ?? { done: 0, failed: 0 }
}

describe.skipIf(postgres.kind === 'missing')('migrations on PostgreSQL', { timeout: 900_000 }, () => {
  const makeDatabase = () => (postgres.kind === 'running' ? postgres.createDatabase('empty') : Promise.resolve(''))
  let wanted = 0

  it('run once when five instances start together', async () => {
    for (let round = 0; round < Math.max(1, rounds / 4); round += 1) {
      const databaseUrl = await makeDatabase()
      const started = Array.from({ length: 5 }, () => start(databaseUrl))
      expect(await Promise.all(started.map(({ line }) => line))).toEqual(started.map(() => 'open'))
      const { done, failed } = await migrationsOf(databaseUrl)
      expect(failed).toBe(0)
      wanted = done
    }
    expect(wanted).toBeGreaterThan(30)
  })

  it('continue where a kill left them', async () => {
    let killed = 0
    for (let round = 0; round < rounds; round += 1) {
      const databaseUrl = await makeDatabase()
      const first = start(databaseUrl)
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const hasBegun = () =>
        client.query(`SELECT 1 FROM pg_tables WHERE tablename = '_prisma_migrations'`).then(({ rowCount }) => rowCount)
      while ((await hasBegun()) === 0) await sleep(2)
      await client.end()
      await sleep((round * 37) % 200)
      first.child.kill('SIGKILL')
      await once(first.child, 'exit')
      if ((await migrationsOf(databaseUrl)).done < wanted) killed += 1
      expect(await start(databaseUrl).line).toBe('open')
      expect(await migrationsOf(databaseUrl)).toEqual({ done: wanted, failed: 0 })
    }
    process.stdout.write(`${rounds} kills while migrating, ${killed} of them half way: all opened\n`)
  })
})
