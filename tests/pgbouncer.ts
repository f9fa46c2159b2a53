import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUser, freePort } from './postgres'

/** A PgBouncer in transaction mode in front of a PostgreSQL. `kind: 'missing'`: `reason` is a sentence. */
export type TestPooler =
  | { readonly kind: 'running'; readonly url: string; stop(): Promise<void> }
  | { readonly kind: 'missing'; readonly reason: string }

/** Default settings: the pooler refuses unknown settings in a new connection. */
export async function startPooler(databaseUrl: string): Promise<TestPooler> {
  const file = await findProgram()
  if (file === null)
    return {
      kind: 'missing',
      reason: 'No PgBouncer is in PATH or /usr/sbin: the instances reach PostgreSQL directly. (Install pgbouncer.)',
    }
  const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-pooler-'))
  const user = userInfo().uid === 0 ? await findUser() : null
  const port = await freePort()
  const name = pathname.slice(1)
  const settings = [
    '[databases]',
    `${name} = host=${hostname} port=${serverPort} dbname=${name} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 10',
    'max_client_conn = 100',
  ]
  const ini = path.join(folder, 'pgbouncer.ini')
  await writeFile(ini, `${settings.join('\n')}\n`)
  if (user !== null) for (const one of [folder, ini]) await chown(one, user.uid, user.gid)
  await chmod(folder, 0o700)
  // It does not run as root.
  const asUser = user === null ? [] : ['--user', user.name]
  const child = spawn(file, ['--quiet', ...asUser, ini], { stdio: 'ignore', cwd: folder })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM') // at once, even with clients connected
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  for (const deadline = Date.now() + 10_000; !(await isOpen(port)); await sleep(20)) {
    if (child.exitCode === null && Date.now() < deadline) continue
    await stop()
    throw new Error(`${file} did not start.`)
  }
  return { kind: 'running', url: `postgres://${username}@127.0.0.1:${port}/${name}`, stop }
}

async function findProgram(): Promise<string | null> {
  for (const folder of [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']) {
    const file = path.join(folder, 'pgbouncer')
    const isThere = await access(file).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return null
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })
}
