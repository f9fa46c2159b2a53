import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { InvalidInputError } from '@/lib/errors'
import { listFilledTables, loadTables } from '@/prisma/queries/installation/load-tables'
import type { TablePart } from '@/prisma/queries/installation/dump-tables'
import { makeFolder, syncPath } from '@/prisma/sync-disk'
import { rawStore } from '../store/process-store'
import { tableHeadSchema, type Manifest } from './manifest'
import { readEntries, textOf, verifyBackup } from './read-backup'

/** What was restored. */
export interface Restored {
  readonly rows: number
  readonly rawFiles: number
  readonly madeAt: string
}

/** Opens the database with the migrations of a folder, and closes it. */
interface Opening {
  open(migrationsFolder: string): Promise<void>
  close(): Promise<void>
}

/**
 * Restores a backup into an empty installation. Verifies the whole file before writing anything; writes rows in one
 * transaction. A backup from an earlier version is restored as it was, then migrated. Throws InvalidInputError.
 */
export async function restoreBackup(
  file: string,
  dataFolder: string,
  migrationsFolder: string,
  database: Opening,
): Promise<Restored> {
  const manifest = await verifyBackup(file)
  const used = await filesOf(dataFolder)
  if (used.length > 0) throw notEmpty(`the data folder ${dataFolder} has ${used[0]}`)
  if (!(await rawStore().isEmpty())) throw notEmpty('there are raw files in the store')
  const own = await mkdtemp(path.join(tmpdir(), 'tailboard-migrations-'))
  try {
    await copyMigrations(manifest, migrationsFolder, own)
    await database.open(own)
    const filled = await listFilledTables()
    if (filled.length > 0) throw notEmpty(`the database has rows in ${filled.join(', ')}`)
    const rawFiles = await restoreFiles(file, dataFolder)
    const { rows } = await loadTables(partsOf(file), manifest.sequences)
    await database.close()
    await database.open(migrationsFolder)
    return { rows, rawFiles, madeAt: manifest.madeAt }
  } finally {
    await database.close()
    await rm(own, { recursive: true, force: true })
  }
}

const notEmpty = (what: string) =>
  new InvalidInputError(
    `A backup is only restored into an empty installation: ${what}. Set TAILBOARD_DATA, DATABASE_URL and TAILBOARD_S3_BUCKET to empty ones.`,
  )

/** Keys of an installation; the database itself is examined once it is open. */
async function filesOf(dataFolder: string): Promise<readonly string[]> {
  const names = await readdir(dataFolder).catch(() => [])
  return names.filter((name) => name.endsWith('.key'))
}

/** The migrations that the backup was made with, so that the tables are made as they were. */
async function copyMigrations({ migrations }: Manifest, from: string, to: string): Promise<void> {
  const known = new Set(await readdir(from))
  for (const name of migrations) {
    if (!known.has(name) || name !== path.basename(name))
      throw new InvalidInputError(`The backup was made by a newer version of Tailboard (it has the migration ${name}).`)
    await mkdir(path.join(to, name))
    await copyFile(path.join(from, name, 'migration.sql'), path.join(to, name, 'migration.sql'))
  }
}

async function restoreFiles(file: string, dataFolder: string): Promise<number> {
  await makeFolder(dataFolder)
  let rawFiles = 0
  for await (const { name, bytes } of readEntries(file)) {
    const [kind, own = ''] = name.split('/')
    if (kind === 'raw') {
      const writer = await rawStore().create()
      try {
        for await (const chunk of bytes) await writer.write(chunk)
        await writer.sync()
        await writer.keep(own)
      } catch (error) {
        await writer.discard()
        throw error
      }
      rawFiles += 1
    }
    if (kind === 'keys' && /^[\w-]+\.key$/.test(own)) {
      const target = path.join(dataFolder, own)
      await writeFile(target, await textOf(bytes), { flag: 'wx', flush: true })
      await chmod(target, 0o600)
    }
  }
  await syncPath(dataFolder)
  return rawFiles
}

async function* partsOf(file: string): AsyncGenerator<TablePart> {
  for await (const { name, bytes } of readEntries(file)) {
    if (!name.startsWith('tables/')) continue
    const [head = '', ...lines] = (await textOf(bytes)).trimEnd().split('\n')
    yield { ...tableHeadSchema.parse(JSON.parse(head)), lines }
  }
}
