import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'

const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)

/** Declares a test on the first engine only: for what we decide or print, which no database can change. */
export type Once = (name: string, test: () => Promise<void>) => void

/** Runs the same tests on the embedded database and on a real PostgreSQL, each with an empty, migrated database. */
export function describeOnEngines(title: string, tests: (once: Once) => void): void {
  describeEmbedded(title, () => tests((name, test) => it(name, test)))

  describe.skipIf(postgres.kind === 'missing')(`${title} (PostgreSQL)`, () => {
    beforeAll(async () => {
      if (postgres.kind === 'missing') return
      await openDatabase({ dataFolder: '', databaseUrl: await postgres.createDatabase('migrated') })
    })
    afterAll(async () => {
      await closeDatabase()
      if (postgres.kind === 'running') await postgres.stop()
    })
    tests(() => undefined)
  })
}

/** Runs tests on the embedded database only: those that just read or print stored data. */
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
