import { readFile, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../../postgres'
import { startBucket } from '../../s3-server'
import { startApp, type RunningApp } from '../../server/app'
import { makeDataFolder } from '../../shared-databases'
import { steadyRows, vegetaCsv } from '../../vegeta-csv'

/** `npm run test:faults` sets it. */
const isWhole = process.env['TAILBOARD_KILLS'] !== undefined
const readers = 200
const runs = 5_000
const files = ['/runs.csv', '/matrix/matrix.md', 'raw']
const postgres = await startPostgres()
afterAll(async () => {
  if (postgres.kind === 'running') await postgres.stop()
})

const root = '/api/v1/projects/exports'

/** What a reader received before it stopped reading. */
interface SlowReader {
  readonly socket: Socket
  /** Resolves with the first bytes; null: the server closed the connection first. */
  readonly first: Promise<string | null>
}

/** Requests a file and stops reading at its first bytes; the rest waits in the buffers of two sockets. */
function readSlowly(app: RunningApp, path: string): SlowReader {
  const { hostname, port } = new URL(app.url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: */*\r\n\r\n`)
  const first = new Promise<string | null>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(chunk.toString('latin1'))
    })
    socket.once('close', () => resolve(null))
    socket.on('error', () => resolve(null))
  })
  return { socket, first }
}

async function timed(work: () => Promise<Response>): Promise<{ readonly status: number; readonly ms: number }> {
  const startedAt = performance.now()
  const response = await work()
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - startedAt }
}

const put = (app: RunningApp, name: string, body: string) =>
  fetch(`${app.url}${root}/uploads?create=1&again=1&name=${name}`, {
    method: 'PUT',
    body,
    headers: { accept: 'application/json' },
  })

/** A server with a long list of runs; returns the id of an upload of a few MB in it. */
async function withExports(
  env: Readonly<Record<string, string>>,
  work: (app: RunningApp, bigId: string) => Promise<void>,
): Promise<void> {
  if (postgres.kind === 'missing') throw new Error(postgres.reason)
  const folder = await makeDataFolder()
  const app = await startApp({ dataFolder: folder, databaseUrl: await postgres.createDatabase(), env })
  try {
    const document = await readFile('tests/fixtures/wrk-text/latency.txt', 'utf8')
    const many = Array.from({ length: runs }, (_, at) => `## Route ${at}\n\n${document}\n`).join('\n')
    expect((await put(app, 'many', many)).status).toBe(201)
    const big = await put(app, 'big', vegetaCsv(steadyRows(60_000, 60_000)))
    // The first round of background work evaluates the series of all these runs.
    const { id } = z.object({ upload: z.object({ id: z.string() }) }).parse(await big.json()).upload
    await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status, { timeout: 120_000 }).toBe(200)
    await work(app, id)
  } finally {
    await app.stop()
    await rm(folder, { recursive: true })
  }
}

/** Many readers of a file, along with 20 uploads and some pages: what each of them got, and how long it took. */
async function beside(app: RunningApp, path: string) {
  const slow = Array.from({ length: readers }, () => readSlowly(app, path))
  await sleep(200)
  const uploads = Array.from({ length: 20 }, (_, at) =>
    timed(() => put(app, `beside-${at}`, vegetaCsv(steadyRows(1_000, 10_000, at * 1_000)))),
  )
  const pages = ['/', '/p/exports', '/p/exports/runs', '/readyz'].map((page) => timed(() => fetch(app.url + page)))
  const served = await Promise.all([...uploads, ...pages])
  const heads = await Promise.all(slow.map(({ first }) => first))
  for (const { socket } of slow) socket.destroy()
  return { served, heads, slowestMs: Math.round(Math.max(...served.map(({ ms }) => ms))) }
}

const statusOf = (head: string | null) => Number(/^HTTP\/1\.1 (\d{3})/.exec(head ?? '')?.[1] ?? 0)
/** For uploads and pages, which are all sent at once; without limits on exports they take minutes. */
const maxMs = 15_000

describe.runIf(isWhole && postgres.kind === 'running')('exports that are read slowly', { timeout: 300_000 }, () => {
  it('leave uploads and pages their connections and their time', async () => {
    await withExports({}, async (app, bigId) => {
      for (const file of files) {
        const path = file === 'raw' ? `/uploads/${bigId}/raw` : file
        const { served, heads, slowestMs } = await beside(app, root + path)
        console.info(`${path}: ${slowestMs} ms, ${heads.filter((head) => statusOf(head) === 503).length} busy`)
        expect(
          served.map(({ status }) => status),
          path,
        ).toEqual([...Array(20).fill(201), ...Array(4).fill(200)])
        expect(slowestMs, path).toBeLessThan(maxMs)
        // Each has its file, or knows when to retry.
        const refused = heads.filter((head) => statusOf(head) !== 200)
        expect(refused.filter((head) => statusOf(head) !== 503 || !/^retry-after: \d+\r$/im.test(head ?? ''))).toEqual(
          [],
        )
        expect(heads.length - refused.length).toBeGreaterThan(0)
      }
    })
  })

  it('leave uploads to a bucket their connections', async () => {
    const bucket = await startBucket()
    try {
      await withExports(bucket.env, async (app, bigId) => {
        const { served, slowestMs } = await beside(app, `${root}/uploads/${bigId}/raw`)
        console.info(`bucket: ${slowestMs} ms`)
        expect(served.map(({ status }) => status)).toEqual([...Array(20).fill(201), ...Array(4).fill(200)])
        expect(slowestMs).toBeLessThan(maxMs)
      })
    } finally {
      await bucket.stop()
    }
  })
})
