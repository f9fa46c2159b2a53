import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe } from 'vitest'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'

const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)

/** Runs the same tests on the embedded database and on a real PostgreSQL, each with an empty, migrated database. */
export function describeOnEngines(title: string, tests: () => void): void {
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

  describe.skipIf(postgres.kind === 'missing')(`${title} (PostgreSQL)`, () => {
    beforeAll(async () => {
      if (postgres.kind === 'missing') return
      await openDatabase({ dataFolder: '', databaseUrl: await postgres.createDatabase() })
    })
    afterAll(async () => {
      await closeDatabase()
      if (postgres.kind === 'running') await postgres.stop()
    })
    tests()
  })
}
