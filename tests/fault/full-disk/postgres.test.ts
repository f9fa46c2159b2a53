import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../fuzz/random'
import { freePort, startOwn, startPostgres, type OwnPostgres } from '../../postgres'
import { makeDataFolder } from '../../shared-databases'
import { startApp, type RunningApp } from '../../server/app'
import { runsByUpload } from '../runs-by-upload'
import { fill, fillUp, free, mountSmallDisk } from './small-disk'
import { sendVaried } from '../varied-uploads'

/** `npm run test:faults` sets it. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const probe = isWhole ? await startPostgres() : null
if (probe?.kind === 'running') await probe.stop()
const rounds = 10
const random = randomFrom(Number(process.env.TAILBOARD_SEED ?? 1))
/** Settings like those of a small server: PostgreSQL's log stays far smaller than the disk. */
const small = ['min_wal_size=32MB', 'max_wal_size=48MB', 'shared_buffers=16MB', 'checkpoint_timeout=30s']

describe.skipIf(probe?.kind !== 'running')("the disk with PostgreSQL's data is full", { timeout: 900_000 }, () => {
  it('uploads are refused, nothing acknowledged is lost, and it recovers once there is space', async ({ skip }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-full-pg-'))
    await startOwn(folder).then((made) => made.end())
    const disk = await mountSmallDisk(folder, 260)
    if (disk === null) return skip()
    const port = await freePort()
    // Its supervisor restarts it when it gives up.
    const start = () => startOwn(folder, small, port, disk.through)
    let database: OwnPostgres = await start()
    const app = await startApp({ dataFolder: await makeDataFolder(), databaseUrl: database.url })
    const acknowledged = new Map<string, number>()
    const refusals = new Map<string, number>()
    let number = 0
    const upload = async (): Promise<number> => {
      const sent = await sendVaried(app.url, 'full', (number += 1))
      if (sent.id === null) refusals.set(sent.said, (refusals.get(sent.said) ?? 0) + 1)
      else acknowledged.set(sent.id, sent.runs)
      return sent.status
    }
    try {
      expect(await upload()).toBe(201)
      for (let round = 0; round < rounds; round += 1) {
        await fill(disk, Math.floor(random() * 4e6))
        for (let refused = 0; refused < 4;) {
          const status = await upload()
          expect([201, 503, 507]).toContain(status)
          if (status === 201) continue
          refused += 1
          await fillUp(disk)
        }
        expect(await statusOf(app, '/healthz')).toBe(200)
        await free(disk)
        await untilReady(app, async () => {
          await database.end()
          database = await start()
        })
        expect(await upload()).toBe(201)
        const counts = await runsByUpload(app, 'full')
        expect(new Set(counts.keys())).toEqual(new Set(acknowledged.keys()))
        for (const [id, runs] of acknowledged) expect([id, counts.get(id)]).toEqual([id, runs])
      }
      process.stdout.write(
        `PostgreSQL's disk full ${rounds} times: ${acknowledged.size} uploads acknowledged, 0 lost, 0 in part; refused: ${JSON.stringify(Object.fromEntries(refusals))}\n`,
      )
    } finally {
      await app.stop()
      await database.end()
      await disk.end()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

const statusOf = async (app: RunningApp, place: string): Promise<number> => {
  const response = await fetch(app.url + place)
  await response.arrayBuffer()
  return response.status
}

/** A PostgreSQL that has been down for five seconds has exited and is restarted. */
async function untilReady(app: RunningApp, restart: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await statusOf(app, '/readyz')) === 200) return
    if (tries === 50) await restart()
    await sleep(100)
  }
  throw new Error(`not ready within a minute:\n${app.output()}`)
}
