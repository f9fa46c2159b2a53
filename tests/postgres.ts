import { randomBytes } from 'node:crypto'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/** The name of the migrated database that others are copied from. Set by the global setup. */
export const templateVariable = 'TAILBOARD_TEST_TEMPLATE'

/** A PostgreSQL for tests. `kind: 'missing'`: none could be started, `reason` is a sentence. */
export type TestPostgres =
  | {
      readonly kind: 'running'
      /** Of the server's own database, for a user who may create others. */
      readonly serverUrl: string
      /** Creates a database, empty or with our migrations, and returns its URL. */
      createDatabase(kind?: 'empty' | 'migrated'): Promise<string>
      /** Drops what was created and stops the server, if it is ours. */
      stop(): Promise<void>
    }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * The server at TAILBOARD_TEST_DATABASE_URL (a user who may create databases), otherwise a private one, started from
 * the machine's binaries in its own folder and listening on 127.0.0.1 only. It ends with this process at the latest.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TAILBOARD_TEST_DATABASE_URL
  if (given) return serverAt(given, () => Promise.resolve())
  try {
    const { url, end } = await startOwn()
    return serverAt(url, end)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return {
      kind: 'missing',
      reason: `No PostgreSQL could be started, its half of the query tests is skipped: ${reason} (Install PostgreSQL 15 or later, or set TAILBOARD_TEST_DATABASE_URL.)`,
    }
  }
}

function serverAt(serverUrl: string, end: () => Promise<void>): TestPostgres {
  const made: string[] = []
  const asAdmin = async (sql: string) => {
    const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 3_000 })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  return {
    kind: 'running',
    serverUrl,
    createDatabase: async (kind = 'empty') => {
      const name = `tailboard_test_${randomBytes(6).toString('hex')}`
      const migrated = process.env[templateVariable]
      if (kind === 'migrated' && migrated === undefined)
        throw new Error('No migrated database: tests/shared-databases.ts is the global setup.')
      await asAdmin(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${kind === 'migrated' ? migrated : 'template0'}`)
      made.push(name)
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      return url.href
    },
    stop: async () => {
      for (const name of made.splice(0)) await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await end()
    },
  }
}

/**
 * Stops the server and removes its folder once the other end of its input closes: our process has ended, even if
 * killed.
 */
const guard = '"$0" "$@" & cat >/dev/null; kill -QUIT $!; wait; cd /; rm -rf "$FOLDER"'
/** The same for a folder that stays, left as after a regular shutdown. */
const keepingGuard = '"$0" "$@" & cat >/dev/null; kill -INT $!; wait'

/** Our own server. `end` waits until it has stopped. */
export interface OwnPostgres {
  /** Of its database `postgres`. */
  readonly url: string
  end(): Promise<void>
  /** `pg_ctl stop -m immediate`: every connection breaks, nothing is flushed. */
  breakOff(): Promise<void>
}

/**
 * Starts a server like `startPostgres`, in `keptFolder` (created if missing, and kept) instead of a temporary folder.
 * `extra`: settings, `name=value`. `wantedPort`: its previous port. `through`: a command prefix under which its data
 * folder is visible. Throws if there are no binaries or it does not start.
 */
export async function startOwn(
  keptFolder?: string,
  extra: readonly string[] = [],
  wantedPort: number | null = null,
  through: readonly string[] = [],
): Promise<OwnPostgres> {
  const bin = await findBinaries()
  const user = await findUser()
  const folder = keptFolder ?? (await mkdtemp(path.join(tmpdir(), 'tailboard-pg-')))
  await mkdir(folder, { recursive: true, mode: 0o755 })
  if (user !== null) await chown(folder, user.uid, user.gid)
  const commandOf = (...command: readonly string[]): [string, string[]] => {
    const own = user === null ? command : ['runuser', '-u', user.name, '--', ...command]
    const [file = '', ...rest] = [...through, ...own]
    return [file, rest]
  }
  const data = path.join(folder, 'data')
  const initdb = [path.join(bin, 'initdb'), '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C']
  const isSeen = through.length === 0
  const isThere =
    !isSeen ||
    (await access(path.join(data, 'PG_VERSION')).then(
      () => true,
      () => false,
    ))
  if (!isThere) await run(...commandOf(...initdb, '--no-sync'), { cwd: folder, timeout: 60_000 })
  const port = wantedPort ?? (await freePort())
  const where = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  const settings = [...where, 'fsync=off', ...extra]
  const server = [path.join(bin, 'postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(...commandOf('sh', '-c', keptFolder === undefined ? guard : keepingGuard, ...server), {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, FOLDER: folder },
  })
  const exited = once(child, 'exit')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const end = async () => {
    // Awaited: otherwise the process would exit first, and its error would never be reported.
    child.ref()
    child.stdin.end()
    await exited
  }
  try {
    await Promise.race([
      untilReachable(url),
      exited.then(() => {
        throw new Error(`${server[0]} ended at once.`)
      }),
    ])
  } catch (error) {
    await end()
    throw error
  }
  // The test process may end without notice.
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
  const breakOff = async () => {
    const [pid] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGQUIT')
    await end()
  }
  return { url, end, breakOff }
}

async function untilReachable(connectionString: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

async function findBinaries(): Promise<string> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const debian = versions.sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`)
  for (const folder of [...debian, ...(process.env.PATH ?? '').split(path.delimiter)]) {
    const there = await Promise.all(['initdb', 'postgres'].map((name) => access(path.join(folder, name)))).catch(
      () => null,
    )
    if (there !== null) return folder
  }
  throw new Error('initdb and postgres are neither in PATH nor in /usr/lib/postgresql.')
}

/** PostgreSQL refuses to run as root: the user to run it as, or null for ourselves. */
export async function findUser(): Promise<{
  readonly name: string
  readonly uid: number
  readonly gid: number
} | null> {
  if (userInfo().uid !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => null)
    if (ids !== null) return { name, uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.')
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('No free port on 127.0.0.1.'))
      })
    })
  })
}
