import { randomUUID } from 'node:crypto'
import { access, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { databaseFailureOf } from './database-failure'
import { DatabaseThread } from './database-thread'
import { EmbeddedSession } from './embedded-session'
import { lockFolder } from './folder-lock'
import { RoomReserve } from './room-reserve'
import { makeFolder, syncPath, syncTree } from './sync-disk'

/** A database behind a pg.Pool; `close` ends the pool and everything behind it. */
export interface OpenPool {
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Major version of the PostgreSQL in the pinned PGlite, which cannot open a folder of another one. */
const embeddedMajor = '18'

/**
 * Opens the embedded PostgreSQL (PGlite, in a thread of this process) in `<dataFolder>/database`, and makes it if it is
 * missing. `worker`: the file of the thread; undefined: its source. Locks the folder for this process first. Throws a
 * sentence when another process holds it or when it cannot be opened.
 */
export async function openEmbedded(dataFolder: string, worker: string | undefined): Promise<OpenPool> {
  await makeFolder(dataFolder)
  const lock = await lockFolder(dataFolder)
  try {
    const folder = path.join(dataFolder, 'database')
    if (!(await checkFolder(folder))) await initialise(dataFolder, folder, worker)
    const reserve = new RoomReserve(path.join(dataFolder, 'reserve'))
    const session = await EmbeddedSession.open(folder, reserve, worker).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      if (databaseFailureOf(error) === 'full')
        throw new Error(
          `The database in ${folder} cannot be opened: ${reason}. It is as it was: make room and start again.`,
          { cause: error },
        )
      throw new Error(
        `The database in ${folder} cannot be opened: it is damaged (${reason}). ` +
          'Move the folder away and restore a backup: tailboard restore FILE (in a clone, npm run restore -- FILE).',
        { cause: error },
      )
    })
    const pool = poolOf(session)
    const stopWriting = writeLogNowAndThen(pool)
    const stopWatching = watchReserve(session, pool)
    const close = async () => {
      await Promise.all([stopWriting(), stopWatching()])
      await pool.end()
      await session.close()
      await lock.release()
    }
    return { pool, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** False: no database there yet. Throws when something else is there, or a database of another major version. */
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

/**
 * Makes the database under another name first: a process that ends in the middle leaves a folder that is never opened.
 */
async function initialise(dataFolder: string, folder: string, worker: string | undefined): Promise<void> {
  for (const entry of await readdir(dataFolder)) {
    if (entry.startsWith('database.new-')) await rm(path.join(dataFolder, entry), { recursive: true, force: true })
  }
  const fresh = `${folder}.new-${randomUUID()}`
  await makeFolder(fresh)
  await DatabaseThread.make(fresh, worker)
  await syncTree(fresh)
  await rename(fresh, folder)
  await syncPath(dataFolder)
}

const writeLogEveryMs = 30_000
const watchEveryMs = 1_000
const mayWrite = 'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE'
const mayNotWrite = 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'

/** Does what a server's log writer does: writes out the log for commits that did not wait for it. */
const writeLogNowAndThen = (pool: pg.Pool) => nowAndThen(writeLogEveryMs, () => writeLog(pool))

/** Allows writes to the database again once there is room. */
const watchReserve = (session: EmbeddedSession, pool: pg.Pool) =>
  nowAndThen(watchEveryMs, async () => {
    if (session.isOnReserve() && (await session.hasReserve())) await pool.query(mayWrite)
  })

/** Does something at an interval in ms, one at a time, until it is ended; returns a function that ends it. */
function nowAndThen(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    // A failure is tried again; statements that need the database report what is wrong with it.
    last = work()
      .catch(() => undefined)
      .finally(() => (isBusy = false))
  }, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return last
  }
}

async function writeLog(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ waits: boolean }>(
    `SELECT pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() AS waits`,
  )
  if (rows[0]?.waits) await pool.query(`SELECT pg_logical_emit_message(false, 'tailboard', '', true)`)
}

/** A pg.Pool of one client: the database has one session. */
function poolOf(session: EmbeddedSession): pg.Pool {
  const pool = new pg.Pool({
    stream: () => session.connect(),
    user: 'postgres',
    database: 'postgres',
    // PostgreSQL settings in the environment are not meant for this one.
    ssl: false,
    options: '',
    max: 1,
    idleTimeoutMillis: 0,
    // A client that the pool dropped leaves transaction, settings and named statements in the one session.
    onConnect: async (client) => {
      await client.query('ROLLBACK')
      await client.query('DISCARD ALL')
      if (session.isOnReserve()) await client.query(mayNotWrite)
    },
  })
  // The pool replaces a client that breaks; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}
