import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startOwn, startPostgres, type OwnPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'

/** `npm run test:faults` sets it. */
const isWhole = process.env['TAILBOARD_KILLS'] !== undefined
const probe = await startPostgres()
if (probe.kind === 'running') await probe.stop()
const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const savedSchema = z.object({ upload: z.object({ id: z.string() }), runs: z.array(z.object({ id: z.string() })) })
const portOf = ({ url }: OwnPostgres) => Number(new URL(url).port)
const times = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

async function keptFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-outage-'))
  folders.push(folder)
  return folder
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly ms: number
  /** Of an acknowledged upload. */
  readonly uploadId: string | null
}

let sent = 0
async function upload(app: RunningApp): Promise<Answer> {
  const startedAt = performance.now()
  sent += 1
  const response = await fetch(`${app.url}/api/v1/projects/outage/uploads?create=1`, {
    method: 'PUT',
    body: `${document}\n<!-- ${sent} -->\n`,
    headers: { accept: 'application/json' },
  })
  const body: unknown = await response.json()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    ms: performance.now() - startedAt,
    uploadId: response.ok ? savedSchema.parse(body).upload.id : null,
  }
}

const statusOf = async (app: RunningApp, place: string) => (await fetch(app.url + place)).status

async function untilReady(app: RunningApp): Promise<number> {
  const startedAt = performance.now()
  while ((await statusOf(app, '/readyz')) !== 200) {
    if (performance.now() - startedAt > 60_000) throw new Error(`not ready after a minute:\n${app.output()}`)
    await sleep(50)
  }
  return performance.now() - startedAt
}

/** Runs of an upload, from the list. */
async function runsOf(app: RunningApp, uploadId: string): Promise<number> {
  const response = await fetch(`${app.url}/api/v1/projects/outage/runs?upload=${uploadId}`)
  return z.object({ rows: z.array(z.unknown()) }).parse(await response.json()).rows.length
}

describe.skipIf(probe.kind === 'missing')('PostgreSQL goes away', { timeout: 300_000 }, () => {
  describe('and comes back', () => {
    let app: RunningApp
    let folder: string
    let port: number
    let database: OwnPostgres | null = null
    beforeAll(async () => {
      if (probe.kind === 'missing') return
      folder = await keptFolder()
      const first = await startOwn(folder)
      await first.end()
      port = portOf(first)
      app = await startApp({ dataFolder: await makeDataFolder(), databaseUrl: first.url })
    })
    afterAll(async () => {
      await app.stop()
      await database?.end()
    })

    it('away at the start: the server starts, says so, and is ready soon after the database is', async () => {
      expect([await statusOf(app, '/healthz'), await statusOf(app, '/readyz')]).toEqual([200, 503])
      const page = await fetch(app.url, { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await page.text()).toMatch(/database/i)
      database = await startOwn(folder, [], port)
      // Migrations and the sample data are part of it.
      expect(await untilReady(app)).toBeLessThan(30_000)
      expect((await upload(app)).status).toBe(201)
      expect(times(app.output(), /The database is away/g)).toBe(1)
    })

    it('stopped at once under load: 503 with a time to try again, and the app comes back by itself', async () => {
      const before = app.output().length
      const answers: Answer[] = []
      let isOver = false
      const senders = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const answer = await upload(app)
          answers.push(answer)
          // Like a client that obeys Retry-After, only less patient.
          if (answer.status === 503) await sleep(100)
        }
      })
      while (answers.filter(({ status }) => status === 201).length < 8) await sleep(20)
      await database?.breakOff()
      while (!answers.some(({ status }) => status === 503)) await sleep(20)
      const away = await Promise.all(
        ['/healthz', '/readyz', '/', '/api/v1/projects'].map((place) => statusOf(app, place)),
      )
      expect(away).toEqual([200, 503, 503, 503])
      await sleep(2_000)
      database = await startOwn(folder, [], port)
      expect(await untilReady(app)).toBeLessThan(10_000)
      const refused = answers.length
      while (answers.slice(refused).filter(({ status }) => status === 201).length < 4) await sleep(20)
      isOver = true
      await Promise.all(senders)

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 503]))
      for (const { status, retryAfter } of answers) if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(10_000)
      for (const { uploadId } of answers) if (uploadId !== null) expect(await runsOf(app, uploadId)).toBe(2)
      const printed = app.output().slice(before)
      expect(times(printed, /The database is away/g)).toBe(1)
      expect(times(printed, /The database is back/g)).toBe(1)
      expect(times(printed, /^\s+at /gm)).toBe(0)
    })
  })

  it.skipIf(!isWhole)('a lock that is never released: requests fail in time, and work once it is gone', async () => {
    const own = await startOwn()
    const app = await startApp({ dataFolder: await makeDataFolder(), databaseUrl: own.url })
    const holder = new pg.Client({ connectionString: own.url })
    try {
      expect((await upload(app)).status).toBe(201)
      await holder.connect()
      await holder.query('BEGIN; LOCK TABLE run IN ACCESS EXCLUSIVE MODE')
      const waited = await Promise.all(
        ['/api/v1/projects/outage/runs', '/p/outage/runs'].map(async (place) => {
          const startedAt = performance.now()
          const status = await statusOf(app, place)
          return { status, ms: performance.now() - startedAt }
        }),
      )
      const blocked = await upload(app)
      // A page that was being rendered has already sent its head: Next makes that a 500.
      expect([...waited, blocked].map(({ status }) => status)).toEqual([503, 500, 503])
      for (const { ms } of [...waited, blocked]) expect(ms).toBeLessThan(15_000)
      expect(await statusOf(app, '/healthz')).toBe(200)
      await holder.query('ROLLBACK')
      await untilReady(app)
      expect((await upload(app)).status).toBe(201)
    } finally {
      await holder.end()
      await app.stop()
      await own.end()
    }
  })
})
