import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readChannelKey, seal } from '@/app/_server/alerts/channel-seal'
import { deliverDue, deliverTest, type OnTheirWay } from '@/app/_server/alerts/deliver'
import type { ChannelKind } from '@/lib/rules/stored-channels'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, database, openDatabase } from '@/prisma/db'
import { listAlerts } from '@/prisma/queries/alerts/alerts'
import { createChannel, listChannels, updateChannel } from '@/prisma/queries/alerts/channels'
import { listDeliveries, replayDelivery } from '@/prisma/queries/alerts/deliveries'
import { grant } from '@/prisma/queries/projects/projects'
import { raiseAlert } from '../queries/alerts/raise-alert'
import { sampleProject } from '../queries/samples'
import { makeDataFolder } from '../shared-databases'
import { startReceiver, type Receiver } from './receiver'

const secretKey = randomBytes(32).toString('base64')
const secret = `whsec_${randomBytes(32).toString('base64')}`
const closers: (() => Promise<void>)[] = []
let folder = ''
let projectId = ''

beforeAll(async () => {
  folder = await makeDataFolder()
  await openDatabase({ dataFolder: folder })
  projectId = (await sampleProject()).id
  await raiseAlert(projectId, 'abc1234')
})
beforeEach(() => void vi.stubEnv('TAILBOARD_SECRET_KEY', secretKey))
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closers.splice(0)) await close()
  for (const { id, isEnabled } of await listChannels(await granted())) {
    if (isEnabled) await updateChannel(await granted(), { channelId: id, isEnabled: false }, new Date())
  }
})
afterAll(async () => {
  await closeDatabase()
  await rm(folder, { recursive: true, force: true })
})

const granted = () => grant(localViewer, { id: projectId }, 'administer')

async function receiverOf(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  closers.push(receiver.close)
  return receiver
}

/** Allows this machine as a receiver, as an operator would. */
function allow(...ports: readonly number[]): void {
  vi.stubEnv('TAILBOARD_WEBHOOK_HTTP', '1')
  vi.stubEnv('TAILBOARD_WEBHOOK_CIDRS', '127.0.0.0/8')
  vi.stubEnv('TAILBOARD_WEBHOOK_PORTS', ports.join())
}

async function channel(target: string, kind: ChannelKind = 'webhook') {
  const key = await readChannelKey({ secretKey, dataFolder: '' })
  const sealed = kind === 'webhook' ? seal(secret, projectId, key) : null
  const made = { kind, name: `${kind} ${target}`, targetShown: target, target: seal(target, projectId, key) }
  return (await createChannel(await granted(), { ...made, secret: sealed })).id
}

/** Writes `count` messages of the open alert to a channel, due now. */
async function queue(channelId: string, count = 1): Promise<void> {
  const [alert] = await listAlerts(await granted(), ['open'])
  if (alert === undefined) throw new Error('no alert was raised')
  const ids = Array.from({ length: count }, () => BigInt(`0x${randomBytes(16).toString('hex')}`).toString(32))
  const shared = { projectId, channelId, alertId: alert.id, what: 'opened', status: 'waiting', nextTryAt: new Date() }
  await database().delivery.createMany({
    data: ids.map((id) => ({ ...shared, id: id.padStart(26, '0'), messageId: `msg_${id}` })),
  })
}

/** Runs the delivery loop until nothing of the channel is waiting, or time is up. */
async function deliverAll(channelIds: readonly string[], limitMs = 30_000): Promise<void> {
  const onTheirWay: OnTheirWay = new Map()
  const failures: unknown[] = []
  const end = Date.now() + limitMs
  for (;;) {
    await deliverDue(onTheirWay, (error) => failures.push(error))
    const poll = new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.race([poll, ...[...onTheirWay.values()].flatMap((some) => [...some.values()])])
    const waits = await database().delivery.count({ where: { channelId: { in: [...channelIds] }, status: 'waiting' } })
    if (waits === 0 && channelIds.every((id) => !onTheirWay.has(id))) break
    if (Date.now() > end) throw new Error('messages still wait')
  }
  expect(failures).toEqual([])
}

const logOf = async (channelId: string) =>
  (await listDeliveries(await granted())).filter((row) => row.channelId === channelId)

