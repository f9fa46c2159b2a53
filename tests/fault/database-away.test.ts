import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type RunningApp } from '../server/app'
import { startOwn, startPostgres, type OwnPostgres } from '../postgres'

/** `npm run test:faults` sets 20. */
const stops = Number(process.env.TAILBOARD_STOPS ?? 2)
const probe = await startPostgres()
if (probe.kind === 'running') await probe.stop()

let folder = ''
let app: RunningApp
let postgres: OwnPostgres
let port = 0
const startAgain = async () => (postgres = await startOwn(path.join(folder, 'postgres'), [], port))

describe.skipIf(probe.kind === 'missing')('a PostgreSQL that is away', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tailboard-away-'))
    postgres = await startOwn(path.join(folder, 'postgres'))
    port = Number(new URL(postgres.url).port)
    await postgres.end()
    app = await startApp({ dataFolder: path.join(folder, 'data'), databaseUrl: postgres.url })
  })
  afterAll(async () => {
    await app.stop()
    await postgres.end()
    await rm(folder, { recursive: true, force: true })
  })

  const statusOf = async (address: string, accept = 'application/json') =>
    (await fetch(app.url + address, { headers: { accept } })).status
  const readyWithin = async (limitMs: number) => {
    const since = performance.now()
    while ((await statusOf('/readyz')) !== 200) {
      if (performance.now() - since > limitMs) throw new Error(`not ready within ${limitMs} ms:\n${app.output()}`)
      await sleep(50)
    }
    return performance.now() - since
  }

  it('at the start is waited for, said, and then migrated and served', async () => {
    expect(await statusOf('/healthz')).toBe(200)
    const readiness = await fetch(`${app.url}/readyz`)
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toMatchObject({ status: 'unavailable', database: 'unavailable', store: 'ready' })
    const page = await fetch(`${app.url}/`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await page.text()).toContain('The database is unavailable')
    const answer = await fetch(`${app.url}/api/v1/projects`, { headers: { accept: 'application/json' } })
    expect(await answer.json()).toMatchObject({ status: 503, code: 'database-unavailable' })
    await startAgain()
    expect(await readyWithin(60_000)).toBeLessThan(10_000 + 20_000) // samples are loaded and migrations applied in it
    expect(await statusOf('/', 'text/html')).toBe(200)
  })

  it('that breaks off under load is told in 5 s, and used again within 10 s of its return', async () => {
    const made = { method: 'POST', body: JSON.stringify({ name: 'away' }) }
    expect((await fetch(`${app.url}/api/v1/projects`, made)).status).toBe(201)
    const acknowledged = new Set<string>()
    const statuses = new Map<number, number>()
    let isOver = false
    let longestMs = 0
    const upload = async (worker: number) => {
      for (let number = 0; !isOver; number += 1) {
        const body = `Running 1s test @ http://a/\n  1 threads and 1 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency     1.00ms    1.00ms   9.00ms   90.00%\n    Req/Sec     1.00k     1.00     1.00k    90.00%\n  ${1000 + number} requests in 1.00s, 1.00MB read\nRequests/sec:   ${1000 + number}.00\nTransfer/sec:      1.00MB\n<!-- ${worker} ${number} -->\n`
        const since = performance.now()
        const answer = await fetch(`${app.url}/api/v1/projects/away/uploads`, {
          method: 'PUT',
          body,
          headers: { accept: 'application/json' },
        })
        longestMs = Math.max(longestMs, performance.now() - since)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const text = await answer.text()
        if (answer.status === 201) acknowledged.add((JSON.parse(text) as { upload: { id: string } }).upload.id)
        else expect(answer.headers.get('retry-after'), text).toBe('5')
      }
    }
    const workers = [upload(1), upload(2), upload(3)]
    const healedMs: number[] = []
    for (let round = 0; round < stops; round += 1) {
      const before = acknowledged.size
      while (acknowledged.size < before + 3) await sleep(10)
      await postgres.breakOff()
      await sleep(500 + ((round * 173) % 700))
      await startAgain()
      healedMs.push(await readyWithin(30_000))
    }
    isOver = true
    await Promise.all(workers)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query<{ id: string; runs: number }>(
      `SELECT u.id, count(r.id)::int AS runs FROM upload u JOIN project p ON p.id = u.project_id AND p.slug = 'away'
       LEFT JOIN run r ON r.upload_id = u.id GROUP BY 1`,
    )
    await client.end()
    const runs = new Map(rows.map((row) => [row.id, row.runs]))
    process.stdout.write(
      `${stops} immediate stops: ${acknowledged.size} uploads acknowledged, statuses ${JSON.stringify(Object.fromEntries(statuses))}, ` +
        `longest answer ${longestMs.toFixed(0)} ms, ready again after at most ${Math.max(...healedMs).toFixed(0)} ms\n`,
    )
    expect([...acknowledged].filter((id) => runs.get(id) !== 1)).toEqual([])
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([])
    expect([...statuses.keys()].toSorted()).toEqual([201, 503])
    expect(longestMs).toBeLessThan(5_000)
    expect(Math.max(...healedMs)).toBeLessThan(10_000)
    // One line when it goes, one when it is back.
    const lines = app
      .output()
      .split('\n')
      .filter((line) => line.startsWith('The database is'))
    expect(lines.length).toBe(2 * (stops + 1))
    expect(app.output().split('\n').length).toBeLessThan(4 * (stops + 1) + 10)
  })

  it('whose tables are locked for long answers within 10 s, and goes on', async () => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query('BEGIN')
    await client.query('LOCK TABLE upload IN ACCESS EXCLUSIVE MODE')
    const since = performance.now()
    const body = 'Summary:\n'
    const answer = await fetch(`${app.url}/api/v1/projects/away/uploads`, { method: 'PUT', body })
    expect(answer.status).toBe(503)
    expect(performance.now() - since).toBeLessThan(10_000)
    await client.query('ROLLBACK')
    await client.end()
    expect(await statusOf('/readyz')).toBe(200)
  })
})
