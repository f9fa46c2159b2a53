import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPooler, type TestPooler } from '../pgbouncer'
import { startPostgres } from '../postgres'
import { startBucket, type TestBucket } from '../s3-server'
import { startApp, type RunningApp } from '../server/app'
import { startReceiver, type Receiver } from '../server/receiver'
import { startBalancer, type Balancer } from './balancer'
import { makeDataFolder } from '../shared-databases'

/** Minutes of uploads with an instance killed every 20 s: `npm run test:faults` sets it. */
const minutes = Number(process.env.TAILBOARD_INSTANCE_KILLS ?? 0)
const postgres = await startPostgres()
const document = await readFile('tests/fixtures/hey-text/duration-and-interrupt.txt', 'utf8')
const vegeta = await readFile('tests/fixtures/vegeta-csv/heading.csv')

const savedSchema = z.object({ upload: z.object({ id: z.string() }), runs: z.array(z.object({ id: z.string() })) })
const rowsSchema = z.object({ total: z.number().optional(), rows: z.array(z.object({ id: z.string() })) })
const alertsSchema = z.object({
  alerts: z.array(z.object({ id: z.string(), series: z.object({ scenario: z.string() }).nullable() })),
})
const messageSchema = z.object({ data: z.object({ alert: z.object({ id: z.string() }) }) })
const madeSchema = z.object({ id: z.string(), url: z.string() })

/** Three instances on one PostgreSQL, through PgBouncer if it is installed, with one bucket, behind a load balancer. */
let apps: RunningApp[] = []
let balancer: Balancer
let bucket: TestBucket
let receiver: Receiver
let pooler: TestPooler
let direct = ''
let cookie = ''
let token = ''
const folders: string[] = []
const instance = (number: number) => apps[number]?.url ?? ''
const project = '/api/v1/projects/shared'

const secret = randomBytes(32).toString('base64')
async function start(): Promise<RunningApp> {
  const dataFolder = await makeDataFolder()
  await rm(dataFolder, { recursive: true }) // no part of it is shared
  folders.push(dataFolder)
  return startApp({
    dataFolder,
    databaseUrl: pooler.kind === 'running' ? pooler.url : direct,
    env: {
      ...bucket.env,
      ...(pooler.kind === 'running' ? { TAILBOARD_DATABASE_DIRECT_URL: direct } : {}),
      TAILBOARD_AUTH: 'on',
      TAILBOARD_SECRET_KEY: secret,
      TAILBOARD_URL: 'https://tailboard.example',
      TAILBOARD_WEBHOOK_HTTP: '1',
      TAILBOARD_WEBHOOK_CIDRS: '127.0.0.0/8',
      TAILBOARD_WEBHOOK_PORTS: String(receiver.port),
      TAILBOARD_TOKEN_REQUESTS: '1000000',
      TAILBOARD_TOKEN_UPLOADS: '1000000',
      TAILBOARD_TOKEN_UPLOADS_HOUR: '1000000',
    },
  })
}

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly as?: 'person' | 'token' | 'nobody'
}

function ask(place: string, path: string, { method = 'GET', body, headers = {}, as = 'person' }: Asked = {}) {
  return fetch(place + path, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      'x-forwarded-for': '10.0.0.1',
      ...(method === 'GET' ? {} : { origin: place }),
      ...(as === 'person' ? { cookie } : as === 'token' ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || Buffer.isBuffer(body) ? (body as BodyInit) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  })
}

async function json<T>(schema: z.ZodType<T>, place: string, path: string, asked: Asked = {}): Promise<T> {
  const response = await ask(place, path, asked)
  const text = await response.text()
  if (!response.ok) throw new Error(`${asked.method ?? 'GET'} ${path}: ${response.status} ${text}`)
  return schema.parse(JSON.parse(text))
}

const cookieOf = (response: Response) =>
  /__Host-tailboard=[\w-]{43}/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? ''

