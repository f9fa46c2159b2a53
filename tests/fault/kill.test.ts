import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'

/** `npm run test:faults` sets 20. */
const kills = Number(process.env.TAILBOARD_KILLS ?? 1)
/** Each kill is a start, which takes half a minute on a busy machine. */
const patienceMs = Math.max(300_000, kills * 60_000)
const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)
const databaseUrl = () => (postgres.kind === 'running' ? postgres.createDatabase() : Promise.resolve(undefined))
afterAll(() => (postgres.kind === 'running' ? postgres.stop() : undefined))

const savedSchema = z.object({
  upload: z.object({ id: z.string(), sentSha256: z.string() }),
  runs: z.array(z.object({ id: z.string() })),
})
const pageSchema = z.object({
  rows: z.array(z.object({ id: z.string(), uploadId: z.string() })),
  nextCursor: z.string().nullable(),
})
const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')
const api = (app: RunningApp) => `${app.url}/api/v1/projects/kills`

/** Sends uploads one after the other, each of two runs, until the server is gone; what it acknowledged is recorded. */
async function uploadUntilGone(app: RunningApp, round: number, acknowledged: Map<string, string>): Promise<void> {
  for (let index = 0; ; index += 1) {
    const body = `${document}\n\n<!-- round ${round}, ${index}: ${'x'.repeat((index % 7) * 20_000)} -->\n`
    try {
      const response = await fetch(`${api(app)}/uploads`, {
        method: 'PUT',
        body,
        headers: { accept: 'application/json' },
      })
      const saved = savedSchema.parse(await response.json())
      acknowledged.set(saved.upload.id, createHash('sha256').update(body).digest('hex'))
    } catch {
      return // the server was killed while it answered, which is what this test is about
    }
  }
}

async function allRuns(app: RunningApp): Promise<Map<string, number>> {
  const runsByUpload = new Map<string, number>()
  let cursor: string | null = null
  do {
    const response: Response = await fetch(
      `${api(app)}/runs?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    const page: z.infer<typeof pageSchema> = pageSchema.parse(await response.json())
    for (const row of page.rows) runsByUpload.set(row.uploadId, (runsByUpload.get(row.uploadId) ?? 0) + 1)
    cursor = page.nextCursor
  } while (cursor)
  return runsByUpload
}

async function killDuringUploads(databaseUrl: string | undefined): Promise<void> {
  const dataFolder = await makeDataFolder()
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < kills; round += 1) {
    const app = await startApp({ dataFolder, databaseUrl })
    if (round === 0) {
      const made = await fetch(`${app.url}/api/v1/projects`, {
        method: 'POST',
        body: JSON.stringify({ name: 'kills' }),
      })
      expect(made.status).toBe(201)
    }
    const uploads = [uploadUntilGone(app, round, acknowledged), uploadUntilGone(app, round + 1000, acknowledged)]
    // A fresh process answers its first upload late; from then on the kills are spread over several uploads' time.
    const before = acknowledged.size
    while (acknowledged.size === before) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, (round * 137) % 500))
    await app.kill()
    await Promise.all(uploads)
  }
  const app = await startApp({ dataFolder, databaseUrl })
  try {
    const runsByUpload = await allRuns(app)
    expect(acknowledged.size).toBeGreaterThanOrEqual(kills)
    for (const [id, sha256] of acknowledged) {
      expect(runsByUpload.get(id), `acknowledged upload ${id}`).toBe(2)
      const raw = Buffer.from(await (await fetch(`${api(app)}/uploads/${id}/raw`)).arrayBuffer())
      expect(createHash('sha256').update(raw).digest('hex')).toBe(sha256)
    }
    for (const [id, runs] of runsByUpload) expect(runs, `upload ${id} is whole`).toBe(2)
  } finally {
    await app.stop()
  }
}

describe('kill -9 during uploads: every acknowledged upload is there, no half one', () => {
  it('embedded database', { timeout: patienceMs }, async () => {
    await killDuringUploads(undefined)
  })
  it.skipIf(postgres.kind === 'missing')('PostgreSQL', { timeout: patienceMs }, async () => {
    await killDuringUploads(await databaseUrl())
  })
})
