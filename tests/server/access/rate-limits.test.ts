import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOutput, anonymous, World, type Credential } from './world'

let world: World
beforeAll(async () => {
  world = await World.start({ TAILBOARD_TOKEN_REQUESTS: '20', TAILBOARD_TOKEN_UPLOADS: '3' })
})
afterAll(() => world.end())

async function tokenOf(scope: string): Promise<Credential> {
  return { kind: 'token', token: (await world.token(scope)).token }
}
const waitOf = (response: Response) => Number(response.headers.get('retry-after'))

/** That many calls in one request. */
function batch(own: Credential, calls: number): Promise<Response> {
  const body = Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  return world.ask(own, '/mcp', { method: 'POST', body, headers })
}

describe('a token', () => {
  it('may send a number of requests a minute, and no more', async () => {
    const token = await tokenOf('read')
    const ask = (own: Credential) => world.ask(own, `/api/v1/projects/${world.places.own}`)
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await ask(token)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect(waitOf(await ask(token))).toBeGreaterThan(0)
    // Each token is counted separately, and people are not counted.
    expect((await ask(await tokenOf('read'))).status).toBe(200)
    expect((await ask(world.people.admin.session)).status).toBe(200)
  })
  it('is counted once for each call in a batch', async () => {
    const token = await tokenOf('read')
    expect((await batch(token, 15)).status).toBe(200)
    const refused = await batch(token, 15)
    expect(refused.status).toBe(429)
    expect(waitOf(refused)).toBeGreaterThan(0)
    expect((await batch(token, 1)).status).toBe(429)
  })
  it('may upload a number of times a minute, and can still read', async () => {
    const token = await tokenOf('admin')
    const put = () =>
      world.ask(token, `/api/v1/projects/${world.places.own}/uploads`, { method: 'PUT', body: newOutput() })
    const statuses: number[] = []
    for (let at = 0; at < 4; at += 1) statuses.push((await put()).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    expect(waitOf(await put())).toBeGreaterThan(0)
    expect((await world.ask(token, `/api/v1/projects/${world.places.own}`)).status).toBe(200)
  })
})

it('a batch has at most 20 calls, even for people, who are not counted', async () => {
  const own = world.people.admin.session
  expect((await batch(own, 20)).status).toBe(200)
  const refused = await batch(own, 21)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('A batch has at most 20 messages.')
  expect((await batch(own, 0)).status).toBe(400)
})

it('stops an anonymous client that floods the server, and no other', async () => {
  const client = '192.0.2.9'
  const ask = (credential: Credential, from = client) =>
    world.ask(credential, '/api/v1/account', { headers: { 'x-forwarded-for': from } })
  expect((await ask(world.people.admin.session)).status).toBe(200)
  const forged: Credential = { kind: 'session', secret: 'A'.repeat(43) }
  const token: Credential = { kind: 'token', token: 'tailboard_x' }
  for (let at = 0; at < 300; at += 1)
    expect((await ask([anonymous, forged, token][at % 3] ?? anonymous)).status).toBe(401)
  for (const credential of [anonymous, forged, token]) {
    const stopped = await ask(credential)
    expect(stopped.status).toBe(429)
    expect(waitOf(stopped)).toBeGreaterThan(0)
    expect(waitOf(stopped)).toBeLessThanOrEqual(60)
    expect(await stopped.json()).toMatchObject({ code: 'too-many-requests' })
  }
  expect((await ask(world.people.admin.session)).status).toBe(200)
  expect((await ask(anonymous, '192.0.2.10')).status).toBe(401)
  const page = await world.ask(anonymous, '/sign-in', { headers: { 'x-forwarded-for': client, accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([429, expect.stringMatching(/^Too many requests .* in \d+ s\.\n$/)])
  const probe = await world.ask(anonymous, '/healthz', { headers: { 'x-forwarded-for': client } })
  expect(probe.status).toBe(200)
})

it('stops a client that guesses links, and no other', async () => {
  const guess = (client: string, at: number) =>
    world.ask(anonymous, at % 2 === 0 ? `/s/unknown-${at}` : `/badge/unknown-${at}.svg`, {
      headers: { 'x-forwarded-for': client },
    })
  for (let at = 0; at < 60; at += 1) expect((await guess('192.0.2.1', at)).status).toBe(404)
  await expect.poll(async () => (await guess('192.0.2.1', 60)).status).toBe(429)
  expect(waitOf(await guess('192.0.2.1', 60))).toBeGreaterThan(0)
  expect((await guess('192.0.2.2', 60)).status).toBe(404)
})
