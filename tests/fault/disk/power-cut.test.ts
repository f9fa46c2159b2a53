import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { baselineWasm } from '../../baseline-wasm'
import { randomFrom } from '../../fuzz/random'
import { DiskModel, type DiskStep } from './model'
import { digestUploads } from '../stored-digests'

/** `npm run test:faults` sets 200; one: after the database was made. */
const cuts = Number(process.env.TAILBOARD_POWER_CUTS ?? 1)
const seed = Number(process.env.TAILBOARD_SEED ?? 1)
const uploads = cuts > 12 ? 60 : 8
/** Each cut reopens the database, which takes seconds on a busy machine. */
const limitMs = Math.max(600_000, cuts * 30_000)

let folder = ''
let recorded: Recorded
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-power-'))
  recorded = await record()
}, limitMs)
afterAll(async () => {
  await closeDatabase()
  delete process.env.TAILBOARD_DATA
  await rm(folder, { recursive: true, force: true })
})

interface Recorded {
  readonly steps: readonly DiskStep[]
  readonly blob: Buffer
  /** The stored data of each acknowledged upload. */
  readonly digests: ReadonlyMap<string, string>
}

async function record(): Promise<Recorded> {
  const [dataFolder, target] = [path.join(folder, 'recorded'), path.join(folder, 'trace')]
  await mkdir(dataFolder)
  await mkdir(target)
  const program = path.join(import.meta.dirname, 'record-uploads.ts')
  await promisify(execFile)(process.execPath, [
    baselineWasm,
    '--import',
    'tsx',
    program,
    dataFolder,
    target,
    String(uploads),
  ])
  const { steps, digests } = JSON.parse(await readFile(path.join(target, 'trace.json'), 'utf8')) as {
    readonly steps: readonly DiskStep[]
    readonly digests: readonly (readonly [string, string])[]
  }
  return { steps, blob: await readFile(path.join(target, 'blob')), digests: new Map(digests) }
}

async function open(dataFolder: string, where: string): Promise<void> {
  process.env.TAILBOARD_DATA = dataFolder
  await openDatabase({ dataFolder }).catch((error: unknown) => {
    throw new Error(`The folder does not open: ${where}`, { cause: error })
  })
}

/** Steps that create the empty copy of an unlogged table or of one of its indices, with the step of their commit. */
function emptyCopies(steps: readonly DiskStep[]): readonly { readonly made: number; readonly committed: number }[] {
  const logs = new Set(
    steps.flatMap((step) => (step.kind === 'make' && /^[0-9A-F]{24}$/.test(step.name) ? step.inode : [])),
  )
  return steps.flatMap((step, made) => {
    if (step.kind !== 'make' || !step.name.endsWith('_init')) return []
    const committed = steps.findIndex((one, at) => at > made && one.kind === 'sync' && logs.has(one.inode))
    return { made, committed: committed + 1 }
  })
}

/**
 * Works like SQLite's crash tests: it records what database and raw store write, and stops the disk at random steps.
 * Synced data survive, and a random part of the rest. It does detect what it is for: with `-F`
 * (prisma/embedded-session.ts), or without syncing a database folder in which a name was created
 * (prisma/synced-files.ts), acknowledged uploads are lost or the database does not open.
 */
describe('a power cut on the embedded database', () => {
  it(
    'loses no acknowledged upload, leaves none partial, and leaves a folder that opens',
    { timeout: limitMs },
    async () => {
      const { digests, ...trace } = recorded
      const random = randomFrom(seed)
      const first = trace.steps.findIndex((step) => step.kind === 'mark')
      // One in twelve before anything was acknowledged, while the database is being created.
      const at = Array.from({ length: cuts }, (_, cut) =>
        cuts > 1 && cut % 12 === 0
          ? Math.floor(random() * first)
          : first + 1 + Math.floor(random() * (trace.steps.length - first)),
      )
      const disk = new DiskModel(trace)
      const acknowledged = new Set<string>()
      let unacknowledged = 0
      for (const step of at.sort((a, b) => a - b)) {
        for (const id of disk.advance(step)) acknowledged.add(id)
        const dataFolder = path.join(folder, 'cut')
        disk.cut(dataFolder, random)
        const where = `seed ${seed}, step ${step} of ${trace.steps.length}`
        await open(dataFolder, where)
        const found = await digestUploads().catch((error: unknown) => {
          throw new Error(`An upload is there in part: ${where}`, { cause: error })
        })
        await closeDatabase()
        const lost = [...acknowledged].filter((id) => !found.has(id))
        expect(lost, where).toEqual([])
        // Committed just before the cut, but never acknowledged: as complete as the others.
        for (const [id, digest] of found) expect(digest, `upload ${id}, ${where}`).toBe(digests.get(id))
        unacknowledged += [...found.keys()].filter((id) => !acknowledged.has(id)).length
        await rm(dataFolder, { recursive: true })
      }
      process.stdout.write(
        `${cuts} power cuts over ${trace.steps.length} steps (${trace.steps.filter(({ kind }) => kind === 'sync').length} syncs, ` +
          `${(trace.blob.byteLength / 1e6).toFixed(0)} MB), seed ${seed}: ${acknowledged.size} uploads acknowledged, 0 lost, 0 in part, ` +
          `${unacknowledged} there that were not acknowledged yet\n`,
      )
      expect(acknowledged.size).toBeGreaterThan(0)
    },
  )
  it('leaves a folder that opens if an unlogged table is on the disk and its empty copy was not synced', async () => {
    const copies = emptyCopies(recorded.steps)
    expect(copies.length).toBeGreaterThan(0)
    const disk = new DiskModel(recorded)
    const random = randomFrom(seed)
    for (const { made, committed } of cuts > 12 ? copies : copies.slice(-1)) {
      disk.advance(committed)
      const dataFolder = path.join(folder, 'cut')
      disk.cut(dataFolder, random, made)
      await open(dataFolder, `step ${committed}, without the names from step ${made} on`)
      await closeDatabase()
      await rm(dataFolder, { recursive: true })
    }
  })
})
