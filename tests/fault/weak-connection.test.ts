import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../fuzz/random'
import { startPostgres } from '../postgres'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'
import { runsByUpload } from './runs-by-upload'
import { sendVaried } from './varied-uploads'
import { startWeakConnection, type WeakConnection } from './weak-connection'

/** `npm run test:faults` sets it: more than a minute of waiting. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const postgres = await startPostgres()

describe.skipIf(postgres.kind === 'missing' || !isWhole)(
  'a weak connection to PostgreSQL',
  { timeout: 600_000 },
  () => {
    let app: RunningApp
    let weak: WeakConnection
    let dataFolder = ''
    beforeAll(async () => {
      if (postgres.kind === 'missing') return
      weak = await startWeakConnection(await postgres.createDatabase('migrated'), randomFrom(1))
      dataFolder = await makeDataFolder()
      app = await startApp({ dataFolder, databaseUrl: weak.url })
    })
    afterAll(async () => {
      await app.stop()
      await weak.close()
      await rm(dataFolder, { recursive: true, force: true })
      if (postgres.kind === 'running') await postgres.stop()
    })

    const acknowledged = new Map<string, number>()
    let number = 0
    async function upload(): Promise<{ readonly status: number; readonly ms: number }> {
      const startedAt = performance.now()
      const sent = await sendVaried(app.url, 'weak', (number += 1))
      if (sent.id === null) expect(sent.retryAfter).toBeGreaterThan(0)
      else acknowledged.set(sent.id, sent.runs)
      return { status: sent.status, ms: performance.now() - startedAt }
    }
    const uploadsAtOnce = (count: number) => Promise.all(Array.from({ length: count }, upload))

    async function untilReady(): Promise<number> {
      const startedAt = performance.now()
      for (;;) {
        const response = await fetch(`${app.url}/readyz`)
        await response.arrayBuffer()
        const ms = performance.now() - startedAt
        if (response.ok) return ms
        if (ms > 90_000) throw new Error(`not ready after 90 s:\n${app.output()}`)
        await sleep(100)
      }
    }

    async function expectWhole(): Promise<void> {
      const counts = await runsByUpload(app, 'weak')
      for (const [id, runs] of acknowledged) expect(counts.get(id), id).toBe(runs)
    }

    it('with a round trip of two seconds: uploads take their time, or are refused', async () => {
      expect((await upload()).status).toBe(201)
      weak.delayMs = 1_000
      const answers = await uploadsAtOnce(4)
      weak.delayMs = 0
      process.stdout.write(
        `2 s there and back: ${answers.map(({ status, ms }) => `${status} in ${(ms / 1_000).toFixed(1)} s`).join(', ')}\n`,
      )
      for (const { status, ms } of answers) {
        expect([201, 503]).toContain(status)
        expect(ms).toBeLessThan(60_000)
      }
      await untilReady()
      expect((await upload()).status).toBe(201)
      await expectWhole()
    })

    it('that breaks now and then: each upload is whole or refused', async () => {
      weak.cutPercent = 1
      const statuses = new Map<number, number>()
      for (let round = 0; round < 15; round += 1)
        for (const { status } of await uploadsAtOnce(4)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      weak.cutPercent = 0
      process.stdout.write(
        `1 % of all pieces break their connection off: ${[...statuses].map(([status, times]) => `${times} times ${status}`).join(', ')}\n`,
      )
      expect([...statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([])
      await untilReady()
      expect((await upload()).status).toBe(201)
      await expectWhole()
    })

    it('that dies silently: requests end, and work again over a new connection', async () => {
      expect((await uploadsAtOnce(4)).map(({ status }) => status)).toEqual([201, 201, 201, 201])
      weak.isDead = true
      const answers = await uploadsAtOnce(6)
      weak.isDead = false
      process.stdout.write(
        `dead: ${answers.map(({ status, ms }) => `${status} in ${(ms / 1_000).toFixed(1)} s`).join(', ')}\n`,
      )
      for (const { status, ms } of answers) {
        expect(status).toBe(503)
        expect(ms).toBeLessThan(45_000)
      }
      const readyMs = await untilReady()
      expect(readyMs).toBeLessThan(10_000)
      expect((await upload()).status).toBe(201)
      await expectWhole()
    })
  },
)
