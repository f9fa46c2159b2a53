import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'
import { heyText } from './feed-series'

let app: SharedServer

const call = (address: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/v1/projects${address}`, { headers: { accept: 'application/json' }, ...init })
const post = (address: string, body?: object) =>
  call(address, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

const sessionSchema = z.object({
  ...{ id: z.string(), state: z.string(), best: z.string(), runs: z.number(), claimedRatio: z.number() },
  confirmed: z.object({ effectRatio: z.number(), low: z.number(), high: z.number(), rounds: z.number() }).nullable(),
  attempts: z.array(
    z.object({ name: z.string(), verdict: z.string().nullable(), words: z.string(), runs: z.number() }),
  ),
})
const nextSchema = z.union([
  z.object({ attempt: z.string(), arm: z.string(), code: z.string(), round: z.number(), upload: z.string() }),
  z.object({ wait: z.literal(true), awaited: z.array(z.string()) }),
  z.object({ idle: z.literal(true), best: z.string(), verdict: z.string().nullable(), words: z.string() }),
])

let sent = 0
/** What a change makes of the mean, in units of base. */
const levels: Readonly<Record<string, number>> = { main: 1, pool: 0.8, tidy: 1, less: 0.6, again: 0.8 }
function output(code: string): string {
  const value = 100 * (levels[code] ?? 1) * (1 + 0.01 * Math.sin((sent += 1) * 2.4)) + sent / 10_000
  const text = heyText(value)
  return code === 'less'
    ? text.replace(/(Total data:\s+)(\d+)/, (_, head: string, bytes) => `${head}${Number(bytes) / 2}`)
    : text
}

const read = async (id: string) => sessionSchema.parse(await (await call(`/tuning/sessions/${id}`)).json())
const next = async (id: string) => nextSchema.parse(await (await post(`/tuning/sessions/${id}/next`)).json())
const attempt = (id: string, name: string, digest = name) => post(`/tuning/sessions/${id}/attempts`, { name, digest })
const started = async (more: object = {}) => {
  const asked = { base: 'main', metricId: 'mean', smallestRatio: 0.05, maxRounds: 12, plannedAttempts: 4, ...more }
  return sessionSchema.parse(await (await post('/tuning/sessions', asked)).json()).id
}

/** What anyone's runner does; returns how often it ran each code. */
async function measure(id: string, print = output): Promise<Readonly<Record<string, number>>> {
  const ran: Record<string, number> = {}
  for (let tries = 0; tries < 500; tries += 1) {
    const one = await next(id)
    if ('idle' in one) return ran
    if ('wait' in one) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    await call(`/tuning/uploads?${one.upload}`, { method: 'PUT', body: print(one.code) })
    ran[one.code] = (ran[one.code] ?? 0) + 1
  }
  throw new Error('it did not end')
}

beforeAll(async () => {
  app = await shareServer('plain')
  await post('', { name: 'Tuning', slug: 'tuning' })
})

it('keeps what is faster, reverts what is not, suspects what does less, and confirms the best afresh', async () => {
  const id = await started()
  expect(await next(id)).toMatchObject({ idle: true, best: 'main', verdict: null })
  expect((await attempt(id, 'pool', 'a1')).status).toBe(200)
  expect((await attempt(id, 'tidy')).status).toBe(409)
  const [one, other] = await Promise.all([measure(id), measure(id)])
  const ran = (one['pool'] ?? 0) + (other['pool'] ?? 0)
  expect(ran).toBeGreaterThanOrEqual(6)
  expect(await read(id)).toMatchObject({ state: 'open', best: 'pool', runs: 2 * ran })
  await attempt(id, 'again', 'a1')
  expect(await measure(id)).toEqual({})
  await attempt(id, 'tidy')
  const tidy = await measure(id)
  expect(Object.keys(tidy).toSorted()).toEqual(['pool', 'tidy'])
  await attempt(id, 'less')
  await measure(id)
  const before = await read(id)
  expect(before.attempts.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    ...['pool keep', 'again duplicate', 'tidy revert', 'less suspect'],
  ])
  expect(before.attempts[3]?.words).toBe('suspect: it does less: fewer bytes per response')
  expect((await post(`/tuning/sessions/${id}/conclude`)).status).toBe(200)
  expect(await measure(id)).toEqual({ main: 16, pool: 16 })
  const { confirmed, state, attempts, claimedRatio } = await read(id)
  expect([state, confirmed?.rounds]).toEqual(['concluded', 16])
  expect(confirmed?.effectRatio).toBeCloseTo(-0.2, 1)
  expect(claimedRatio).toBeCloseTo(-0.2, 1)
  expect(attempts.at(-1)?.words).toMatch(/^Confirmed: Mean of the best −\d/)
  expect((await attempt(id, 'late')).status).toBe(409)
})

it('counts only raw output that is new: the same one again is void, and three are suspect', async () => {
  const id = await started()
  await attempt(id, 'pool')
  const old = output('pool')
  const reuse = (code: string) => (code === 'pool' ? old : output(code))
  await call('/tuning/uploads?scenario=before', { method: 'PUT', body: old })
  await measure(id, reuse)
  const { attempts } = await read(id)
  expect(attempts).toMatchObject([{ verdict: 'suspect', words: 'suspect: its output is an old one' }])
})

it('reverts what fails to run, and refuses what it does not have', async () => {
  const id = await started()
  const idle = await started()
  await post(`/tuning/sessions/${idle}/conclude`)
  expect((await read(idle)).attempts).toMatchObject([{ words: 'No attempt gained: the best is base' }])
  expect((await attempt(id, 'best')).status).toBe(400)
  await attempt(id, 'tidy')
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const one = await next(id)
    if (!('arm' in one)) throw new Error('nothing was given out')
    const place = { round: one.round, arm: one.arm }
    expect((await post(`/tuning/sessions/${id}/void`, { ...place, reason: 'exit 1' })).status).toBe(204)
    expect((await post(`/tuning/sessions/${id}/void`, { ...place, reason: 'exit 1' })).status).toBe(409)
    expect(
      (await call(`/tuning/uploads?${one.upload.replace(/arm=\w+/, 'arm=base')}`, { method: 'PUT', body: output('x') }))
        .status,
    ).toBe(400)
  }
  expect(await next(id)).toMatchObject({ idle: true, verdict: 'revert' })
  for (const wrong of [{ metricId: 'tool' }, { maxRuns: 10 }, { plannedAttempts: 0 }])
    expect((await post('/tuning/sessions', { base: 'main', ...wrong })).status).toBe(400)
})

it('is a session for agents as well', async () => {
  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url)))
  const said = z.object({ content: z.tuple([z.object({ text: z.string() })]) })
  const ask = async (name: string, more: object = {}) =>
    said.parse(await client.callTool({ name, arguments: { project: 'tuning', ...more } })).content[0].text
  const begun = await ask('start_session', { base: 'main', metricId: 'mean', smallestRatio: 0.05, maxRounds: 12 })
  const session = /^# Session (\w{26}): /.exec(begun)?.[1] ?? ''
  await ask('attempt', { session, name: 'pool' })
  expect(await ask('attempt', { session, name: 'tidy' })).toMatch(/An attempt is measured/)
  const given =
    /^run (\w+) \((?:best|attempt) of pool, round 1\)\.\nupload: (experiment=\w{26}&arm=(?:best|attempt)&round=1)$/
  const [, code = '', query = ''] = given.exec(await ask('session_next', { session })) ?? []
  expect(['main', 'pool']).toContain(code)
  await call(`/tuning/uploads?${query}`, { method: 'PUT', body: output(code) })
  await measure(session)
  expect(await ask('session_next', { session })).toMatch(
    /^idle: keep: Mean of pool −(19|2\d)[.\d]* % against the best so far\.\nBest: pool\.$/,
  )
  expect(await ask('read_session', { session })).toMatch(/^open; best pool, base main; \d+ runs of 1000; claimed −/m)
  await client.close()
})