describe('deliveries', () => {
  it('200 signed webhooks arrive once each; one with a flipped bit or another secret is rejected', async () => {
    const receiver = await receiverOf()
    allow(receiver.port)
    const id = await channel(`${receiver.url}/alerts`)
    await queue(id, 200)
    await deliverAll([id], 120_000)
    expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(200)
    expect(receiver.received).toHaveLength(200)
    const verifier = new Webhook(secret)
    for (const { body, headers } of receiver.received) {
      expect(verifier.verify(body, headers)).toMatchObject({ type: 'alert.opened' })
    }
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    expect(body.length).toBeLessThan(16_000)
    expect(JSON.parse(body)).toMatchObject({
      data: { alert: { cause: 'commit abc1234' }, changes: [{ metric: 'p99', runsAfter: expect.any(Number) }] },
    })
    for (let bit = 0; bit < body.length * 8; bit += 997) {
      const flipped = Buffer.from(body)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => verifier.verify(flipped, headers)).toThrow()
    }
    expect(() => new Webhook(`whsec_${randomBytes(32).toString('base64')}`).verify(body, headers)).toThrow()
    expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'msg_other' })).toThrow()
  })

  it('another key reads no address: the channel says so, and with the right key it is sent again', async () => {
    const receiver = await receiverOf()
    allow(receiver.port)
    const id = await channel(`${receiver.url}/alerts`)
    vi.stubEnv('TAILBOARD_SECRET_KEY', 'another key of more than 32 characters')
    const error = expect.stringMatching(/^Its address cannot be decrypted with the key of this server: start it with/)
    expect(await deliverTest(await granted(), id)).toMatchObject({ kind: 'failed', statusCode: null, error })
    expect(receiver.received).toEqual([])
    vi.stubEnv('TAILBOARD_SECRET_KEY', secretKey)
    expect(await deliverTest(await granted(), id)).toMatchObject({ kind: 'delivered' })
  })

  it('nine failures, then a success: ten attempts with one id and one body', async () => {
    let tries = 0
    const receiver = await receiverOf((_one, response) => void response.writeHead((tries += 1) < 10 ? 500 : 200).end())
    allow(receiver.port)
    vi.stubEnv('TAILBOARD_RETRY_SCALE', '0.000001')
    const id = await channel(receiver.url)
    await queue(id)
    await deliverAll([id])
    expect(receiver.received).toHaveLength(10)
    expect(new Set(receiver.received.map((one) => `${one.headers['webhook-id']} ${one.body}`)).size).toBe(1)
    expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: 10, lastStatusCode: 200, lastError: null }])
  })

  it('a redirect, a refused connection and a huge reply: failure, failure, success', async () => {
    const sink = await receiverOf()
    const redirect = await receiverOf((_one, response) => void response.writeHead(302, { location: sink.url }).end())
    const huge = await receiverOf((_one, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const gone = await startReceiver()
    await gone.close()
    allow(sink.port, redirect.port, huge.port, gone.port)
    vi.stubEnv('TAILBOARD_RETRY_SCALE', '0.0000001')
    const ids = await Promise.all([redirect.url, gone.url, huge.url].map((url) => channel(url)))
    for (const id of ids) await queue(id)
    await deliverAll(ids)
    const [first, second, third] = await Promise.all(ids.map(logOf))
    expect(first).toMatchObject([
      { status: 'failed', lastStatusCode: 302, lastError: expect.stringContaining('Redirects are not followed') },
    ])
    expect(second).toMatchObject([
      { status: 'failed', lastStatusCode: null, lastError: expect.stringContaining('Connection refused') },
    ])
    expect(third).toMatchObject([{ status: 'delivered', attempts: 1, lastStatusCode: 200 }])
    expect(sink.received).toEqual([])
  })

  it('410 disables the channel at once; its response is not stored', async () => {
    const receiver = await receiverOf((_one, response) => void response.writeHead(410).end('internal secret'))
    allow(receiver.port)
    const id = await channel(receiver.url)
    await queue(id, 2)
    await deliverAll([id])
    const found = (await listChannels(await granted())).find((one) => one.id === id)
    expect(found).toMatchObject({ isEnabled: false, disabledReason: 'gone' })
    expect(JSON.stringify(await logOf(id))).not.toContain('internal secret')
  })

  it('hanging receivers delay no other: a healthy one has everything while they still wait', async () => {
    const hanging = await receiverOf(() => undefined)
    const trickling = await receiverOf((_one, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 1_000)
      response.on('close', () => clearInterval(timer))
    })
    const healthy = await receiverOf()
    allow(hanging.port, trickling.port, healthy.port)
    const [hangs, trickles, works] = [
      await channel(hanging.url),
      await channel(trickling.url),
      await channel(healthy.url),
    ]
    for (const id of [hangs, trickles]) await queue(id, 10)
    await queue(works, 20)
    const started = Date.now()
    await deliverAll([works])
    const waits = healthy.received.map((one) => one.atMs - started).sort((a, b) => a - b)
    expect(waits).toHaveLength(20)
    // Behind one that hangs it would take 15 s and more; on an idle machine it is below 5 s.
    expect(waits[18]).toBeLessThan(12_000)
    expect(hanging.received).toHaveLength(3)
    // Ends after 15 s: the one that hangs failed, the one that trickles had said 200.
    const hung = async () => (await logOf(hangs)).map((row) => row.lastError).filter((error) => error !== null)
    const trickled = async () => (await logOf(trickles)).filter((row) => row.status === 'delivered')
    await expect.poll(hung, { timeout: 60_000, interval: 250 }).toEqual(Array(3).fill('No response within 15 s.'))
    await expect.poll(trickled, { timeout: 60_000, interval: 250 }).toHaveLength(3)
  })

  it('e-mail through a real SMTP server reaches its one address, whatever is in the names', async () => {
    const mails: { to: string[]; text: string }[] = []
    const smtp = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          mails.push({ to: session.envelope.rcptTo.map((one) => one.address), text: Buffer.concat(chunks).toString() })
          done()
        })
      },
    })
    const port = await new Promise<number>((resolve) => {
      const server = smtp.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    closers.push(() => new Promise((resolve) => smtp.close(() => resolve())))
    vi.stubEnv('TAILBOARD_SMTP_URL', `smtp://127.0.0.1:${port}`)
    vi.stubEnv('TAILBOARD_MAIL_FROM', 'tailboard@example.com')
    const id = await channel('team@example.com', 'email')
    await queue(id)
    await deliverAll([id])
    const named = await updateChannel(
      await granted(),
      { channelId: id, name: 'x\r\nBcc: evil@example.com <evil@example.com>, other@example.com' },
      new Date(),
    )
    expect(await deliverTest(await granted(), named.id)).toMatchObject({ kind: 'delivered', statusCode: 250 })
    expect(mails.map((mail) => mail.to)).toEqual([['team@example.com'], ['team@example.com']])
    const head = (at: number) => mails[at]?.text.split('\r\n\r\n')[0]?.replace(/\r\n\s+/g, ' ') ?? ''
    expect(head(0)).toMatch(/^From: Tailboard <tailboard@example\.com>$/m)
    expect(head(0)).toMatch(/^Subject: .*Tailboard.*p99/m)
    expect(head(0)).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(head(1)).not.toMatch(/^bcc/im)
    // Refused by the server: it says so, and is retried later.
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
    expect(await deliverTest(await granted(), id)).toMatchObject({ kind: 'failed', statusCode: null })
  })

  it('replay sends the same message again, with its id', async () => {
    const receiver = await receiverOf()
    allow(receiver.port)
    const id = await channel(receiver.url, 'slack')
    await queue(id)
    await deliverAll([id])
    const [row] = await logOf(id)
    await replayDelivery(await granted(), row?.id ?? '', new Date())
    await deliverAll([id])
    const [first, second] = receiver.received
    expect(first?.body).toBe(second?.body)
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      text: expect.stringMatching(/^p99 .* higher/),
      blocks: expect.arrayContaining([expect.objectContaining({ type: 'header' })]),
    })
  })

  it('a test to a port that is not allowed connects to nothing', async () => {
    const receiver = await receiverOf()
    allow(receiver.port + 1)
    const id = await channel(receiver.url)
    const outcome = await deliverTest(await granted(), id)
    expect(outcome).toMatchObject({ kind: 'failed', error: `Port ${receiver.port} is refused.` })
    expect(receiver.received).toEqual([])
  })
})
