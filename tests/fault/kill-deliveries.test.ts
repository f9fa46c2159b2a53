import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, database, databasePool, openDatabase } from '@/prisma/db'
import { createChannel } from '@/prisma/queries/alerts/channels'
import { grant } from '@/prisma/queries/projects/projects'
import { startPostgres } from '../postgres'
import { raiseAlert } from '../queries/alerts/raise-alert'
import { sampleProject } from '../queries/samples'
import { makeDataFolder } from '../shared-databases'
import { startApp } from '../server/app'
import { startReceiver, type Receiver } from '../server/receiver'

/** `npm run test:faults` sets 10,000 alerts (a fifth of them embedded). */
const isWhole = process.env.TAILBOARD_KILLS !== undefined
const kills = 20
const alerts = Number(process.env.TAILBOARD_ALERTS ?? 10_000)
/** A message that fails ten times is given up, which is correct and not the subject of this test. */
const maxFailures = 8
const maxAtOnce = 3
const secret = `whsec_${randomBytes(32).toString('base64')}`
const postgres = await startPostgres()
const limitMs = 1_200_000
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)
const databaseUrl = () => (postgres.kind === 'running' ? postgres.createDatabase() : Promise.resolve(undefined))
afterAll(() => (postgres.kind === 'running' ? postgres.stop() : undefined))

/** What arrived: the messages' bodies, how often each was accepted and refused, and which were unsigned. */
interface Arrivals {
  readonly bodies: Map<string, Set<string>>
  readonly taken: Map<string, number>
  readonly refused: Map<string, number>
  unsigned: number
  tries: number
}

/** A receiver that verifies each message on arrival and fails 30 % of the time. */
async function startFailing(): Promise<{ receiver: Receiver; arrivals: Arrivals }> {
  const verifier = new Webhook(secret)
  const arrivals: Arrivals = { bodies: new Map(), taken: new Map(), refused: new Map(), unsigned: 0, tries: 0 }
  const receiver = await startReceiver(({ headers, body }, response) => {
    receiver.received.length = 0
    arrivals.tries += 1
    try {
      verifier.verify(body, headers)
    } catch {
      arrivals.unsigned += 1
    }
    const id = headers['webhook-id'] ?? ''
    const known = arrivals.bodies.get(id) ?? new Set()
    arrivals.bodies.set(id, known.add(createHash('sha256').update(body).digest('hex')))
    const refused = arrivals.refused.get(id) ?? 0
    const chance = createHash('sha256').update(`${id} ${arrivals.tries}`).digest().readUInt16BE() / 65_536
    const fails = refused < maxFailures && chance < 0.3
    const which = fails ? arrivals.refused : arrivals.taken
    which.set(id, (which.get(id) ?? 0) + 1)
    response.writeHead(fails ? 503 : 204).end()
  })
  return { receiver, arrivals }
}

/** A project with one channel and that many alerts, each with its message in the outbox; returns the message ids. */
async function queueAlerts(target: string, alerts: number): Promise<ReadonlySet<string>> {
  const projectId = (await sampleProject()).id
  await raiseAlert(projectId, 'abc1234')
  const pager = { kind: 'webhook', name: 'Pager', targetShown: 'pager', target, secret } as const
  const { id } = await createChannel(await grant(localViewer, { id: projectId }, 'administer'), pager)
  const columns = await databasePool().query<{ names: string }>(
    `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns WHERE table_name = 'alert' AND column_name <> 'id'`,
  )
  const names = columns.rows[0]?.names ?? ''
  const made = `lpad(to_hex(n), 26, '0')`
  await databasePool().query(
    `INSERT INTO alert (id, ${names}) SELECT ${made}, ${names} FROM (SELECT * FROM alert LIMIT 1) AS a, generate_series(1, ${alerts}) AS n`,
  )
  await databasePool().query(
    `INSERT INTO delivery (id, project_id, channel_id, alert_id, what, message_id, status, next_try_at)
     SELECT ${made}, $1, $2, ${made}, 'opened', 'msg_' || n, 'waiting', now() FROM generate_series(1, ${alerts}) AS n`,
    [projectId, id],
  )
  return new Set(Array.from({ length: alerts }, (_, at) => `msg_${at + 1}`))
}

