import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'

const postgres = await startPostgres()
afterAll(() => (postgres.kind === 'running' ? postgres.stop() : undefined))
const body = await readFile('tests/fixtures/hey-text/duration-and-interrupt.txt')
const savedSchema = z.object({ duplicate: z.boolean(), runs: z.array(z.object({ id: z.string() })).length(1) })
/** `npm run test:faults` sets TAILBOARD_KILLS. */
const isWhole = process.env['TAILBOARD_KILLS'] !== undefined
const retries = 100

async function send(app: RunningApp, project: string, bytes: Uint8Array, key: string | null) {
  for (;;) {
    const response = await fetch(`${app.url}/api/v1/projects/${project}/uploads`, {
      method: 'PUT',
      body: Buffer.from(bytes),
      headers: { accept: 'application/json', ...(key === null ? {} : { 'idempotency-key': key }) },
    })
    const body: unknown = await response.json()
    // Beyond twenty at a time the server responds with 503, and this client retries as CI does.
    if (response.status !== 503) return { status: response.status, body }
    await sleep(200)
  }
}

async function retryInParallel(databaseUrl: string | undefined): Promise<void> {
  const app = await startApp({ dataFolder: await makeDataFolder(), databaseUrl })
  try {
    for (const [name, key] of [
      ['by content', null],
      ['by key', 'retry-1'],
    ] as const) {
      const made = await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name }) })
      const { slug } = z.object({ slug: z.string() }).parse(await made.json())
      const answers = await Promise.all(Array.from({ length: retries }, () => send(app, slug, body, key)))
      expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
      const saved = answers.map((answer) => savedSchema.parse(answer.body))
      expect(new Set(saved.flatMap(({ runs }) => runs.map(({ id }) => id))).size).toBe(1)
      expect(saved.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
      const list = await fetch(`${app.url}/api/v1/projects/${slug}/runs`)
      expect(z.object({ rows: z.array(z.unknown()) }).parse(await list.json()).rows).toHaveLength(1)
      if (key !== null) {
        const other = await send(app, slug, Buffer.concat([body, Buffer.from('\n')]), key)
        expect(other.status).toBe(422)
      }
    }
  } finally {
    await app.stop()
  }
}

describe('equal uploads at once are one', { timeout: 300_000 }, () => {
  it.skipIf(!isWhole)('embedded database', () => retryInParallel(undefined))
  it.skipIf(!isWhole || postgres.kind === 'missing')('PostgreSQL', async () => {
    await retryInParallel(postgres.kind === 'running' ? await postgres.createDatabase('migrated') : undefined)
  })
})
