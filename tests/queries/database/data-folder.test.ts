import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, database, openDatabase } from '@/prisma/db'
import { lockFolder } from '@/prisma/folder-lock'
import { makeDataFolder } from '../../shared-databases'

const root = path.join(import.meta.dirname, '../../..')
const program = path.join(import.meta.dirname, 'open-database.ts')

let dataFolder = ''
let lockFile = ''
let running: ChildProcess[] = []

beforeEach(async () => {
  dataFolder = path.join(await mkdtemp(path.join(tmpdir(), 'tailboard-data-')), 'deep', 'folder')
  lockFile = path.join(dataFolder, 'tailboard.lock')
  running = []
})
afterEach(async () => {
  await closeDatabase()
  for (const child of running) child.kill('SIGKILL')
  await rm(path.dirname(path.dirname(dataFolder)), { recursive: true, force: true })
})

/** A process that opens the data folder; `line` is its output: `open <pid> <slugs>` or `refused <why>`. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataFolder, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  line.catch(() => undefined)
  running.push(child)
  return { child, line, exited }
}

async function kill({ child, exited }: ReturnType<typeof start>): Promise<void> {
  child.kill('SIGKILL')
  await exited
}

/** For tests that are not about the first start: the folder exists, with an empty database in it. */
async function hadFirstStart(): Promise<void> {
  await mkdir(path.dirname(dataFolder), { recursive: true })
  await rename(await makeDataFolder(), dataFolder)
}

describe('the embedded database', () => {
  // What is created on a first start: tests/server/start.test.ts.
  it('is opened once, and released', async () => {
    await hadFirstStart()
    expect(() => database()).toThrow(/not open/)
    await openDatabase({ dataFolder })
    await openDatabase({ dataFolder }) // open already
    expect(await readdir(dataFolder)).toEqual(['database', 'reserve', 'tailboard.lock'])
    await closeDatabase()
    await closeDatabase()
    expect(await readdir(dataFolder)).toEqual(['database', 'reserve'])
  })

  it('lets no second process in while the first is alive, then one of several that find its stale lock', async () => {
    await hadFirstStart()
    const first = start('first')
    expect(await first.line).toMatch(/^open \d+ first$/)
    const refusal = `in use by process ${first.child.pid}: Tailboard is already running on it. Use that one, or stop it`
    await expect(openDatabase({ dataFolder })).rejects.toThrow(`The data folder ${dataFolder} is ${refusal}`)
    expect(JSON.parse(await readFile(lockFile, 'utf8'))).toMatchObject({ pid: first.child.pid })
    await kill(first)
    const starters = [1, 2, 3].map(() => start())
    const lines = await Promise.all(starters.map((starter) => starter.line))
    expect(lines.filter((line) => /^open \d+ first$/.test(line))).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('refused The data folder'))).toHaveLength(2)
    expect(await readdir(dataFolder)).toEqual(['database', 'reserve', 'tailboard.lock'])
  })

  it('refuses a folder that contains something else', async () => {
    const folder = path.join(dataFolder, 'database')
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'PG_VERSION'), '18\n')
    await expect(openDatabase({ dataFolder })).rejects.toThrow(/global\/pg_control is missing/)
    await mkdir(path.join(folder, 'global'))
    await writeFile(path.join(folder, 'global', 'pg_control'), '')
    await writeFile(path.join(folder, 'PG_VERSION'), '14\n')
    await expect(openDatabase({ dataFolder })).rejects.toThrow(/made by PostgreSQL 14/)
  })
})

describe('the lock of a folder', () => {
  beforeEach(() => mkdir(dataFolder, { recursive: true }))

  const own = async () => {
    const lock = await lockFolder(dataFolder)
    const holder: Record<string, unknown> = JSON.parse(await readFile(lockFile, 'utf8'))
    await lock.release()
    return holder
  }
  const leave = (holder: unknown) => writeFile(lockFile, typeof holder === 'string' ? holder : JSON.stringify(holder))
  const takes = async () => (await lockFolder(dataFolder)).release()

  it('is held once, released, and not released on behalf of another', async () => {
    const lock = await lockFolder(dataFolder)
    await expect(takes()).rejects.toThrow(`process ${process.pid}`)
    await lock.release()
    await lock.release()
    const next = await lockFolder(dataFolder)
    await lock.release()
    await expect(takes()).rejects.toThrow(`process ${process.pid}`)
    await next.release()
    expect(await readdir(dataFolder)).toEqual([])
  })

  it('is taken over from an earlier boot and from a reused pid', async () => {
    const holder = await own()
    await leave({ ...holder, nonce: 'n', bootId: 'an earlier boot' })
    await takes()
    await leave({ ...holder, nonce: 'n', startTime: '1' })
    await takes()
    await leave({ ...holder, nonce: 'n', pid: 2 ** 22 + 1 })
    await takes()
    await leave({ ...holder, nonce: 'n' })
    await expect(takes()).rejects.toThrow(`process ${process.pid}`)
    await leave({ ...holder, nonce: 'n', pid: 1, startTime: null })
    await expect(takes()).rejects.toThrow('process 1:')
    // A guard left behind by a kill does not block it.
    await leave({ ...holder, nonce: 'n', startTime: '1' })
    await writeFile(`${lockFile}.n`, JSON.stringify({ ...holder, nonce: 'm', startTime: '2' }))
    await takes()
    expect(await readdir(dataFolder)).toEqual([])
  })

  it('of another container counts as held while its heartbeat continues', async () => {
    const holder = { ...(await own()), nonce: 'n', pidNamespace: 'pid:[1]', pid: 2 ** 22 + 1 }
    if (process.platform !== 'linux') return
    await leave(holder)
    await expect(takes()).rejects.toThrow('in use')
    const silent = new Date(Date.now() - 61_000)
    await utimes(lockFile, silent, silent)
    await takes()
  })

  it('if unreadable, is left alone while it may be being written, then taken', async () => {
    for (const text of ['', '{', '{"pid": "x"}']) {
      await leave(text)
      await expect(takes()).rejects.toThrow('in use')
      const past = new Date(Date.now() - 10_000)
      await utimes(lockFile, past, past)
      await takes()
    }
  })
})

describe('DATABASE_URL', () => {
  it('if unreachable, gives a sentence without the password', async () => {
    const databaseUrl = 'postgres://someone:secret@127.0.0.1:1/db'
    const opening = openDatabase({ dataFolder, databaseUrl })
    await expect(opening).rejects.toThrow(
      /The PostgreSQL of DATABASE_URL \(127\.0\.0\.1:1\) cannot be used: .*ECONNREFUSED/,
    )
    await expect(opening).rejects.not.toThrow(/secret/)
  })
})
