import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../../postgres'
import { newOutput, anonymous, World } from '../../server/access/world'
import { startReceiver, type Receiver } from '../../server/receiver'

const postgres = await startPostgres()
afterAll(async () => {
  if (postgres.kind === 'running') await postgres.stop()
})

/** `npm run test:faults` sets it: each of them starts its own server. */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const hour = 3_600_000
const day = 24 * hour
/** Each relative to the time that the previous one left. */
const jumps = [
  { name: 'back an hour', byMs: -hour },
  { name: 'forward a day', byMs: day },
  { name: 'back to the true time', byMs: hour - day },
] as const

const uploadedSchema = z.object({ upload: z.object({ id: z.string() }), runs: z.array(z.object({ id: z.string() })) })
const pageSchema = z.object({ rows: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
const alertsSchema = z.object({ alerts: z.array(z.object({ id: z.string(), kind: z.string().optional() })) })
const sessionsSchema = z.object({ sessions: z.array(z.object({ createdAt: z.string(), expiresAt: z.string() })) })

/** The databases: the embedded one's clock jumps too, a PostgreSQL runs on another machine. */
const databases = ['embedded', ...(postgres.kind === 'running' ? (['PostgreSQL'] as const) : [])] as const

describe.runIf(isWhole).each(databases)('a clock that jumps, %s', (kind) => {
  let world: World
  let receiver: Receiver
  let folder: string
  let offMs = 0
  /** How long the receiver waits before it responds. */
  let heldMs = 0

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tailboard-clock-'))
    offMs = 0
    heldMs = 0
    await jump(0)
    receiver = await startReceiver((_one, response) => {
      setTimeout(() => response.writeHead(204).end(), heldMs)
    })
    world = await World.start({
      NODE_OPTIONS: `--import=${new URL('moved-clock.mjs', import.meta.url).href}`,
      TAILBOARD_TEST_CLOCK: clockFile(),
      TAILBOARD_WEBHOOK_PORTS: String(receiver.port),
      ...(kind === 'PostgreSQL' && postgres.kind === 'running'
        ? { DATABASE_URL: await postgres.createDatabase() }
        : {}),
    })
  })
  afterEach(async () => {
    await world.end()
    await receiver.close()
    await rm(folder, { recursive: true })
  })

  const root = () => `/api/v1/projects/${world.places.own}`
  const clockFile = () => path.join(folder, 'clock')
  async function jump(byMs: number): Promise<void> {
    offMs += byMs
    await writeFile(clockFile(), String(offMs))
    await sleep(50)
  }
  const owner = () => world.people.owner.session
  async function put(query: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    const asked = { method: 'PUT', body, headers: { accept: 'application/json', ...headers } }
    const response = await world.ask(owner(), `${root()}/uploads${query}`, asked)
    return { status: response.status, ...uploadedSchema.parse(await response.json()) }
  }

  it('ends no session early and makes none immortal', { timeout: 120_000 }, async () => {
    const began = Date.now()
    for (const { name, byMs } of jumps) {
      await jump(byMs)
      expect((await world.ask(owner(), '/api/v1/account')).status, name).toBe(200)
      // One that starts now lasts at most as much longer as the jump.
      const session = await world.signIn(world.people.viewer)
      const { sessions } = await world.json(sessionsSchema, session, '/api/v1/account/sessions')
      for (const { expiresAt } of sessions) expect(Date.parse(expiresAt) - began, name).toBeLessThanOrEqual(32 * day)
    }
    await jump(31 * day)
    expect((await world.ask(owner(), '/api/v1/account')).status).toBe(401)
  })

  it('makes no rate limit last longer', { timeout: 120_000 }, async () => {
    const { email } = world.people.viewer
    const signIn = async () => {
      const response = await world.ask(anonymous, '/api/v1/session', {
        method: 'POST',
        body: { email, password: 'wrong' },
      })
      return { status: response.status, waitS: Number(response.headers.get('retry-after')) }
    }
    const probe = async () => {
      const headers = { 'x-forwarded-for': '192.0.2.77' }
      const response = await world.ask(anonymous, '/api/v1/account', { headers })
      return { status: response.status, waitS: Number(response.headers.get('retry-after')) }
    }
    for (let at = 0; at < 12; at += 1) await signIn()
    for (let at = 0; at < 301; at += 1) await probe()
    await jump(-hour)
    for (const refused of [await signIn(), await probe()]) {
      expect(refused.status).toBe(429)
      expect(refused.waitS).toBeGreaterThan(0)
      expect(refused.waitS).toBeLessThanOrEqual(60)
    }
  })

  it(
    'creates no second run from a repeated upload, and lists each run once, judged',
    { timeout: 180_000 },
    async () => {
      const sent: { id: string; key: string; body: string }[] = []
      const send = async (name: string) => {
        const [key, body] = [randomUUID(), newOutput()]
        const first = await put('?scenario=clock', body, { 'idempotency-key': key })
        expect(first.status, name).toBe(201)
        sent.push({ id: first.runs[0]?.id ?? '', key, body })
      }
      await send('before')
      for (const { name, byMs } of jumps) {
        await jump(byMs)
        await send(name)
        for (const { id, key, body } of sent) {
          const again = await put('?scenario=clock', body, { 'idempotency-key': key })
          expect([again.status, again.runs[0]?.id], name).toEqual([200, id])
        }
        const seen: string[] = []
        for (let cursor: string | null = ''; cursor !== null;) {
          const query = new URLSearchParams({ scenario: 'clock', limit: '1', ...(cursor === '' ? {} : { cursor }) })
          const page: z.infer<typeof pageSchema> = await world.json(pageSchema, owner(), `${root()}/runs?${query}`)
          seen.push(...page.rows.map(({ id }) => id))
          cursor = page.nextCursor
        }
        expect(seen.sort(), name).toEqual(sent.map(({ id }) => id).sort())
        // Background work continues: the newest run is judged within seconds.
        const judged = z.object({ judged: z.unknown() })
        await expect
          .poll(async () => (await world.json(judged, owner(), `${root()}/runs/${sent.at(-1)?.id}`)).judged, {
            timeout: 20_000,
          })
          .not.toBeNull()
      }
    },
  )

  it('loses no alert and sends none twice', { timeout: 180_000 }, async () => {
    const post = (place: string, body: unknown) =>
      world.json(z.unknown(), owner(), `${root()}${place}`, { method: 'POST', body })
    await post('/channels', { kind: 'webhook', name: 'W', target: `${receiver.url}/hook` })
    await post('/rules', { settings: { kind: 'limit', metricId: 'mean', side: 'above', limit: 0, confirmRuns: 1 } })
    heldMs = 1_500
    for (const [at, { name, byMs }] of jumps.entries()) {
      // Dated now, by its upload: old runs send no messages.
      await put(`?scenario=alert-${at}&again=1`, await readFile('tests/fixtures/wrk-text/latency.txt', 'utf8'))
      // The clock jumps while the message is in flight.
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(at + 1)
      await jump(byMs)
      await sleep(heldMs + 3_000)
      expect(receiver.received, name).toHaveLength(at + 1)
    }
    const { alerts } = await world.json(alertsSchema, owner(), `${root()}/alerts`)
    expect(alerts).toHaveLength(jumps.length)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(jumps.length)
    const delivered = z.object({ deliveries: z.array(z.object({ status: z.string(), attempts: z.number() })) })
    const { deliveries } = await world.json(delivered, owner(), `${root()}/deliveries`)
    expect(deliveries).toEqual(jumps.map(() => expect.objectContaining({ status: 'delivered', attempts: 1 })))
  })
})
