import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'

const postgres = await startPostgres()
afterAll(() => (postgres.kind === 'running' ? postgres.stop() : undefined))
const document = await readFile('tests/fixtures/documents/smithy-wrk.md')

async function makeProject(app: RunningApp): Promise<string> {
  const made = { method: 'POST', body: JSON.stringify({ name: 'at once' }) }
  expect((await fetch(`${app.url}/api/v1/projects`, made)).status).toBe(201)
  return `${app.url}/api/v1/projects/at-once`
}

/** A hundred equal uploads at the same moment, then twenty slow ones and SIGTERM: ids, and how each ended. */
async function attack(databaseUrl: string | undefined): Promise<void> {
  const app = await startApp({ dataFolder: await makeDataFolder(), databaseUrl })
  const project = await makeProject(app)
  const json = { accept: 'application/json' }
  const same = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const answer = await fetch(`${project}/uploads`, { method: 'PUT', body: document, headers: json })
      return { status: answer.status, saved: (await answer.json()) as { upload: { id: string } } }
    }),
  )
  expect(new Set(same.map(({ saved }) => saved.upload.id)).size).toBe(1)
  expect(same.map(({ status }) => status).toSorted()).toEqual([...Array<number>(99).fill(200), 201])
  const listed = (await (await fetch(`${project}/runs`, { headers: json })).json()) as { rows: readonly unknown[] }
  expect(listed.rows.length).toBe(2)

  const slow = Array.from({ length: 20 }, (_, number) => {
    const body = Buffer.concat([document, Buffer.from(`\n<!-- ${number} -->\n`)])
    return new Promise<number>((resolve, reject) => {
      const headers = { ...json, 'content-length': body.length }
      const sent = request(`${project}/uploads`, { method: 'PUT', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.once('error', reject)
      sent.write(body.subarray(0, 1_000))
      setTimeout(() => sent.end(body.subarray(1_000)), 1_500 + number * 50)
    })
  })
  await sleep(1_000)
  const since = performance.now()
  const code = app.stop()
  await sleep(500)
  await expect(fetch(`${app.url}/healthz`)).rejects.toThrow()
  expect(await Promise.all(slow)).toEqual(Array<number>(20).fill(201))
  expect(await code).toBe(0)
  expect(performance.now() - since).toBeLessThan(31_000)
}

describe(
  '100 equal uploads at once make one, and SIGTERM lets 20 that are under way finish',
  { timeout: 300_000 },
  () => {
    it('embedded database', () => attack(undefined))
    it.skipIf(postgres.kind === 'missing')('PostgreSQL', async () =>
      attack(postgres.kind === 'running' ? await postgres.createDatabase() : undefined),
    )
  },
)
