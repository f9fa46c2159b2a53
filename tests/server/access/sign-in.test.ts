import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cookieOf, anonymous, World, type Credential, type Person } from './world'

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.end())

const secretOf = (person: Person) => person.session.secret
/** The first page of the people's project. */
const home = () => `/p/${world.places.own}`
const cookie = (secret: string) => `__Host-tailboard=${secret}`
const session = (secret: string): Credential => ({ kind: 'session', secret })

/** A change sent by a browser or a program, with only these headers. */
const change = (headers: Record<string, string>) =>
  fetch(`${world.app.url}/api/v1/account`, { method: 'PATCH', headers, body: JSON.stringify({ name: 'Ada' }) })
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(world.app.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: world.app.url, ...headers },
    body: new URLSearchParams(fields),
  })
const tryPassword = (email: string, password: string) =>
  world.ask(anonymous, '/api/v1/session', { method: 'POST', body: { email, password } })

describe('a change', () => {
  it('is refused with a cookie if the page that sent it is foreign or unknown', async () => {
    const own = { cookie: cookie(secretOf(world.people.editor)) }
    const { url } = world.app
    expect((await change(own)).status).toBe(403)
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `${url}.evil.example`, 'x'])
      expect((await change({ ...own, origin })).status, origin).toBe(403)
    for (const site of ['cross-site', 'same-site'])
      expect((await change({ ...own, origin: url, 'sec-fetch-site': site })).status, site).toBe(403)
    expect((await change({ ...own, origin: url })).status).toBe(200)
    expect((await change({ ...own, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
  it('needs no page if it comes with a token', async () => {
    const { token } = await world.token('admin', world.people.editor, null)
    expect((await change({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await change({ authorization: `Bearer ${token}`, origin: 'https://evil.example' })).status).toBe(403)
  })
  it('without credentials belongs to no one, whatever the client claims', async () => {
    const headers = { 'x-tailboard-share': '0', 'x-tailboard-client': '127.0.0.1', 'x-tailboard-url': '/' }
    expect((await change(headers)).status).toBe(401)
    expect((await change({ authorization: 'Bearer tailboard_x' })).status).toBe(401)
    expect((await change({ authorization: 'Basic YTpi' })).status).toBe(401)
  })
})

describe('signing in', () => {
  it('says the same, as late, of a wrong password and of an unknown address', async () => {
    const took: [number[], number[]] = [[], []]
    const ratio = () => Math.min(...took[0]) / Math.min(...took[1])
    const said = new Set<string>()
    // Where the machine is busy, some are late by chance; without the work of a password they would be early each time.
    for (let turn = 0; turn < 5 && !(ratio() > 0.4 && ratio() < 2.5); turn += 1) {
      const { email } = await world.newcomer()
      for (let round = 0; round < 4; round += 1)
        for (const which of [0, 1] as const) {
          const startedMs = performance.now()
          const unknown = `nobody-${turn}-${round}@example.com`
          const response = await tryPassword(which === 0 ? email : unknown, 'not the password')
          // Each response has an id of its own.
          const text = (await response.text()).replace(/"requestId":"[^"]+"/, '')
          said.add(`${response.status} ${text}`)
          took[which].push(performance.now() - startedMs)
        }
    }
    expect(said.size).toBe(1)
    expect([...said][0]).toMatch(/^401 /)
    expect(ratio()).toBeGreaterThan(0.4)
    expect(ratio()).toBeLessThan(2.5)
  })
  it('is blocked for a minute after five tries for an account, even with the right password', async () => {
    const { email, password } = world.people.elsewhere
    for (let at = 0; at < 5; at += 1) expect((await tryPassword(email, 'not the password')).status).toBe(401)
    const stopped = await tryPassword(email.toUpperCase(), password)
    expect(stopped.status).toBe(429)
    const waitSeconds = Number(stopped.headers.get('retry-after'))
    expect(waitSeconds).toBeGreaterThan(0)
    expect(waitSeconds).toBeLessThanOrEqual(60)
    expect((await tryPassword(world.people.viewer.email, world.people.viewer.password)).status).toBe(204)
  })
  it('redirects only within this server', async () => {
    const { email, password } = world.people.editor
    const next = async (to: string) =>
      (await form('/api/v1/session', { email, password, next: to })).headers.get('location')
    const runs = `${home()}/runs?tool=hey`
    expect(await next(runs)).toBe(runs)
    expect(await next('//evil.example/')).toBe('/')
    const refused = await form('/api/v1/session', { email: 'x@example.com', password: 'x', next: '/\\evil.example' })
    expect(refused.headers.get('location')).toBe('/sign-in?error=wrong&next=%2F')
    const page = await world.ask(world.people.editor.session, '/sign-in?next=https://evil.example')
    expect([page.status, page.headers.get('location')]).toEqual([307, '/'])
  })
  it('begins a session with a new secret, in a cookie that only this host gets', async () => {
    const planted = 'A'.repeat(43)
    const { email, password } = world.people.admin
    const response = await form('/api/v1/session', { email, password }, { cookie: cookie(planted) })
    const header = response.headers.get('set-cookie') ?? ''
    expect(cookieOf(response)).not.toBe(planted)
    expect(header.split('; ').slice(1).sort()).toEqual(
      ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'].sort(),
    )
    expect((await world.ask(session(planted), '/api/v1/account')).status).toBe(401)
    expect((await world.ask(session(cookieOf(response)), '/api/v1/account')).status).toBe(200)
  })
})

describe('a token', () => {
  const madeToken = z.object({ id: z.string(), token: z.string(), expiresAt: z.string().nullable() })
  const statusOf = async (own: Credential) => (await world.ask(own, '/api/v1/account')).status
  const make = (own: Credential, days: number | null) => {
    const asked = { method: 'POST', body: { name: 'T', scope: 'admin', project: null, days } }
    return world.json(madeToken, own, '/api/v1/account/tokens', asked)
  }
  it('creates none that outlives it', async () => {
    const { session: own } = await world.newcomer()
    const day = await make(own, 1)
    const endless = await make({ kind: 'token', token: day.token }, null)
    expect(endless.expiresAt).toBe(day.expiresAt)
    const child: Credential = { kind: 'token', token: endless.token }
    expect(await statusOf(child)).toBe(200)
    await world.json(z.null(), own, `/api/v1/account/tokens/${day.id}`, { method: 'DELETE' })
    expect(await statusOf(child)).toBe(401)
  })
  it('ends with the old password if its owner requests that', async () => {
    const { session: own, password } = await world.newcomer()
    const [kept, ended] = [await make(own, null), await make(own, null)]
    const body = { current: password, password: `${password}!`, revokeTokens: [ended.id] }
    await world.json(z.null(), own, '/api/v1/account/password', { method: 'PUT', body })
    const token = ({ token: secret }: { token: string }): Credential => ({ kind: 'token', token: secret })
    expect([await statusOf(token(kept)), await statusOf(token(ended))]).toEqual([200, 401])
  })
})

describe('a session', () => {
  it('ends when its owner signs out', async () => {
    const { secret } = await world.signIn(world.people.owner)
    expect((await world.ask(session(secret), '/api/v1/account')).status).toBe(200)
    const ended = await form('/api/v1/session/end', {}, { cookie: cookie(secret) })
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(ended.headers.get('set-cookie')).toContain('__Host-tailboard=; Max-Age=0')
    expect(ended.headers.get('clear-site-data')).toBe('"cache"')
    expect((await world.ask(session(secret), '/api/v1/account')).status).toBe(401)
  })
  it('ends when another one changes the password', async () => {
    const { owner } = world.people
    const [here, there] = [await world.signIn(owner), await world.signIn(owner)]
    const body = { current: owner.password, password: `${owner.password}!` }
    await world.json(z.null(), here, '/api/v1/account/password', { method: 'PUT', body })
    const statusOf = async (own: Credential) => (await world.ask(own, '/api/v1/account')).status
    expect([await statusOf(here), await statusOf(there), await statusOf(owner.session)]).toEqual([200, 401, 401])
    expect((await tryPassword(owner.email, owner.password)).status).toBe(401)
  })
})

it('an invitation to a lower role changes nothing, and stays open', async () => {
  const { admin } = world.people
  const asked = { method: 'POST', body: { email: null, role: 'viewer' } }
  const path = `/api/v1/projects/${world.places.own}/invitations`
  const { url } = await world.json(z.object({ url: z.string() }), admin.session, path, asked)
  const token = url.slice(-43)
  const page = await (await world.ask(admin.session, `/invitations/${token}`)).text()
  expect(page).toContain('You have this role already')
  const accepted = await form('/api/v1/invitations/accept', { token }, { cookie: cookie(secretOf(admin)) })
  expect([accepted.status, accepted.headers.get('location')]).toEqual([303, home()])
  expect((await world.ask(admin.session, path)).status).toBe(200)
  expect((await world.ask(anonymous, `/invitations/${token}`)).status).toBe(200)
})

it('a new password requires the current one', async () => {
  const { spare } = world.people
  const own = await world.signIn(spare)
  const statusOf = async (current: string) => {
    const body = { current, password: spare.password }
    return (await world.ask(own, '/api/v1/account/password', { method: 'PUT', body })).status
  }
  for (const current of ['', 'wrong', `${spare.password} `]) expect(await statusOf(current)).toBeGreaterThan(399)
  expect(await statusOf(spare.password)).toBe(204)
})

describe('pages and responses of accounts', () => {
  it('are not cached, or asked for again each time', async () => {
    const { admin } = world.people
    const paths = ['/sign-in', '/api/v1/account', '/api/v1/account/sessions', '/api/v1/account/tokens', home()]
    for (const path of paths) {
      const credential = path === '/sign-in' ? anonymous : admin.session
      const response = await world.ask(credential, path, { headers: { accept: 'text/html' } })
      expect(response.status, path).toBe(200)
      // What is kept of a project's page is good only when the server says so, to whoever is signed in then.
      const expected = path === home() ? 'private, no-cache' : 'no-store'
      expect(response.headers.get('cache-control'), path).toContain(expected)
    }
    const refused = await world.ask(anonymous, '/api/v1/account')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
  it('run only scripts with their own nonce', async () => {
    const nonces = new Set<string>()
    for (const credential of [anonymous, world.people.admin.session, anonymous]) {
      const path = credential === anonymous ? '/sign-in' : home()
      const response = await world.ask(credential, path, { headers: { accept: 'text/html' } })
      const policy = response.headers.get('content-security-policy') ?? ''
      const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      nonces.add(nonce)
      const html = await response.text()
      const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
      expect(scripts.length).toBeGreaterThan(3)
      expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
      for (const word of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(word)
      expect(policy).not.toMatch(/script-src[^;]*unsafe/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(nonces.size).toBe(3)
  })
})
