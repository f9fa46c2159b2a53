import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { listProjects } from '@/prisma/queries/projects/projects'
import { makeDataFolder } from '../shared-databases'

/** `npm run test:faults` sets it. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const program = path.join(import.meta.dirname, '../queries/database/open-database.ts')

let parent = ''
let dataFolder = ''
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'tailboard-kill-'))
  dataFolder = path.join(parent, 'deep', 'folder')
})
afterEach(async () => {
  await closeDatabase()
  await rm(parent, { recursive: true, force: true })
})

/** A process that opens the data folder and creates a project; `line` is its output: `open <pid> <slugs>`. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataFolder, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  line.catch(() => undefined)
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { line, exited, kill }
}

const has = async (start: string) =>
  (await readdir(dataFolder).catch(() => [])).some((name) => `${name}/`.startsWith(start))

describe.runIf(isWhole)('kill -9 of the process that has the embedded database open', () => {
  it('loses nothing that was acknowledged', { timeout: 240_000 }, async () => {
    await mkdir(path.dirname(dataFolder), { recursive: true })
    await rename(await makeDataFolder(), dataFolder)
    await openDatabase({ dataFolder })
    const before = (await listProjects(localViewer)).map((project) => project.slug)
    await closeDatabase()
    const slugs = ['a', 'b', 'c']
    for (const slug of slugs) {
      const opened = start(slug)
      expect(await opened.line).toMatch(/^open/)
      await opened.kill()
    }
    const last = start('last', 'close')
    const listed = (await last.line).split(' ').at(-1)?.split(',') ?? []
    expect(listed.toSorted()).toEqual([...before, ...slugs, 'last'].toSorted())
    expect(await last.exited).toEqual([0, null])
  })

  it('at any moment of its first start leaves a folder that opens', { timeout: 240_000 }, async () => {
    const moments = [
      { name: 'database.new-', laterMs: 30 },
      { name: 'database.new-', laterMs: 300 + randomInt(300) },
      { name: 'database.new-', laterMs: 600 + randomInt(900) },
      { name: 'database/', laterMs: randomInt(300) },
    ]
    for (const { name, laterMs } of moments) {
      const starting = start('early')
      while (!(await has(name))) await sleep(5)
      await sleep(laterMs)
      await starting.kill()
      // An empty folder counts as no folder.
      if (!(await has('database/'))) await mkdir(path.join(dataFolder, 'database'))
      await openDatabase({ dataFolder })
      expect(['', 'early']).toContain((await listProjects(localViewer)).map((project) => project.slug).join())
      await closeDatabase()
      expect(await readdir(dataFolder)).toEqual(['database', 'reserve'])
      await rm(dataFolder, { recursive: true })
    }
  })
})
