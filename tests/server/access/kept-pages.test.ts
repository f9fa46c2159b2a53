import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { newOutput, newSlug, anonymous, World, type Credential } from './world'

const idOf = z.object({ id: z.string() })
const uploaded = z.object({ upload: idOf, runs: z.tuple([idOf]).rest(idOf) })

let world: World
let admin: Credential
beforeAll(async () => {
  world = await World.start()
  admin = world.people.admin.session
})

const page = async (credential: Credential, path: string, headers: Record<string, string> = {}) => {
  const response = await world.ask(credential, path, { headers: { accept: 'text/html', ...headers } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const put = async (slug: string, query = '') => {
  const asked = { method: 'PUT', body: newOutput() }
  return uploaded.parse(await world.json(z.unknown(), admin, `/api/v1/projects/${slug}/uploads${query}`, asked))
}
const change = (method: string, path: string, body?: unknown) =>
  world.json(z.unknown(), admin, path, { method, ...(body === undefined ? {} : { body }) })

/** Asked for twice, so that the second is one that the server has kept. */
async function warm(path: string, credential = admin): Promise<string> {
  await page(credential, path)
  return (await page(credential, path)).text
}

it('shows each change at once, to who made it and to others', async () => {
  const slug = await world.project()
  const [api, board] = [`/api/v1/projects/${slug}`, `/p/${slug}`]
  const { runs } = await put(slug, '?scenario=first&label=commit%3D0123abc')
  const [{ id }] = runs
  const other = await put(slug, '?scenario=second')
  const refs = `${id}...${other.runs[0].id}`
  const changes: readonly (readonly [page: string, shows: string, change: () => Promise<unknown>])[] = [
    [`${board}/runs`, 'third', () => put(slug, '?scenario=third')],
    [board, 'fourth', () => put(slug, '?scenario=fourth')],
    [`${board}/runs/${id}`, 'a note of mine', () => change('PATCH', `${api}/runs/${id}`, { notes: 'a note of mine' })],
    [`${board}/runs`, 'renamed', () => change('PATCH', `${api}/runs/${id}`, { scenario: 'renamed' })],
    [`${board}/trends`, 'twice', () => change('PATCH', `${api}/runs/${id}`, { scenario: 'twice' })],
    [`${board}/compare/${refs}`, 'compared', () => change('PATCH', `${api}/runs/${id}`, { scenario: 'compared' })],
    [
      `${board}/comparisons`,
      'A saved one',
      () => change('POST', `${api}/comparisons`, { name: 'A saved one', kind: 'runs', refs }),
    ],
    [board, 'Other name', () => change('PATCH', api, { name: 'Other name' })],
    ['/', 'Third name', () => change('PATCH', api, { name: 'Third name' })],
    [
      `${board}/runs/${id}`,
      'https://code.example/own',
      () => change('PATCH', api, { repositoryUrl: 'https://code.example/own' }),
    ],
  ]
  for (const [path, shows, make] of changes) {
    expect(await warm(path), `${path} before`).not.toContain(shows)
    await make()
    expect((await page(admin, path)).text, `${path} after`).toContain(shows)
    expect((await page(world.people.owner.session, path)).text, `${path} for another`).toContain(shows)
  }
  await warm(`${board}/runs/${id}`)
  await change('DELETE', `${api}/runs/${id}`)
  expect((await page(admin, `${board}/runs/${id}`)).status).toBe(404)
})

it('shows a judgement when it is made', async () => {
  const slug = await world.project()
  const [{ id }] = (await put(slug)).runs
  await expect
    .poll(async () => (await page(admin, `/p/${slug}/runs/${id}`)).text, { timeout: 60_000 })
    .not.toContain('not judged yet')
  expect((await page(admin, `/p/${slug}/runs`)).text).not.toContain('not judged yet')
})

it('is of the right of who asks, and ends with it', async () => {
  const { viewer, editor, elsewhere, spare } = world.people
  const path = `/p/${world.places.own}/runs`
  const askers = [admin, editor.session, viewer.session, elsewhere.session, spare.session, anonymous]
  const cold = await Promise.all(askers.map((one) => page(one, path)))
  for (let at = 0; at < 60; at += 1) {
    const own = (7 * at) % askers.length
    const { status, text } = await page(askers[own] ?? anonymous, path)
    expect(status).toBe(cold[own]?.status)
    expect(text.replace(/nonce[^ >]{2,60}/g, '')).toBe(cold[own]?.text.replace(/nonce[^ >]{2,60}/g, ''))
  }
  expect(cold.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200, 307])
  const account = await world.accountOf(spare)
  await change('PATCH', `/api/v1/projects/${world.places.own}/members/${account}`, { role: 'editor' })
  const names = (text: string, name: string) => text.replaceAll(name, '').replace(/nonce[^ >]{2,60}/g, '')
  const promoted = await page(spare.session, path)
  expect(names(promoted.text, spare.name)).toBe(names((await page(editor.session, path)).text, editor.name))
  await change('DELETE', `/api/v1/projects/${world.places.own}/members/${account}`)
  expect((await page(spare.session, path)).status).toBe(404)
  const session = await world.signIn(spare)
  const home = await page(session, '/')
  await world.ask(session, '/api/v1/session/end', { method: 'POST' })
  const ended = await page(session, '/', { 'if-none-match': home.headers.get('etag') ?? '' })
  expect([home.status, ended.status]).toEqual([200, 307])
})

it('is not sent again to a browser that has it', async () => {
  const slug = await world.project()
  await put(slug)
  const path = `/p/${slug}/runs`
  await expect.poll(async () => (await page(admin, path)).text, { timeout: 60_000 }).not.toContain('not judged yet')
  const own = await page(admin, path)
  const again = await page(admin, path, { 'if-none-match': own.headers.get('etag') ?? '' })
  expect([again.status, again.text, again.headers.has('content-security-policy')]).toEqual([304, '', false])
  await change('PATCH', `/api/v1/projects/${slug}`, { name: newSlug() })
  const changed = await page(admin, path, { 'if-none-match': own.headers.get('etag') ?? '' })
  expect(changed.status).toBe(200)
})
