import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeDataFolder } from '../../shared-databases'
import { newOutput, World, type Credential } from '../access/world'
import { startApp } from '../app'
import { readStream, type OpenStream } from './read-stream'

let world: World
beforeAll(async () => {
  world = await World.start()
})

const headersOf = (credential: Credential): Record<string, string> =>
  credential.kind === 'token'
    ? { authorization: `Bearer ${credential.token}` }
    : credential.kind === 'session'
      ? { cookie: `__Host-tailboard=${credential.secret}` }
      : {}
const open = (slug: string, credential: Credential): Promise<OpenStream> =>
  readStream(`${world.app.url}/api/v1/projects/${slug}/changes`, headersOf(credential))
const upload = (slug: string) =>
  world.ask(world.people.admin.session, `/api/v1/projects/${slug}/uploads`, { method: 'PUT', body: newOutput() })

it('says the version at once, and another one within a second of an upload', async () => {
  const slug = await world.project()
  const stream = await open(slug, world.people.admin.session)
  await expect.poll(() => stream.versions().length).toBe(1)
  expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
  await upload(slug)
  const doneMs = performance.now()
  await expect.poll(() => stream.versions().length, { interval: 20 }).toBeGreaterThan(1)
  expect(performance.now() - doneMs).toBeLessThan(1_000)
  const [first = NaN, ...others] = stream.versions().map(Number)
  for (const version of others) expect(version).toBeGreaterThan(first)
  // Nothing but numbers, whatever happens in the project.
  expect(stream.text()).toMatch(/^(?:data: \d+\n\n)+$/)
  stream.close()
  const answer = await world.json(
    z.object({ version: z.string() }),
    world.people.admin.session,
    `/api/v1/projects/${slug}/changes`,
  )
  expect(Number(answer.version)).toBeGreaterThanOrEqual(others.at(-1) ?? first)
})

it('says nothing of other projects', async () => {
  const [own, other] = [await world.project(), await world.project()]
  const stream = await open(own, world.people.admin.session)
  await upload(other)
  await sleep(1_500)
  expect(stream.versions()).toHaveLength(1)
  stream.close()
})

it('ends within seconds for who lost the right, the session or the token', async () => {
  const { admin, owner } = world.people
  const person = await world.newcomer()
  const account = await world.accountOf(person)
  const slug = await world.project()
  const members = `/api/v1/projects/${slug}/members/${account}`
  const setRole = () => world.ask(admin.session, members, { method: 'PATCH', body: { role: 'viewer' } })
  const add = async () => {
    const response = await setRole()
    if (response.ok) return
    const made = await world.json(
      z.object({ url: z.string() }),
      admin.session,
      `/api/v1/projects/${slug}/invitations`,
      {
        method: 'POST',
        body: { email: null, role: 'viewer' },
      },
    )
    await world.ask(person.session, '/api/v1/invitations/accept', {
      method: 'POST',
      body: { token: made.url.slice(-43) },
    })
  }
  await add()
  const { token, id } = await world.token('read', admin, slug)
  const session = await world.signIn(admin)
  const streams = [
    await open(slug, person.session),
    await open(slug, { kind: 'token', token }),
    await open(slug, session),
    await open(slug, owner.session),
  ]
  await world.ask(admin.session, members, { method: 'DELETE' })
  await world.ask(admin.session, `/api/v1/account/tokens/${id}`, { method: 'DELETE' })
  await world.ask(session, '/api/v1/session/end', { method: 'POST' })
  const ended = () => streams.map((stream) => stream.isOver())
  await expect.poll(ended, { timeout: 3_000 }).toEqual([true, true, true, false])
  expect((await fetchChanges(slug, person.session)).status).toBe(404)
  await world.ask(owner.session, `/api/v1/projects/${slug}`, { method: 'DELETE' })
  await expect.poll(ended, { timeout: 3_000 }).toEqual([true, true, true, true])
})

const fetchChanges = (slug: string, credential: Credential) =>
  fetch(`${world.app.url}/api/v1/projects/${slug}/changes`, {
    headers: { ...headersOf(credential), accept: 'text/event-stream' },
  })

it('keeps at most 50 streams of an account open', async () => {
  const person = world.people.elsewhere
  const slug = `${world.places.own.replace(/-own$/, '')}-elsewhere`
  const streams = await Promise.all(Array.from({ length: 50 }, () => open(slug, person.session)))
  const refused = await fetchChanges(slug, person.session)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  streams[0]?.close()
  await expect.poll(async () => (await reopened(slug, person.session)).status, { timeout: 3_000 }).toBe(200)
  for (const stream of streams) stream.close()
})

async function reopened(slug: string, credential: Credential): Promise<{ status: number }> {
  const response = await fetchChanges(slug, credential)
  await response.body?.cancel()
  return response
}

it('does not hold up the stop of the server', async () => {
  const app = await startApp({ dataFolder: await makeDataFolder() })
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name: 'Stop', slug: 'stop' }) })
  const address = `${app.url}/api/v1/projects/stop/changes`
  const streams = await Promise.all(Array.from({ length: 5 }, () => readStream(address)))
  await expect.poll(() => streams.map((stream) => stream.versions().length)).toEqual([1, 1, 1, 1, 1])
  // A client that aborted a request opens another connection, and says nothing on it.
  streams[0]?.close()
  await sleep(200)
  const fromMs = performance.now()
  expect(await app.stop()).toBe(0)
  expect(performance.now() - fromMs).toBeLessThan(5_000)
  await expect.poll(() => streams.every((stream) => stream.isOver())).toBe(true)
})
