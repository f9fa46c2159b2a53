import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { lockFolder } from './folder-lock'

/** A database behind a pg.Pool; `close` ends the pool and whatever is behind it. */
export interface OpenPool {
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Major version of the PostgreSQL that the pinned PGlite is; a folder of another one cannot be opened by it. */
const embeddedMajor = '18'

/**
 * Opens the embedded PostgreSQL (PGlite, in this process) in `<dataFolder>/database` and makes it when it is not there.
 * The folder is locked for this process first. Throws a sentence when another process holds it or when what is there
 * cannot be opened.
 */
export async function openEmbedded(dataFolder: string): Promise<OpenPool> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const lock = await lockFolder(dataFolder)
  try {
    const folder = path.join(dataFolder, 'database')
    if (!(await checkFolder(folder))) await initialise(dataFolder, folder)
    const db = await PGlite.create(folder)
    const pool = poolOf(db)
    const close = async () => {
      await pool.end()
      await db.close()
      await lock.release()
    }
    return { pool, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** False: no database there yet. Throws when there is something else, or a database of another major version. */
async function checkFolder(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => null)
  if (entries === null || entries.length === 0) {
    if (entries !== null) await rm(folder, { recursive: true })
    return false
  }
  const version = (await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  const hasControl = await access(path.join(folder, 'global', 'pg_control')).then(
    () => true,
    () => false,
  )
  if (version === '' || !hasControl) {
    throw new Error(
      `${folder} is not a database that Tailboard can open (PG_VERSION or global/pg_control is missing). ` +
        'Move it away and start again for an empty one, or restore a backup of it.',
    )
  }
  if (version !== embeddedMajor) {
    throw new Error(
      `${folder} was made by PostgreSQL ${version}, and this version of Tailboard brings PostgreSQL ${embeddedMajor}. ` +
        'Start the version that made it, or set TAILBOARD_DATA to another folder.',
    )
  }
  return true
}

/** Makes the database under another name first: a kill in the middle leaves a folder that nobody opens. */
async function initialise(dataFolder: string, folder: string): Promise<void> {
  for (const entry of await readdir(dataFolder)) {
    if (entry.startsWith('database.new-')) await rm(path.join(dataFolder, entry), { recursive: true, force: true })
  }
  const fresh = `${folder}.new-${randomUUID()}`
  await mkdir(fresh, { mode: 0o700 })
  const db = await PGlite.create(fresh)
  await db.close()
  await rename(fresh, folder)
}

/**
 * A pg.Pool of one client on PGlite, which has one session. Mends two defects of its node-postgres bridge: every client
 * needs a connection of its own, and pg hands its type parsers on as `types`, which PGlite reads as parameter OIDs.
 */
function poolOf(db: PGlite): pg.Pool {
  class EmbeddedClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      const { connection, ...rest } = createPgConfig(db)
      const parse = connection.parse.bind(connection)
      connection.parse = (query: { types?: unknown }) =>
        parse({ ...query, types: Array.isArray(query.types) ? query.types : undefined })
      const config = { ...options, ...rest, connection }
      super(config)
    }
  }
  const pool = new pg.Pool({
    Client: EmbeddedClient,
    max: 1,
    idleTimeoutMillis: 0,
    // A client that the pool gave up within a transaction leaves it open in the one session; its successor ends it.
    onConnect: async (client) => void (await client.query('ROLLBACK')),
  })
  // A client that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}
