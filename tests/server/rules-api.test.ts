import { readFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startReceiver, type Receiver } from './receiver'
import { shareServer, type SharedServer } from '../shared-servers'

let app: SharedServer
let receiver: Receiver
let original: string

const problemSchema = z.looseObject({ detail: z.string(), code: z.string(), field: z.string().nullish() })
const idSchema = z.looseObject({ id: z.string() })

async function call(method: string, address: string, body?: unknown) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${app.url}/api/v1/projects${address}`, {
    method,
    headers: { accept: 'application/json' },
    ...(text === undefined ? {} : { body: text }),
  })
  const answered = await answer.text()
  return { status: answer.status, json: answered === '' ? null : (JSON.parse(answered) as unknown) }
}

/** The response to a refused request. */
async function refusal(method: string, address: string, body?: unknown) {
  const { status, json } = await call(method, address, body)
  const { detail, field } = problemSchema.parse(json)
  return { status, detail, field: field ?? null }
}

async function made(address: string, body: unknown): Promise<string> {
  const { status, json } = await call('POST', address, body)
  expect(status, JSON.stringify(json)).toBe(201)
  return idSchema.parse(json).id
}

/** The start of the first report, recent because old runs send no messages. */
const firstMs = Date.now() - 3 * 86_400_000

/** A vegeta report whose p99 is `p99Ms`, `hours` after the first one. */
function report(hours: number, p99Ms: number): string {
  const schema = z.looseObject({
    latencies: z.looseObject({}),
    earliest: z.string(),
    latest: z.string(),
    end: z.string(),
  })
  const json = schema.parse(JSON.parse(original))
  const laterMs = firstMs - Date.parse(json.earliest) + hours * 3_600_000
  const later = (at: string) => new Date(Date.parse(at) + laterMs).toISOString()
  const latencies = { ...json.latencies, '99th': Math.round(p99Ms * 1e6), max: 9e9 }
  return JSON.stringify({
    ...json,
    latencies,
    earliest: later(json.earliest),
    latest: later(json.latest),
    end: later(json.end),
  })
}

const upload = async (query: string, hours: number, p99Ms: number) => {
  const { status, json } = await call('PUT', `/one/uploads?${query}`, report(hours, p99Ms))
  expect(status, JSON.stringify(json)).toBe(201)
}

const limit = { kind: 'limit', metricId: 'p99', side: 'above', limit: 50, confirmRuns: 1 }
const noId = '0'.repeat(26)

beforeAll(async () => {
  original = await readFile('tests/fixtures/vegeta-json/attack-01-12.13.0.json', 'utf8')
  app = await shareServer('plain')
  receiver = await startReceiver(undefined, app.webhookPort)
  for (const slug of ['one', 'two']) await call('POST', '', { name: slug, slug })
})
afterAll(() => receiver.close())

describe('the rules of a project', () => {
  it('are created, listed, changed and deleted', async () => {
    const id = await made('/one/rules', { scenario: 'a', settings: limit })
    const { json } = await call('GET', '/one/rules')
    const { rules } = z.object({ rules: z.array(z.looseObject({ id: z.string() })) }).parse(json)
    expect(rules.map((rule) => rule.id).slice(1)).toEqual([id])
    expect(rules[1]).toMatchObject({ scenario: 'a', settings: limit, isEnabled: true, mutedUntil: null })
    const changed = await call('PUT', `/one/rules/${id}`, { settings: { ...limit, limit: 60 }, isEnabled: false })
    expect(changed).toMatchObject({
      status: 200,
      json: { id, scenario: null, settings: { limit: 60 }, isEnabled: false },
    })
    expect((await call('DELETE', `/one/rules/${id}`)).status).toBe(204)
    expect((await call('DELETE', `/one/rules/${id}`)).status).toBe(404)
  })

  it('say in a sentence what is wrong with them', async () => {
    const bad: readonly (readonly [body: unknown, detail: RegExp, field: string | null])[] = [
      ['{', /^The body is not JSON\.$/, null],
      [
        { settings: { ...limit, metricId: 'p98' } },
        /^There is no metric “p98”\. There are: requests-per-second, /,
        'settings.metricId',
      ],
      [{ settings: { ...limit, limit: -1 } }, /^The limit must be a number from 0 to 10\^15\.$/, 'settings.limit'],
      [{ settings: { ...limit, limit: '50' } }, /^The limit must be a number/, 'settings.limit'],
      [{ settings: { ...limit, confirmRuns: 11 } }, /whole number from 1 to 10\.$/, 'settings.confirmRuns'],
      [{ settings: { ...limit, confirmRuns: 1.5 } }, /whole number from 1 to 10\.$/, 'settings.confirmRuns'],
      [
        { settings: { kind: 'nonsense' } },
        /^The kind must be change-point, baseline, limit, missing, failed-import\.$/,
        'settings.kind',
      ],
      [{ settings: { kind: 'missing', hours: 0 } }, /^The hours must be a whole number/, 'settings.hours'],
      [{ settings: limit, mutedUntil: 'tomorrow' }, /^Mute a rule until a UTC time/, 'mutedUntil'],
      [{ settings: limit, colour: 'red' }, /colour/, null],
      [{ settings: limit, scenario: 'x'.repeat(201) }, /^The scenario must have 1 to 200 characters\.$/, 'scenario'],
      [{ settings: limit, seriesId: 'x' }, /^“x” is the id of no series/, 'seriesId'],
    ]
    for (const [body, detail, field] of bad) {
      const told = await refusal('POST', '/one/rules', body)
      expect(told, JSON.stringify(body)).toMatchObject({ status: 400, detail: expect.stringMatching(detail), field })
    }
    expect(
      (await refusal('POST', '/one/rules', JSON.stringify({ settings: limit, x: 'x'.repeat(1_100_000) }))).status,
    ).toBe(413)
    const { json } = await call('GET', '/one/rules')
    expect(z.object({ rules: z.array(z.unknown()) }).parse(json).rules).toHaveLength(1)
  })

  it('are not found in another project, nor with invalid ids', async () => {
    const id = await made('/one/rules', { settings: limit })
    for (const address of [`/two/rules/${id}`, `/one/rules/${noId}`, '/one/rules/nonsense', `/none/rules/${id}`]) {
      expect((await refusal('PUT', address, { settings: limit })).status, address).toBe(404)
      expect((await refusal('DELETE', address)).status, address).toBe(404)
    }
    expect((await refusal('GET', '/none/rules')).status).toBe(404)
    expect((await refusal('POST', '/one/rules', { settings: limit, seriesId: noId })).status).toBe(404)
    expect((await call('DELETE', `/one/rules/${id}`)).status).toBe(204)
  })

  it('cannot name a series in another project, nor change their kind', async () => {
    await upload('scenario=elsewhere', 0, 10)
    const { json } = await call('GET', '/one/runs')
    const { rows } = z.object({ rows: z.array(z.object({ seriesId: z.string() })) }).parse(json)
    const seriesId = rows[0]?.seriesId ?? ''
    expect((await refusal('POST', '/two/rules', { settings: limit, seriesId })).status).toBe(404)
    const id = await made('/one/rules', { settings: limit, seriesId })
    const told = await refusal('PUT', `/one/rules/${id}`, { settings: { kind: 'missing', hours: 5 } })
    expect(told).toMatchObject({ status: 400, detail: expect.stringMatching(/kind of a rule cannot be changed/) })
    expect((await call('DELETE', `/one/rules/${id}`)).status).toBe(204)
  })
})

describe('the annotations of a project', () => {
  it('are created with a time or now, listed for a scenario, and deleted', async () => {
    const at = '2026-11-01T10:00:00.000Z'
    const id = await made('/one/annotations', { kind: 'deploy', text: ' v2 ', at, scenario: 'a' })
    const before = Date.now()
    const now = await call('POST', '/one/annotations', { kind: 'config', text: 'now' })
    const { at: madeAt } = z.looseObject({ at: z.string() }).parse(now.json)
    expect(Date.parse(madeAt)).toBeGreaterThanOrEqual(before - 1)
    const texts = async (query: string) => {
      const { json } = await call('GET', `/one/annotations${query}`)
      return z
        .object({ annotations: z.array(z.looseObject({ text: z.string() })) })
        .parse(json)
        .annotations.map((one) => one.text)
    }
    expect(await texts('')).toEqual(['v2', 'now'])
    expect(await texts('?scenario=b')).toEqual(['now'])
    expect((await refusal('DELETE', `/two/annotations/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/one/annotations/${id}`)).status).toBe(204)
    expect((await refusal('DELETE', `/one/annotations/${id}`)).status).toBe(404)
    expect(await texts('?scenario=a')).toEqual(['now'])
  })

  it('refuse invalid values', async () => {
    const good = { kind: 'deploy', text: 'v2' }
    const bad = [
      '',
      '[]',
      { text: 'v2' },
      { ...good, kind: 'party' },
      { ...good, text: ' ' },
      { ...good, text: 'x'.repeat(501) },
      { ...good, at: '2026-11-01' },
      { ...good, at: '2026-11-01T10:00:00+02:00' },
      { ...good, scenario: '' },
      { ...good, colour: 'red' },
    ]
    for (const body of bad)
      expect((await refusal('POST', '/one/annotations', body)).status, JSON.stringify(body)).toBe(400)
    expect((await refusal('POST', '/none/annotations', good)).status).toBe(404)
    for (const id of [noId, 'nonsense']) expect((await refusal('DELETE', `/one/annotations/${id}`)).status).toBe(404)
  })
})

describe('from a rule by API to a message', () => {
  it('is one alert for both series of a commit, sent once, updated by a later run and reported when it is over', async () => {
    const channel = { kind: 'webhook', name: 'ours', target: `${receiver.url}/hook` }
    const { status, json } = await call('POST', '/one/channels', channel)
    expect(status, JSON.stringify(json)).toBe(201)
    const { secret } = z.looseObject({ secret: z.string() }).parse(json)
    await made('/one/rules', { scenario: 'flow', settings: limit })
    const alerts = async () => {
      const { json: body } = await call('GET', '/one/alerts')
      const event = z.looseObject({ seriesId: z.string(), value: z.number(), count: z.number() })
      const alert = z.looseObject({ id: z.string(), state: z.string(), cause: z.string(), events: z.array(event) })
      return z.object({ alerts: z.array(alert) }).parse(body).alerts
    }
    const send = async (hours: number, commit: string, red: number, blue: number) => {
      await upload(`scenario=flow&variant=red&label=commit=${commit}`, hours, red)
      await upload(`scenario=flow&variant=blue&label=commit=${commit}`, hours + 0.5, blue)
    }
    await send(0, 'good', 40, 41)
    await send(2, 'slow', 60, 61)
    const values = async () =>
      (await alerts()).map((one) => [
        one.state,
        one.cause,
        one.events.map((event) => [event.value, event.count]).sort(),
      ])
    await expect.poll(values, { timeout: 15_000 }).toEqual([
      [
        'open',
        'commit slow',
        [
          [60, 1],
          [61, 1],
        ],
      ],
    ])
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(1)
    await send(4, 'slower', 70, 71)
    await expect.poll(values, { timeout: 15_000 }).toEqual([
      [
        'open',
        'commit slow',
        [
          [70, 2],
          [71, 2],
        ],
      ],
    ])
    await send(6, 'mended', 40, 41)
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(2)
    expect((await alerts()).map((one) => one.state)).toEqual(['recovered'])
    const [opened, recovered] = receiver.received.map((one) => new Webhook(secret).verify(one.body, one.headers))
    const [alert] = await alerts()
    expect(opened).toMatchObject({ type: 'alert.opened', data: { alert: { id: alert?.id } } })
    expect(recovered).toMatchObject({ type: 'alert.recovered', data: { alert: { id: alert?.id } } })
    expect(JSON.stringify(opened)).toMatch(/60\.0\sms.*above the limit of 50\sms/)
    expect(JSON.stringify(opened)).toMatch(/61\.0\sms/)
  })
})
