import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anonymous, World, type Credential } from './world'

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.end())

const own = () => `/api/v1/projects/${world.places.own}`
const statusOf = async (asker: Credential, method: string, path: string, body?: unknown) =>
  (await world.ask(asker, own() + path, { method, ...(body === undefined ? {} : { body }) })).status

describe('the right is checked before the content', () => {
  it('when reading: an unauthorised caller learns nothing about the query', async () => {
    const { viewer, elsewhere } = world.people
    const upload = await world.thing('upload', 'own', 'owner')
    const wrong = ['/search', '/search?text=a&limit=x', '/runs?limit=x', '/runs.csv?limit=x', '/alerts?state=x']
    for (const path of [...wrong, `/uploads/${upload}/gate?wait=x`]) {
      expect([path, await statusOf(anonymous, 'GET', path)]).toEqual([path, 401])
      expect([path, await statusOf(elsewhere.session, 'GET', path)]).toEqual([path, 404])
      expect([path, await statusOf(viewer.session, 'GET', path)]).toEqual([path, 400])
    }
  })

  it('when merging: an unauthorised caller learns nothing about the body or the runs', async () => {
    const { viewer, editor, elsewhere } = world.people
    const run = await world.thing('run', 'own', 'owner')
    const draft = await world.thing('draft', 'own', 'owner')
    for (const [path, body] of [
      ...['', '{', { runs: [run] }, { runs: [run, 'x'] }, { runs: [run, run] }].map(
        (one) => ['/runs/merge', one] as const,
      ),
      ...['', { edits: [], merge: [7] }].map((one) => [`/uploads/${draft}/save`, one] as const),
    ]) {
      const name = `${path} ${JSON.stringify(body)}`
      expect([name, await statusOf(anonymous, 'POST', path, body)]).toEqual([name, 401])
      expect([name, await statusOf(elsewhere.session, 'POST', path, body)]).toEqual([name, 404])
      expect([name, await statusOf(viewer.session, 'POST', path, body)]).toEqual([name, 403])
      expect([400, 404, 409]).toContain(await statusOf(editor.session, 'POST', path, body))
    }
  })

  it('and again once a body has arrived: a right lost in the meantime is refused', async () => {
    const { spare, owner } = world.people
    const member = `${own()}/members/${await world.accountOf(spare)}`
    const setRole = (role: string) =>
      world.json(z.unknown(), owner.session, member, { method: 'PATCH', body: { role } })
    const save = async (meanwhile: () => Promise<unknown>) => {
      const headers = { cookie: `__Host-tailboard=${spare.session.secret}`, origin: world.app.url }
      const sent = request(`${world.app.url}${own()}/comparisons`, { method: 'POST', headers })
      sent.write('{"name":"late",')
      // Long enough for the first check; too short would weaken this test, not fail it.
      await sleep(500)
      await meanwhile()
      sent.end('"kind":"matrix"}')
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    await setRole('editor')
    expect(await save(() => Promise.resolve())).toBe(201)
    expect(await save(() => setRole('viewer'))).toBe(403)
  })
})
