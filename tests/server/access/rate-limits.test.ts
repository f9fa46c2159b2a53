import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOutput, nobody, places, World, type Credential } from './world'

let world: World
beforeAll(async () => {
  world = await World.start({ TAILBOARD_TOKEN_REQUESTS: '20', TAILBOARD_TOKEN_UPLOADS: '3' })
})
afterAll(() => world.end())

async function tokenOf(scope: string): Promise<Credential> {
  return { kind: 'token', token: (await world.token(scope)).token }
}
const waitOf = (response: Response) => Number(response.headers.get('retry-after'))

describe('a token', () => {
  it('may ask so often in a minute, and no more', async () => {
    const token = await tokenOf('read')
    const ask = (own: Credential) => world.ask(own, `/api/v1/projects/${places.own}`)
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await ask(token)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect(waitOf(await ask(token))).toBeGreaterThan(0)
    // Each token counts for itself, and people are not counted.
    expect((await ask(await tokenOf('read'))).status).toBe(200)
    expect((await ask(world.people.admin.session)).status).toBe(200)
  })
  it('may upload so often in a minute, and read on', async () => {
    const token = await tokenOf('admin')
    const put = () => world.ask(token, `/api/v1/projects/${places.own}/uploads`, { method: 'PUT', body: newOutput() })
    const statuses: number[] = []
    for (let at = 0; at < 4; at += 1) statuses.push((await put()).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    expect(waitOf(await put())).toBeGreaterThan(0)
    expect((await world.ask(token, `/api/v1/projects/${places.own}`)).status).toBe(200)
  })
})

it('stops a client that guesses links, and no other', async () => {
  const guess = (client: string, at: number) =>
    world.ask(nobody, at % 2 === 0 ? `/s/unknown-${at}` : `/badge/unknown-${at}.svg`, {
      headers: { 'x-forwarded-for': client },
    })
  for (let at = 0; at < 60; at += 1) expect((await guess('192.0.2.1', at)).status).toBe(404)
  await expect.poll(async () => (await guess('192.0.2.1', 60)).status).toBe(429)
  expect(waitOf(await guess('192.0.2.1', 60))).toBeGreaterThan(0)
  expect((await guess('192.0.2.2', 60)).status).toBe(404)
})
