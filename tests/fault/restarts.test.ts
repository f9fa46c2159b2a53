import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../postgres'
import { startApp, type RunningApp } from '../server/app'
import { makeDataFolder } from '../shared-databases'
import { startBalancer, type Balancer } from './balancer'

/** Kills, one every 20 s: `npm run test:restarts` sets it; with `npm run test:faults` there is one. */
const kills = Number(process.env.TAILBOARD_RESTARTS ?? (process.env.TAILBOARD_KILLS === undefined ? 0 : 1))
/**
 * From the start of a process until it is ready. On a machine that runs other tests beside, a start alone takes
 * seconds.
 */
const longestMs = kills > 1 ? 10_000 : 25_000
const postgres = await startPostgres()
const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')
const savedSchema = z.object({ upload: z.object({ id: z.string() }) })
const rowsSchema = z.object({ rows: z.array(z.unknown()) })

let balancer: Balancer
let dataFolder = ''
let databaseUrl = ''
let apps: RunningApp[] = []
const start = () => startApp({ dataFolder, databaseUrl })
const figures = { sent: 0, retried: 0, readyMs: [] as number[] }
const acknowledged: string[] = []

/** Sends documents of 40 series, one after the other, each until it is acknowledged. */
async function upload(until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    figures.sent += 1
    const query = `create=1&scenario=series-${figures.sent % 40}`
    const body = `${document}\n<!-- ${figures.sent} -->\n`
    const headers = { accept: 'application/json', 'idempotency-key': randomUUID() }
    for (;;) {
      const answer = await fetch(`${balancer.url}/api/v1/projects/restarts/uploads?${query}`, {
        ...{ method: 'PUT', body, headers, signal: AbortSignal.timeout(60_000) },
      }).catch(() => null)
      if (answer?.ok) {
        acknowledged.push(savedSchema.parse(await answer.json()).upload.id)
        break
      }
      const said = answer === null ? 'no answer' : `${answer.status} ${await answer.text()}`
      if (!/^(?:no answer|502|503)/.test(said)) throw new Error(said)
      figures.retried += 1
      await sleep(100)
    }
  }
}

const isReady = async (app: RunningApp): Promise<boolean> => (await fetch(`${app.url}/readyz`)).ok

async function killAndStart(at: number): Promise<void> {
  balancer.places[at] = null
  await apps[at]?.kill()
  const startedAt = performance.now()
  const app = await start()
  apps[at] = app
  balancer.places[at] = app.url
  while (!(await isReady(app))) {
    if (performance.now() - startedAt > 300_000) throw new Error('not ready within five minutes')
    await sleep(50)
  }
  figures.readyMs.push(Math.round(performance.now() - startedAt))
}

describe.skipIf(postgres.kind === 'missing' || kills === 0)(
  'three instances under uploads',
  { timeout: 1_200_000 },
  () => {
    beforeAll(async () => {
      if (postgres.kind === 'missing') return
      databaseUrl = await postgres.createDatabase('migrated')
      dataFolder = await makeDataFolder()
      balancer = await startBalancer()
      apps = await Promise.all([start(), start(), start()])
      balancer.places.push(...apps.map(({ url }) => url))
    }, 300_000)
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.kill()))
      await balancer.close()
      if (postgres.kind === 'running') await postgres.stop()
    })

    it('one that was killed is ready again while uploads go on, no other is late, and nothing is lost', async () => {
      const stop = new AbortController()
      const clients = Promise.all(Array.from({ length: 6 }, () => upload(stop.signal)))
      // So that more is due than is evaluated at once.
      await expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(kills > 1 ? 100 : 40)
      for (let at = 0; at < kills; at += 1) {
        const next = sleep(20_000)
        await killAndStart(at % 3)
        for (const app of apps) expect(await isReady(app)).toBe(true)
        if (kills > 1) await next
      }
      stop.abort()
      await clients
      expect(acknowledged).toHaveLength(figures.sent)
      for (const id of acknowledged) {
        const rows = await fetch(`${balancer.url}/api/v1/projects/restarts/runs?upload=${id}`)
        expect(rowsSchema.parse(await rows.json()).rows).toHaveLength(2)
      }
      if (kills > 1) process.stdout.write(`${JSON.stringify(figures)}\n`)
      expect(Math.max(...figures.readyMs)).toBeLessThan(longestMs)
    })
  },
)
