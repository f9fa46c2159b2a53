import { PrismaPg } from '@prisma/adapter-pg'
import path from 'node:path'
import pg from 'pg'
import { openEmbedded, type OpenPool } from './embedded'
import { PrismaClient } from './generated/client'
import { migrate } from './migrate'
import { poolForPrisma, withRawStatements } from './raw-statements'
import { endWhenSilent } from './silent-connections'

/** Where the data is. Without a `databaseUrl`, the embedded database in `dataFolder` is used. */
export interface DatabaseSettings {
  readonly dataFolder: string
  /** `postgres://…`, PostgreSQL 15 or later. */
  readonly databaseUrl?: string | null | undefined
  /**
   * The server itself when `databaseUrl` is a pooler that lends a connection per transaction only, such as PgBouncer.
   * Absent: `databaseUrl` is the server.
   */
  readonly directUrl?: string | null | undefined
  /** The file of the thread that the embedded database runs in. Default: its source, which tsx reads. */
  readonly databaseWorker?: string | undefined
  /** Default: prisma/migrations under the working directory. */
  readonly migrationsFolder?: string | undefined
}

interface OpenDatabase extends OpenPool {
  readonly client: PrismaClient
}

declare global {
  // Instrumentation and routes are separate bundles, each with a copy of this module; only globalThis is shared.
  var tailboardDatabase: { opening: Promise<OpenDatabase>; open: OpenDatabase | null } | undefined
}

const oldestServerVersion = 150000

/**
 * Opens and migrates the database of this process; does nothing if it is open. Throws an Error whose message is a
 * sentence for the person who starts the server: folder in use, server not reachable or too old, migration failed.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<void> {
  globalThis.tailboardDatabase ??= { opening: open(settings), open: null }
  const state = globalThis.tailboardDatabase
  try {
    state.open = await state.opening
  } catch (error) {
    if (globalThis.tailboardDatabase === state) globalThis.tailboardDatabase = undefined
    throw error
  }
}

/** Closes all connections and releases the data folder. Does nothing when the database is not open. */
export async function closeDatabase(): Promise<void> {
  const state = globalThis.tailboardDatabase
  globalThis.tailboardDatabase = undefined
  const open = await state?.opening.catch(() => null)
  if (!open) return
  await open.client.$disconnect()
  await open.close()
}

/** The Prisma client. Throws when `openDatabase` has not finished. */
export function database(): PrismaClient {
  return current().client
}

/**
 * The connections below Prisma, for SQL that Prisma cannot express. The embedded database has one: release it.
 * @internal For tests and benches.
 */
export function databasePool(): pg.Pool {
  return current().pool
}

function current(): OpenDatabase {
  const open = globalThis.tailboardDatabase?.open
  if (!open) throw new Error('The database is not open yet.')
  return open
}

async function open(settings: DatabaseSettings): Promise<OpenDatabase> {
  const { databaseUrl, directUrl } = settings
  const folder = settings.migrationsFolder ?? path.join(process.cwd(), 'prisma', 'migrations')
  if (databaseUrl && directUrl) await prepareDirectly(directUrl, folder)
  const opened = databaseUrl
    ? await connect(databaseUrl, directUrl ? pooledSettings : sessionSettings)
    : await openEmbedded(settings.dataFolder, settings.databaseWorker)
  try {
    if (!directUrl) await migrate(opened.pool, folder)
    const client = new PrismaClient({
      adapter: new PrismaPg(poolForPrisma(opened.pool)),
      // The embedded database has one session: transactions queue for it.
      transactionOptions: { maxWait: 60_000, timeout: 60_000 },
    })
    return { ...opened, client: withRawStatements(client, opened.pool) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * Every statement reads some rows by an index. The planner may expect so many that compiling and helpers seem worth
 * their start, which takes longer than the statement.
 */
const planSettings = { jit: 'off', max_parallel_workers_per_gather: '0' }
const limitSettings = {
  statement_timeout: 30_000,
  lock_timeout: 8_000,
  idle_in_transaction_session_timeout: 30_000,
}
const sessionSettings = {
  ...limitSettings,
  application_name: 'tailboard',
  options: Object.entries(planSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
}
/** A pooler has no sessions to take settings for: they belong to the role. */
const pooledSettings = { application_name: 'tailboard' }

/**
 * What a pooler cannot do, done on the server itself: migrations, whose lock belongs to a session, and the settings
 * that sessions begin with, for this role in this database.
 */
async function prepareDirectly(directUrl: string, migrationsFolder: string): Promise<void> {
  const { pool, close } = await connect(directUrl, { application_name: 'tailboard' }, 'TAILBOARD_DATABASE_DIRECT_URL')
  try {
    await migrate(pool, migrationsFolder, undefined, setRole)
  } finally {
    await close()
  }
}

/** Under the lock of migrations: two that change one role at the same time fail. */
async function setRole(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ config: string[] | null; role: string; name: string }>(
    `SELECT current_user AS role, current_database() AS name, (
      SELECT setconfig FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
      WHERE setrole = current_user::regrole AND datname = current_database()
    ) AS config`,
  )
  const { config, role = '', name = '' } = rows[0] ?? {}
  for (const [setting, value] of Object.entries({ ...planSettings, ...limitSettings }))
    if (!config?.includes(`${setting}=${value}`))
      await client.query(
        `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(name)} SET ${setting} = '${value}'`,
      )
}

async function connect(databaseUrl: string, session: pg.PoolConfig, variable = 'DATABASE_URL'): Promise<OpenPool> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 3_000,
    // A new connection has no tables cached: its first statements take several times as long.
    idleTimeoutMillis: 600_000,
    keepAlive: true,
    ...session,
  })
  // The pool replaces an idle connection that breaks; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', endWhenSilent)
  const close = () => pool.end()
  try {
    const { rows } = await pool.query<{ number: number; version: string }>(
      `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
    )
    const [server] = rows
    if (server === undefined || server.number < oldestServerVersion) {
      throw new Error(
        `Tailboard needs PostgreSQL 15 or later, and the server of ${variable} is ${server?.version ?? 'unknown'}.`,
      )
    }
    return { pool, close }
  } catch (error) {
    await close()
    if (error instanceof Error && error.message.startsWith('Tailboard needs')) throw error
    // For PgBouncer: it has no sessions to set anything in, and a session's lock would not hold.
    if (error instanceof Error && error.message.includes('unsupported startup parameter'))
      throw new Error(
        `${variable} is a pooler${hostOf(databaseUrl)}: set TAILBOARD_DATABASE_DIRECT_URL to the PostgreSQL behind it, for migrations.`,
      )
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error)
    throw new Error(`The PostgreSQL of ${variable}${hostOf(databaseUrl)} cannot be used: ${reason}.`, { cause: error })
  }
}

/** ` (host:port)`, never the password; empty when the address cannot be read. */
function hostOf(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null
  return url?.host ? ` (${url.host})` : ''
}