async function deliverWhileKilled(alerts: number, databaseUrl: string | undefined): Promise<void> {
  const dataFolder = await makeDataFolder()
  const { receiver, arrivals } = await startFailing()
  const startedAt = performance.now()
  try {
    await openDatabase({ dataFolder, databaseUrl })
    const wanted = await queueAlerts(receiver.url, alerts)
    await closeDatabase()
    const env = {
      TAILBOARD_WEBHOOK_HTTP: '1',
      TAILBOARD_WEBHOOK_CIDRS: '127.0.0.0/8',
      TAILBOARD_WEBHOOK_PORTS: String(receiver.port),
      TAILBOARD_RETRY_SCALE: '0.0001',
    }
    for (let round = 1; round <= kills; round += 1) {
      const app = await startApp({ dataFolder, databaseUrl, env })
      // While sending: kills are spread over the whole time, at moments that differ by milliseconds.
      while (arrivals.taken.size < (alerts * round) / (kills + 1)) await sleep(2)
      await sleep((round * 7) % 23)
      await app.kill()
    }
    // A message whose process was killed, before or after its reply, is free again after its lease of 30 s.
    for (const deadline = Date.now() + 90_000; ; await sleep(5_000)) {
      const app = await startApp({ dataFolder, databaseUrl, env })
      while (arrivals.taken.size < alerts) await sleep(20)
      await sleep(2_000)
      await app.stop()
      await openDatabase({ dataFolder, databaseUrl })
      const waiting = await database().delivery.count({ where: { status: 'waiting', messageId: { in: [...wanted] } } })
      if (waiting === 0 || Date.now() > deadline) break
      await closeDatabase()
    }
    const taken = [...arrivals.taken.values()].reduce((sum, times) => sum + times, 0)
    const refused = arrivals.tries - taken
    const duplicates = taken - arrivals.taken.size
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    process.stdout.write(
      `${alerts} alerts, ${kills} kills: ${arrivals.tries} tries, ${refused} refused (${((100 * refused) / arrivals.tries).toFixed(1)} %), ` +
        `${arrivals.taken.size} delivered, ${duplicates} twice, ${arrivals.unsigned} unsigned, ${seconds} s\n`,
    )
    expect(new Set(arrivals.taken.keys())).toEqual(wanted)
    expect(arrivals.unsigned).toBe(0)
    // A kill can fall between a reply and its row, for as many messages as are in flight to one channel.
    expect(duplicates).toBeLessThanOrEqual(Math.max(alerts / 100, maxAtOnce * kills))
    expect(Math.max(...[...arrivals.bodies.values()].map((bodies) => bodies.size))).toBe(1)
    expect(refused / arrivals.tries).toBeGreaterThan(0.2)
    const rows = await database().delivery.groupBy({
      by: ['status'],
      _count: true,
      where: { messageId: { in: [...wanted] } },
    })
    expect(rows).toEqual([{ status: 'delivered', _count: alerts }])
    // Written as plain text above: the app sealed them at its start.
    const channels = await database().channel.findMany({ select: { target: true, secret: true } })
    const sealed = { target: expect.stringMatching(/^sealed:1:/), secret: expect.stringMatching(/^sealed:1:/) }
    expect(channels).toEqual([sealed])
  } finally {
    await closeDatabase()
    await receiver.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

describe.runIf(isWhole)(
  'kill -9 while messages are sent to a failing receiver: all arrive, signed, hardly any twice',
  () => {
    it(
      'embedded database',
      async () => {
        await deliverWhileKilled(alerts / 5, undefined)
      },
      limitMs,
    )
    it.skipIf(postgres.kind === 'missing')(
      'PostgreSQL',
      async () => {
        await deliverWhileKilled(alerts, await databaseUrl())
      },
      limitMs,
    )
  },
)
