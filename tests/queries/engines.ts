import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { startPostgres } from '../postgres'
import { makeWorkersFolder } from '../shared-databases'

const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)

/** Declares a test on one engine only: of our own decisions and texts, which no database can change. */
export type Once = (name: string, test: () => Promise<void>) => void

const run: Once = (name, test) => it(name, test)
const skip: Once = () => undefined

/**
 * Runs the same tests on the embedded database and on a real PostgreSQL, each with an empty, migrated database: those
 * of statements that lock, wait for each other, or depend on the session. `leaves`: see `describeEmbedded`.
 */
export function describeOnEngines(
  title: string,
  tests: (once: Once) => void,
  leaves: 'rows' | 'schema' = 'rows',
): void {
  describeEmbedded(title, () => tests(postgres.kind === 'missing' ? run : skip), leaves)
  describeOnPostgres(title, () => tests(run))
}

/**
 * Runs tests on one engine: PostgreSQL, which takes a third of the time, or the embedded database on a machine without
 * it. Pages and routes ask the same of the embedded one in the suites `server` and `e2e`.
 */
export function describeOnOneEngine(title: string, tests: () => void): void {
  if (postgres.kind === 'missing') describeEmbedded(title, tests)
  else describeOnPostgres(title, tests)
}

function describeOnPostgres(title: string, tests: () => void): void {
  describe.skipIf(postgres.kind === 'missing')(`${title} (PostgreSQL)`, () => {
    beforeAll(async () => {
      if (postgres.kind === 'missing') return
      await openDatabase({ dataFolder: '', databaseUrl: await postgres.createDatabase('migrated') })
    })
    afterAll(async () => {
      await closeDatabase()
      if (postgres.kind === 'running') await postgres.stop()
    })
    tests()
  })
}

/**
 * Runs tests on the embedded database only: those of its own behaviour. A worker has one for all of its files, emptied
 * before each: starting one and warming it up takes longer than most files. `leaves: 'schema'`: the tests change more
 * than rows, so that the next file starts another one.
 */
export function describeEmbedded(title: string, tests: () => void, leaves: 'rows' | 'schema' = 'rows'): void {
  describe(`${title} (embedded database)`, () => {
    beforeAll(async () => {
      if (globalThis.embeddedOfWorker === undefined) {
        await openDatabase({ dataFolder: await makeWorkersFolder() })
        globalThis.embeddedOfWorker = globalThis.tailboardDatabase
      } else {
        globalThis.tailboardDatabase = globalThis.embeddedOfWorker
        await emptyDatabase()
      }
    })
    afterAll(async () => {
      if (leaves === 'schema') {
        globalThis.embeddedOfWorker = undefined
        await closeDatabase()
      } else globalThis.tailboardDatabase = undefined // it stays open
    })
    tests()
  })
}

declare global {
  var embeddedOfWorker: typeof globalThis.tailboardDatabase
}

/** As after the migrations, none of which leaves a row. */
async function emptyDatabase(): Promise<void> {
  const { rows } = await databasePool().query<{ tables: string }>(
    `SELECT string_agg(quote_ident(tablename), ',') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  )
  await databasePool().query(`TRUNCATE ${rows[0]?.tables} RESTART IDENTITY CASCADE`)
}
