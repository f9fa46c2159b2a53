import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'

const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)

/** Declares a test on one engine alone: of what our own code decides or prints, which no database can change. */
export type Once = (name: string, test: () => Promise<void>) => void

const run: Once = (name, test) => it(name, test)
const skip: Once = () => undefined

/**
 * Runs the same tests on the embedded database and on a real PostgreSQL, each with an empty, migrated database: those of
 * statements that lock, wait for each other, or depend on the session.
 */
export function describeOnEngines(title: string, tests: (once: Once) => void): void {
  describeEmbedded(title, () => tests(postgres.kind === 'missing' ? run : skip))
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

/** Runs tests on the embedded database alone: those of what only it does. */
export function describeEmbedded(title: string, tests: () => void): void {
  describe(`${title} (embedded database)`, () => {
    let dataFolder = ''
    beforeAll(async () => {
      dataFolder = await makeDataFolder()
      await openDatabase({ dataFolder })
    })
    afterAll(async () => {
      await closeDatabase()
      await rm(dataFolder, { recursive: true, force: true })
    })
    tests()
  })
}
