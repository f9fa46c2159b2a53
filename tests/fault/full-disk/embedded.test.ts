import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomFrom } from '../../fuzz/random'
import { makeDataFolder } from '../../shared-databases'
import { startApp, startRefused, type RunningApp } from '../../server/app'
import { runsByUpload } from '../runs-by-upload'
import { fill, fillUp, free, mountSmallDisk, type SmallDisk } from './small-disk'
import { sendVaried } from '../varied-uploads'

/** `npm run test:faults` sets it. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const rounds = 30
const random = randomFrom(Number(process.env.TAILBOARD_SEED ?? 1))
const dataFolder = await makeDataFolder()
const disk: SmallDisk | null = isWhole ? await mountSmallDisk(dataFolder, 500) : null

const readinessSchema = z.object({ database: z.string() })
const acknowledged = new Map<string, { readonly runs: number; readonly sha256: string }>()
const refusals = new Map<string, number>()
let number = 0

async function upload(app: RunningApp): Promise<number> {
  const sent = await sendVaried(app.url, 'full', (number += 1))
  if (sent.id === null) refusals.set(sent.said, (refusals.get(sent.said) ?? 0) + 1)
  else acknowledged.set(sent.id, sent)
  return sent.status
}

/** Every acknowledged upload is whole; nothing is left of the others. */
async function expectWhole(app: RunningApp): Promise<void> {
  const counts = await runsByUpload(app, 'full')
  expect(new Set(counts.keys())).toEqual(new Set(acknowledged.keys()))
  for (const [id, { runs, sha256 }] of acknowledged) {
    expect(counts.get(id), id).toBe(runs)
    const raw = await fetch(`${app.url}/api/v1/projects/full/uploads/${id}/raw`)
    expect(
      createHash('sha256')
        .update(new Uint8Array(await raw.arrayBuffer()))
        .digest('hex'),
      id,
    ).toBe(sha256)
  }
}

/** Files that are already open stay writable: as after a change of permissions, like an administrator's. */
const makeReadOnly = (on: SmallDisk) => on.shell('mount --bind "$DISK" "$DISK" && mount -o remount,bind,ro "$DISK"')
const makeWritable = (on: SmallDisk) => on.shell('umount -l "$DISK"')

async function untilReady(app: RunningApp): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
    const response = await fetch(`${app.url}/readyz`)
    await response.arrayBuffer()
    if (response.ok) return
    if (Date.now() > deadline) throw new Error(`not ready within 30 s:\n${app.output()}`)
  }
}

describe.skipIf(disk === null)('the disk of the data folder, embedded database', { timeout: 600_000 }, () => {
  if (disk === null) return
  let app: RunningApp
  beforeAll(async () => {
    app = await startApp({ dataFolder, through: disk.through })
    expect(await upload(app)).toBe(201)
  })
  afterAll(async () => {
    await app.stop()
    await disk.end()
    await rm(dataFolder, { recursive: true, force: true })
  })
  const statusOf = async (place: string) => {
    const response = await fetch(app.url + place)
    await response.arrayBuffer()
    return response.status
  }
  const read = ['/', '/api/v1/projects/full/runs', '/p/smithy/trends', '/healthz'].concat(
    ['', '/runs', '/trends', '/alerts', '/matrix', '/settings'].map((page) => `/p/full${page}`),
  )
  const refused = async () => {
    const statuses = await Promise.all(read.map(statusOf))
    return read.flatMap((place, at) => (statuses[at] === 200 ? [] : [`${place}: ${statuses[at]}`]))
  }

  it('full: uploads are refused with 507, existing data can be read, and it recovers once there is space', async () => {
    let onReserve = 0
    for (let round = 0; round < rounds; round += 1) {
      await fill(disk, Math.floor(random() * 3e6))
      for (let times = 0; times < 4;) {
        const status = await upload(app)
        expect([201, 503, 507], [...refusals.keys()].join('\n')).toContain(status)
        if (status !== 201) times += 1
      }
      expect(await refused()).toEqual([])
      await fillUp(disk)
      expect(await upload(app)).toBe(507)
      expect(await refused()).toEqual([])
      const readiness = await fetch(`${app.url}/readyz`)
      expect(readiness.status).toBe(503)
      const { database } = readinessSchema.parse(await readiness.json())
      if (database === 'read-only') onReserve += 1
      if (round % 3 === 1) {
        await app.kill()
        const again = await startRefused({ dataFolder, through: disk.through })
        expect(again.code).toBe(78)
        expect(again.output).toMatch(/cannot be (used: ENOSPC|opened: the disk is full)/)
        await free(disk)
        app = await startApp({ dataFolder, through: disk.through })
      } else await free(disk)
      await untilReady(app)
      expect(await upload(app)).toBe(201)
      await expectWhole(app)
    }
    process.stdout.write(
      `a full disk ${rounds} times, on the reserve ${onReserve} times: ${acknowledged.size} uploads acknowledged, 0 lost, 0 in part; refused:\n`,
    )
    for (const [said, times] of refusals) process.stdout.write(`  ${times} times ${said}\n`)
  })

  it('read-only: uploads are refused with 507, existing data can be read, and it recovers once it is writable', async () => {
    await makeReadOnly(disk)
    for (let times = 0; times < 3; times += 1) expect(await upload(app)).toBe(507)
    expect(await refused()).toEqual([])
    expect(await statusOf('/readyz')).toBe(503)
    await makeWritable(disk)
    await untilReady(app)
    expect(await upload(app)).toBe(201)
    await expectWhole(app)
  })

  it('read-only at the start: it says so and exits with 78', async () => {
    expect(await app.stop()).toBe(0)
    await makeReadOnly(disk)
    const { code, output } = await startRefused({ dataFolder, through: disk.through })
    expect(code).toBe(78)
    expect(output).toContain(`The data folder ${dataFolder} cannot be used`)
    await makeWritable(disk)
    app = await startApp({ dataFolder, through: disk.through })
    await expectWhole(app)
  })
})
