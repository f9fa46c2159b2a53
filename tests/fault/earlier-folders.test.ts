import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { loadTables } from '@/prisma/queries/installation/load-tables'
import { startPostgres } from '../postgres'
import { startApp, type RunningApp } from '../server/app'

/** `npm run test:faults` sets it. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const postgres = await startPostgres()
const stored = path.join(import.meta.dirname, '../fixtures/data-folders')
const migrations = path.join(import.meta.dirname, '../../prisma/migrations')
const states = (await readdir(stored)).filter((name) => name.endsWith('.json.gz')).sort()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-earlier-'))
})
afterAll(async () => {
  await closeDatabase()
  await rm(folder, { recursive: true, force: true })
  if (postgres.kind === 'running') await postgres.stop()
})

const stateSchema = z.object({
  migrations: z.array(z.string()),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
  tables: z.array(z.object({ table: z.string(), columns: z.array(z.string()), lines: z.array(z.string()) })),
  /** Base64 by SHA-256. */
  raw: z.record(z.string(), z.string()),
})
type State = z.infer<typeof stateSchema>

/** A data folder and database as an earlier Tailboard left them. */
async function makeEarlier(state: State, dataFolder: string, databaseUrl: string | undefined): Promise<void> {
  const own = await mkdtemp(path.join(folder, 'migrations-'))
  for (const name of state.migrations) await cp(path.join(migrations, name), path.join(own, name), { recursive: true })
  await openDatabase({ dataFolder, databaseUrl, migrationsFolder: own })
  await loadTables(
    (async function* () {
      yield* state.tables
    })(),
    state.sequences,
  )
  await closeDatabase()
  for (const [sha256, bytes] of Object.entries(state.raw)) {
    const place = path.join(dataFolder, 'raw', sha256.slice(0, 2))
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, sha256), Buffer.from(bytes, 'base64'))
  }
}

const projectsSchema = z.object({ projects: z.array(z.object({ slug: z.string() })) })
const runsSchema = z.object({
  rows: z.array(z.object({ id: z.string(), uploadId: z.string(), complete: z.boolean(), judged: z.unknown() })),
})
const uploadSchema = z.object({ runs: z.array(z.unknown()), duplicate: z.boolean() })

async function expectUsable(app: RunningApp, state: State): Promise<number> {
  const get = async (place: string): Promise<Buffer> => {
    const response = await fetch(app.url + place)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([place, response.status]).toEqual([place, 200])
    return bytes
  }
  const rowsOf = (table: string) =>
    state.tables.filter((part) => part.table === table).reduce((sum, { lines }) => sum + lines.length, 0)
  const { projects } = projectsSchema.parse(JSON.parse((await get('/api/v1/projects')).toString()))
  expect(projects).toHaveLength(rowsOf('project'))
  const listOf = async (slug: string) =>
    runsSchema.parse(JSON.parse((await get(`/api/v1/projects/${slug}/runs?limit=200`)).toString())).rows
  let count = 0
  let raw: Buffer = Buffer.alloc(0)
  for (const { slug } of projects) {
    const own = `/api/v1/projects/${slug}`
    let runs = await listOf(slug)
    for (const deadline = Date.now() + 60_000; runs.some(({ judged }) => !judged); runs = await listOf(slug)) {
      if (Date.now() > deadline)
        throw new Error(
          `${slug} is not judged:\n${JSON.stringify(runs.find(({ judged }) => !judged))}\n${app.output()}`,
        )
      await sleep(100)
    }
    for (const { id } of isWhole ? runs : runs.slice(0, 2)) {
      await get(`${own}/runs/${id}`)
      await get(`/p/${slug}/runs/${id}`)
    }
    for (const page of isWhole ? ['', '/runs', '/trends', '/matrix', '/alerts', '/rules', '/settings'] : [])
      await get(`/p/${slug}${page}`)
    for (const uploadId of new Set(runs.map((run) => run.uploadId))) {
      raw = await get(`${own}/uploads/${uploadId}/raw`)
      expect(Object.keys(state.raw)).toContain(createHash('sha256').update(raw).digest('hex'))
    }
    count += runs.length
    const send = async (body: Buffer) => {
      const sent = await fetch(`${app.url}${own}/uploads`, {
        method: 'PUT',
        body: new Uint8Array(body),
        headers: { accept: 'application/json' },
      })
      return uploadSchema.parse(await sent.json())
    }
    expect((await send(raw)).duplicate).toBe(true)
    const more = await send(Buffer.concat([raw, Buffer.from('\n<!-- once more -->\n')]))
    expect([more.duplicate, more.runs.length > 0]).toEqual([false, true])
  }
  expect(count).toBe(rowsOf('run'))
  return count
}

describe.each(isWhole ? states : states.slice(0, 1))(
  'a data folder of an earlier Tailboard: %s',
  { timeout: 300_000 },
  (file) => {
    const upgrade = async (name: string, databaseUrl: string | undefined) => {
      const state = stateSchema.parse(JSON.parse(gunzipSync(await readFile(path.join(stored, file))).toString()))
      const dataFolder = path.join(folder, `${file} ${name}`)
      await makeEarlier(state, dataFolder, databaseUrl)
      const app = await startApp({ dataFolder, databaseUrl })
      try {
        expect(await expectUsable(app, state)).toBeGreaterThan(20)
      } finally {
        expect(await app.stop()).toBe(0)
      }
    }
    it('embedded database', () => upgrade('embedded', undefined))
    it.skipIf(!isWhole || postgres.kind === 'missing')('PostgreSQL', async () => {
      await upgrade('PostgreSQL', postgres.kind === 'running' ? await postgres.createDatabase('empty') : undefined)
    })
  },
)
