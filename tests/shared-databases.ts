import { cpSync } from 'node:fs'
import { access, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { TestProject } from 'vitest/node'
import { loadSampleData } from '@/app/_server/load-sample-data'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { baselineWasm } from './baseline-wasm'
import { startPostgres, templateVariable } from './postgres'
import { sampledFolder } from './sampled-folder'

setFlagsFromString(baselineWasm) // the databases below are made in this process

const serverVariable = 'TAILBOARD_TEST_DATABASE_URL'
const folderVariable = 'TAILBOARD_TEST_DATA_FOLDER'
/**
 * Where `npm test` has the suites create the folders that all copy; without it each suite creates and removes its own.
 */
const allVariable = 'TAILBOARD_TEST_FOLDERS'

/**
 * Vitest's global setup for the suites with databases. Starts one PostgreSQL for all files, and creates one data folder
 * and one migrated database for them to copy, since creating any of them takes seconds. For the suite `server` they are
 * as after a first start, with the sample data; for the other, an empty, migrated database. Returns the teardown.
 */
export default async function setup({ name }: Pick<TestProject, 'name'>): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  if (postgres.kind === 'running') {
    process.env[serverVariable] = postgres.serverUrl
    const template = await postgres.createDatabase()
    await openDatabase({ dataFolder: '', databaseUrl: template })
    await closeDatabase()
    process.env[templateVariable] = new URL(template).pathname.slice(1)
  } else process.stdout.write(`${postgres.reason}\n`)
  const given = process.env[allVariable]
  const all = given ?? (await mkdtemp(path.join(tmpdir(), 'tailboard-migrated-')))
  process.env[folderVariable] = name === 'server' ? await makeSampled(all) : await makeMigrated(all)
  return async () => {
    if (postgres.kind === 'running') await postgres.stop()
    if (given === undefined) await rm(all, { recursive: true, force: true })
  }
}

const isThere = (folder: string) =>
  access(folder).then(
    () => true,
    () => false,
  )

/** A data folder with an empty, migrated database; created if missing. */
async function makeMigrated(all: string): Promise<string> {
  const folder = path.join(all, 'migrated')
  if (await isThere(folder)) return folder
  await openDatabase({ dataFolder: folder })
  await closeDatabase()
  return folder
}

/** A data folder as after a first start; created if missing. */
async function makeSampled(all: string): Promise<string> {
  const folder = sampledFolder(all)
  if (await isThere(folder)) return folder
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  cpSync(await makeMigrated(all), unfinished, { recursive: true })
  process.env.TAILBOARD_DATA = unfinished // where the raw files of the samples go
  await openDatabase({ dataFolder: unfinished })
  await loadSampleData(localViewer)
  await closeDatabase()
  delete process.env.TAILBOARD_DATA
  await rename(unfinished, folder)
  return folder
}

/** A new data folder, copied from the one that the setup created. The caller removes it. */
export const makeDataFolder = (): Promise<string> => copyDataFolder(migratedFolder(), tmpdir())

/** The same for a worker that uses it to its end: the setup's teardown removes it. */
export const makeWorkersFolder = (): Promise<string> => copyDataFolder(migratedFolder(), path.dirname(migratedFolder()))

function migratedFolder(): string {
  const migrated = process.env[folderVariable]
  if (migrated === undefined) throw new Error('No migrated data folder: tests/shared-databases.ts is the global setup.')
  return migrated
}

/** Synchronously, which takes half the time: there are more than a thousand files. */
async function copyDataFolder(source: string, into: string): Promise<string> {
  const folder = await mkdtemp(path.join(into, 'tailboard-data-'))
  cpSync(source, folder, { recursive: true })
  return folder
}
