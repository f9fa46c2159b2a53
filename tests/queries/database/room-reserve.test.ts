import fs from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setEnvironmentData } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { databaseFailureOf } from '@/prisma/database-failure'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { createProject, listProjects } from '@/prisma/queries/projects/projects'
import { isDatabaseWritable } from '@/prisma/queries/installation/sweeps'
import { RoomReserve } from '@/prisma/room-reserve'
import { makeDataFolder } from '../../shared-databases'

test('keeps 32 MiB, frees them once, and does not accept a truncated file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-reserve-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'reserve')
  const reserve = new RoomReserve(file)
  expect(await reserve.release()).toBe(false)
  expect(await reserve.keep()).toBe(true)
  expect((await stat(file)).size).toBe(32 * 1024 * 1024)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await reserve.keep()).toBe(true)
  expect(await reserve.release()).toBe(true)
  expect(await readdir(folder)).toEqual([])
  await writeFile(file, 'cut off')
  expect(await reserve.release()).toBe(false)
  expect(await reserve.keep()).toBe(true)
  expect((await stat(file)).size).toBe(32 * 1024 * 1024)
})

test('is not created where it cannot be', async () => {
  expect(await new RoomReserve('/proc/reserve').keep()).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'a database that stopped for lack of space is readable with it, and writable again once there is space',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const dataFolder = await makeDataFolder()
    onTestFinished(() => rm(dataFolder, { recursive: true }))
    const reserve = path.join(dataFolder, 'reserve')
    // This stops PostgreSQL, whatever the statement: no space for its log.
    const isFull = new Int32Array(new SharedArrayBuffer(4))
    setEnvironmentData('noRoom', { isFull, reserve })
    onTestFinished(() => setEnvironmentData('noRoom', undefined))
    const databaseWorker = path.join(import.meta.dirname, 'full-log-worker.ts')
    await openDatabase({ dataFolder, databaseWorker })
    onTestFinished(closeDatabase)
    await createProject(localViewer, { slug: 'kept', name: 'Kept' })
    const failureOf = (work: Promise<unknown>) => work.then(() => 'none', databaseFailureOf)
    const slugs = async () => (await listProjects(localViewer)).map(({ slug }) => slug)

    Atomics.store(isFull, 0, 1)
    expect(await failureOf(createProject(localViewer, { slug: 'lost', name: 'Lost' }))).toBe('full')
    expect(await slugs()).toEqual(['kept'])
    expect(await isDatabaseWritable()).toBe(false)
    expect(fs.existsSync(reserve)).toBe(false)
    expect(await failureOf(createProject(localViewer, { slug: 'refused', name: 'Refused' }))).toBe('full')
    expect(await slugs()).toEqual(['kept'])

    Atomics.store(isFull, 0, 0)
    await vi.advanceTimersByTimeAsync(1_000)
    await vi.waitFor(async () => expect(await isDatabaseWritable()).toBe(true), 10_000)
    expect(fs.existsSync(reserve)).toBe(true)
    await createProject(localViewer, { slug: 'again', name: 'Again' })
    expect((await slugs()).toSorted()).toEqual(['again', 'kept'])
  },
)