let sent = 0
const newDocument = () => `${document}\n<!-- ${(sent += 1)} -->\n`
const send = (place: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  json(savedSchema, place, `${project}/uploads`, { method: 'PUT', body, headers, as: 'token' })

describe.skipIf(postgres.kind === 'missing')('three instances behind a load balancer', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    if (postgres.kind === 'missing') return
    direct = await postgres.createDatabase('migrated')
    pooler = await startPooler(direct)
    if (pooler.kind === 'missing') process.stdout.write(`${pooler.reason}\n`)
    bucket = await startBucket()
    receiver = await startReceiver()
    balancer = await startBalancer()
    // They create the samples and the owner's link at the same time; the last link is valid.
    apps = await Promise.all([start(), start(), start()])
    balancer.places.push(...apps.map(({ url }) => url))
    const links = apps.flatMap((app) => /\/invitations\/([\w-]{43})/.exec(app.output())?.[1] ?? [])
    const owner = { email: 'owner@example.com', password: 'the owner has a long password', name: 'owner' }
    for (const link of links) {
      const body = { token: link, ...owner }
      const accepted = await ask(balancer.url, '/api/v1/invitations/accept', { method: 'POST', body, as: 'nobody' })
      if (accepted.ok) cookie = cookieOf(accepted)
    }
    expect(cookie).not.toBe('')
    await json(z.unknown(), balancer.url, '/api/v1/projects', {
      method: 'POST',
      body: { name: 'Shared', slug: 'shared' },
    })
    const body = { name: 'ci', scope: 'admin', project: 'shared', days: 1 }
    const made = await json(z.object({ token: z.string() }), balancer.url, '/api/v1/account/tokens', {
      method: 'POST',
      body,
    })
    token = made.token
  }, 300_000)
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.kill()))
    await balancer.close()
    if (pooler.kind === 'running') await pooler.stop()
    await bucket.stop()
    await receiver.close()
    if (postgres.kind === 'running') await postgres.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it('show an upload, its lines and its edits, whichever instance gets the requests', async () => {
    const { upload, runs } = await send(instance(0), newDocument())
    const [run] = runs
    const raws = await Promise.all(
      [0, 1, 2].map(async (at) => (await ask(instance(at), `${project}/uploads/${upload.id}/raw`)).text()),
    )
    expect(new Set(raws).size).toBe(1)
    const pages = () =>
      Promise.all([0, 1, 2].map(async (at) => (await ask(instance(at), `/p/shared/runs/${run?.id}`)).text()))
    for (const at of [1, 2, 0]) {
      const notes = `said to ${at}`
      for (const kept of [await pages(), await pages()].flat()) expect(kept).not.toContain(notes)
      await json(z.unknown(), instance(at), `${project}/runs/${run?.id}`, { method: 'PATCH', body: { notes } })
      const seen = await json(
        z.looseObject({ notes: z.string() }),
        instance((at + 1) % 3),
        `${project}/runs/${run?.id}`,
      )
      expect(seen.notes).toBe(notes)
      for (const page of await pages()) expect(page).toContain(notes)
    }
  })

  it('treat equal uploads, and equal keys, as one', async () => {
    const body = newDocument()
    const same = await Promise.all([0, 1, 2].map((at) => send(instance(at), body)))
    expect(new Set(same.flatMap(({ runs }) => runs.map(({ id }) => id))).size).toBe(same[0]?.runs.length)
    const keyed = newDocument()
    const headers = { 'idempotency-key': randomUUID() }
    const again = await Promise.all([0, 1, 2].map((at) => send(instance(at), keyed, headers)))
    expect(new Set(again.map(({ upload }) => upload.id)).size).toBe(1)
  })

  it('report the progress of an upload that another receives, and cancel it', async () => {
    const id = randomUUID()
    const { hostname, port } = new URL(instance(0))
    const socket = connect(Number(port), hostname)
    const answer = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (data) => (text += data.toString()))
      socket.on('error', () => undefined).on('close', () => resolve(text))
    })
    const head = [
      `PUT ${project}/uploads?draft=1&name=results.csv HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${token}`,
      'Accept: application/json',
      'X-Forwarded-For: 10.0.0.1',
      'Connection: close',
      `Upload-Progress: ${id}`,
      'Transfer-Encoding: chunked',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${vegeta.length.toString(16)}\r\n`)
    socket.write(vegeta)
    socket.write('\r\n')
    const progress = `${project}/uploads/progress/${id}`
    const told = z.object({ receivedBytes: z.number(), readBytes: z.number(), isStoring: z.boolean() })
    for (const deadline = Date.now() + 10_000; ; await sleep(50)) {
      const response = await ask(instance(1), progress)
      if (response.ok && told.parse(await response.json()).receivedBytes === vegeta.length) break
      expect(Date.now()).toBeLessThan(deadline)
    }
    expect((await ask(instance(2), progress, { method: 'DELETE' })).status).toBe(204)
    const cancelledMs = performance.now()
    // Without another byte of its body.
    expect(await answer).toMatch(/^HTTP\/1\.1 409 [^]*cancelled/)
    expect(performance.now() - cancelledMs).toBeLessThan(1_000)
    socket.destroy()
    const early = randomUUID()
    await ask(instance(1), `${project}/uploads/progress/${early}`, { method: 'DELETE' })
    const cancelled = await ask(instance(0), `${project}/uploads?draft=1`, {
      method: 'PUT',
      body: vegeta,
      headers: { 'upload-progress': early },
    })
    expect(cancelled.status).toBe(409)
  })

  it("save, discard and restore from another's preview", async () => {
    const preview = async (at: number, id: string) =>
      json(z.object({ upload: z.object({ id: z.string() }) }), instance(at), `${project}/uploads?draft=1`, {
        method: 'PUT',
        body: newDocument(),
        headers: { 'upload-progress': id },
      })
    const kept = await preview(0, randomUUID())
    expect((await ask(instance(1), `${project}/uploads/${kept.upload.id}`)).status).toBe(200)
    const body = { edits: [] }
    const save = `${project}/uploads/${kept.upload.id}/save`
    const saves = await Promise.all([1, 2].map((at) => ask(instance(at), save, { method: 'POST', body })))
    expect(saves.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const id = randomUUID()
    const taken = await preview(1, id)
    expect((await ask(instance(2), `${project}/uploads/progress/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(instance(0), `${project}/uploads/${taken.upload.id}`)).status).toBe(404)
  })

  it('open a share, and close it, at once', async () => {
    const { runs } = await send(instance(1), newDocument())
    const body = { name: 'S', kind: 'run', sides: [[runs[0]?.id]] }
    const { id, url } = await json(madeSchema, instance(0), `${project}/shares`, { method: 'POST', body })
    const path = new URL(url, 'https://tailboard.example').pathname
    const statuses = () =>
      Promise.all([0, 1, 2].map(async (at) => (await ask(instance(at), path, { as: 'nobody' })).status))
    expect(await statuses()).toEqual([200, 200, 200])
    await ask(instance(2), `${project}/shares/${id}`, { method: 'DELETE' })
    expect(new Set(await statuses())).toEqual(new Set([404]))
  })

  it('count the uploads of a token together, and end a session everywhere', async () => {
    const owner = cookie
    expect(await Promise.all([0, 1, 2].map(async (at) => (await ask(instance(at), project)).status))).toEqual([
      200, 200, 200,
    ])
    const body = { email: 'owner@example.com', password: 'the owner has a long password' }
    const begun = await ask(instance(0), '/api/v1/session', { method: 'POST', body, as: 'nobody' })
    cookie = cookieOf(begun)
    expect((await ask(instance(1), project)).status).toBe(200)
    await ask(instance(2), '/api/v1/session/end', { method: 'POST' })
    expect(await Promise.all([0, 1, 2].map(async (at) => (await ask(instance(at), project)).status))).toEqual([
      401, 401, 401,
    ])
    // Password guesses are counted by all of them together.
    const guess = async (at: number) =>
      (
        await ask(instance(at % 3), '/api/v1/session', {
          method: 'POST',
          body: { email: 'owner@example.com', password: `a wrong guess ${at}` },
          as: 'nobody',
        })
      ).status
    const guesses: number[] = []
    for (let at = 0; at < 6; at += 1) guesses.push(await guess(at))
    expect(guesses.at(-1)).toBe(429)
    cookie = owner
  })

  it('serve the same static files and pages', async () => {
    const page = async (at: number) => (await ask(instance(at), '/p/shared/runs')).text()
    const files = async (at: number) =>
      [...(await page(at)).matchAll(/\/_next\/static\/[\w./-]+/g)].map(String).toSorted()
    const [first, second, third] = await Promise.all([files(0), files(1), files(2)])
    expect(first?.length).toBeGreaterThan(3)
    expect([second, third]).toEqual([first, first])
    expect((await fetch(instance(2) + (first?.[0] ?? ''))).status).toBe(200)
  })

  it('lose nothing and do nothing twice while one is killed', async () => {
    const channel = { kind: 'webhook', name: 'pager', target: `${receiver.url}/hook` }
    await json(z.unknown(), balancer.url, `${project}/channels`, { method: 'POST', body: channel })
    // The first run of each series already breaks it.
    const settings = { kind: 'limit', metricId: 'mean', side: 'above', limit: 0, confirmRuns: 1 }
    await json(z.unknown(), balancer.url, `${project}/rules`, { method: 'POST', body: { settings } })
    const alarming = new Set<string>()
    const until = Date.now() + Math.max(1, minutes * 60_000)
    const acknowledged = new Map<string, string>()
    const figures = { sent: 0, acknowledged: 0, retried: 0, kills: 0, pages: 0 }
    const sendOne = async (isLast: boolean) => {
      const body = newDocument()
      const key = randomUUID()
      figures.sent += 1
      const scenario = figures.sent % 20 === 1 ? `alarm-${figures.sent}` : 'steady'
      alarming.add(scenario)
      for (;;) {
        const answer = await ask(balancer.url, `${project}/uploads?scenario=${scenario}`, {
          method: 'PUT',
          body,
          headers: { 'idempotency-key': key },
          as: 'token',
        }).catch(() => null)
        if (answer?.ok) {
          acknowledged.set(key, savedSchema.parse(await answer.json()).upload.id)
          figures.acknowledged += 1
          return
        }
        const said = answer === null ? 'no answer' : `${answer.status} ${await answer.text()}`
        if (!/^(?:no answer|502|503)/.test(said)) throw new Error(said)
        figures.retried += 1
        await sleep(isLast ? 200 : 100)
      }
    }
    const client = async () => {
      do {
        await sendOne(false)
        if (minutes > 0) await sleep(200)
      } while (Date.now() < until)
    }
    const killer = async () => {
      do {
        await sleep(minutes > 0 ? 20_000 : 300)
        const at = figures.kills % 3
        await apps[at]?.kill()
        balancer.places[at] = null
        figures.kills += 1
        if (minutes === 0) break
        const app = await start()
        apps[at] = app
        balancer.places[at] = app.url
      } while (Date.now() < until)
    }
    const stale: string[] = []
    const { runs } = await send(balancer.url, newDocument())
    /** Edits a run, then opens its page on each instance that is up: none shows it without the edit. */
    const reader = async () => {
      let edit = 0
      do {
        edit += 1
        const notes = `edit ${edit} of this run`
        const edited = await ask(balancer.url, `${project}/runs/${runs[0]?.id}`, { method: 'PATCH', body: { notes } })
          .then(({ ok }) => ok)
          .catch(() => false)
        if (!edited) continue
        for (const place of balancer.places.filter((one) => one !== null)) {
          const page = await ask(place, `/p/shared/runs/${runs[0]?.id}`)
            .then(async (answer) => (answer.ok ? await answer.text() : null))
            .catch(() => null)
          if (page === null) continue
          figures.pages += 1
          if (!page.includes(notes)) stale.push(`${place}: ${notes}`)
        }
        await sleep(200)
      } while (Date.now() < until)
    }
    await Promise.all([killer(), reader(), ...Array.from({ length: 6 }, client)])
    expect(stale).toEqual([])
    const uploads = new Set(acknowledged.values())
    expect(uploads.size).toBe(figures.sent)
    for (const id of uploads) {
      const { rows } = await json(rowsSchema, balancer.url, `${project}/runs?upload=${id}`)
      expect(rows).toHaveLength(1)
      expect((await ask(balancer.url, `${project}/uploads/${id}/raw`)).status).toBe(200)
    }
    const told = () =>
      new Map(receiver.received.map(({ body }) => [messageSchema.parse(JSON.parse(body)).data.alert.id, body]))
    const alerts = async () =>
      (await json(alertsSchema, balancer.url, `${project}/alerts`)).alerts.filter(({ series }) =>
        alarming.has(series?.scenario ?? ''),
      )
    await expect.poll(async () => (await alerts()).length, { timeout: 60_000 }).toBe(alarming.size)
    const raised = await alerts()
    expect(new Set(raised.map(({ series }) => series?.scenario))).toEqual(alarming)
    await expect.poll(() => raised.filter(({ id }) => !told().has(id)), { timeout: 60_000 }).toEqual([])
    // A message in flight from a killed instance is sent again, with the same id.
    const messages = receiver.received.map(({ headers }) => headers['webhook-id'])
    const twice = messages.length - new Set(messages).size
    expect(twice).toBeLessThanOrEqual(3 * figures.kills)
    if (minutes > 0) process.stdout.write(`${JSON.stringify({ ...figures, alerts: raised.length, twice })}\n`)
  })
})
