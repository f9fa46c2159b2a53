import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomFrom } from '../fuzz/random'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'
import { runsByUpload } from './runs-by-upload'
import { variedUpload } from './varied-uploads'

/** `npm run test:faults` sets 200, on each database. */
const kills = Number(process.env.TAILBOARD_KILLS ?? 1)
const seed = Number(process.env.TAILBOARD_SEED ?? 1)
/** Each kill means a restart, which takes half a minute on a busy machine. */
const patienceMs = Math.max(300_000, kills * 60_000)
const senders = 3
const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)
afterAll(() => (postgres.kind === 'running' ? postgres.stop() : undefined))

const savedSchema = z.object({
  upload: z.object({ id: z.string(), sentSha256: z.string() }),
  runs: z.array(z.object({ id: z.string() })).min(1),
})
const api = (app: RunningApp) => `${app.url}/api/v1/projects/kills`

interface Saved {
  readonly uploadId: string
  readonly runs: number
  readonly sha256: string
}

/**
 * A client of one installation that is killed repeatedly: what it sent, what was acknowledged, and what it has to
 * resend.
 */
class Client {
  readonly acknowledged = new Map<number, Saved>()
  /** Sent, but the server died before it responded: resent with the same key. */
  readonly unanswered = new Set<number>()
  retries = 0
  #sent = 0

  /** Sends one file after the other, starting with those without a response, until the server dies. */
  async sendUntilGone(app: RunningApp): Promise<void> {
    while (await this.#sendNext(app)) continue
  }

  /** Resends the files without a response. */
  async sendAgain(app: RunningApp): Promise<void> {
    for (const number of this.unanswered) expect(await this.#send(app, number)).toBe(true)
  }

  async #sendNext(app: RunningApp): Promise<boolean> {
    const [again] = this.unanswered
    if (again === undefined) return this.#send(app, (this.#sent += 1))
    this.unanswered.delete(again)
    this.retries += 1
    return this.#send(app, again)
  }

  async #send(app: RunningApp, number: number): Promise<boolean> {
    const { name, body } = variedUpload(number)
    this.unanswered.add(number)
    let text: string
    try {
      const response = await fetch(`${api(app)}/uploads?name=${name}`, {
        method: 'PUT',
        body: new Uint8Array(body),
        headers: { accept: 'application/json', 'idempotency-key': `upload-${number}` },
      })
      text = await response.text()
    } catch {
      return false // the server was killed while responding, which is the point of this test
    }
    const saved = savedSchema.safeParse(JSON.parse(text))
    if (!saved.success) throw new Error(`Upload ${number} was refused: ${text}`)
    const { upload, runs } = saved.data
    const sha256 = createHash('sha256').update(body).digest('hex')
    expect(upload.sentSha256).toBe(sha256)
    this.acknowledged.set(number, { uploadId: upload.id, runs: runs.length, sha256 })
    this.unanswered.delete(number)
    return true
  }
}

async function killDuringUploads(name: string, databaseUrl: string | undefined): Promise<void> {
  const dataFolder = await makeDataFolder()
  const client = new Client()
  const random = randomFrom(seed)
  const startedAt = performance.now()
  for (let round = 0; round < kills; round += 1) {
    const app = await startApp({ dataFolder, databaseUrl })
    if (round === 0) {
      const made = await fetch(`${app.url}/api/v1/projects`, {
        method: 'POST',
        body: JSON.stringify({ name: 'kills' }),
      })
      expect(made.status).toBe(201)
    }
    const before = client.acknowledged.size
    let isOver = false
    const sending = Promise.all(Array.from({ length: senders }, () => client.sendUntilGone(app))).finally(() => {
      isOver = true
    })
    // A fresh process is slow with its first uploads: a quarter of the kills fall into that time, the others into
    // normal operation.
    if (round % 4 !== 3) while (client.acknowledged.size === before && !isOver) await sleep(2)
    await sleep(random() * 1_000)
    await app.kill()
    await sending
  }
  const app = await startApp({ dataFolder, databaseUrl })
  try {
    const open = client.unanswered.size
    await client.sendAgain(app)
    const counts = await runsByUpload(app, 'kills')
    for (const [number, { uploadId, runs, sha256 }] of client.acknowledged) {
      expect(counts.get(uploadId), `acknowledged upload ${number}`).toBe(runs)
      const raw = Buffer.from(await (await fetch(`${api(app)}/uploads/${uploadId}/raw`)).arrayBuffer())
      expect(createHash('sha256').update(raw).digest('hex'), `bytes of upload ${number}`).toBe(sha256)
    }
    // Each file is there once, and nothing else: no partial upload, no duplicate.
    expect(new Set([...client.acknowledged.values()].map(({ uploadId }) => uploadId)).size).toBe(
      client.acknowledged.size,
    )
    expect(counts.size).toBe(client.acknowledged.size)
    process.stdout.write(
      `${name}: ${kills} kills, seed ${seed}: ${client.acknowledged.size} uploads acknowledged, 0 lost, 0 in part, 0 twice, ` +
        `${client.retries + open} sent again, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`,
    )
    expect(client.acknowledged.size).toBeGreaterThan(kills / 2)
  } finally {
    await app.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

// Concurrent, because each spends most of its time starting a server.
describe.concurrent('kill -9 during uploads: every acknowledged upload is there once, none is partial', () => {
  it('embedded database', { timeout: patienceMs }, async () => {
    await killDuringUploads('embedded', undefined)
  })
  // `instances.test.ts` kills one on PostgreSQL.
  it.skipIf(postgres.kind === 'missing' || kills === 1)('PostgreSQL', { timeout: patienceMs }, async () => {
    const databaseUrl = postgres.kind === 'running' ? await postgres.createDatabase('migrated') : undefined
    await killDuringUploads('PostgreSQL', databaseUrl)
  })
})
