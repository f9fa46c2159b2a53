import { createHash } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cookieOf, newSlug, anonymous, World } from './world'

const appUrl = 'https://tailboard.example'
const callback = `${appUrl}/api/v1/session/oidc/callback`

interface RunningProvider {
  readonly issuer: string
  readonly process: ChildProcess
}

async function startProvider(port = '0'): Promise<RunningProvider> {
  const args = ['--import', 'tsx', 'tests/server/openid-provider.ts', callback, port]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const issuer = /^Issuer: (\S+)$/.exec(line)?.[1]
    if (issuer !== undefined) return { issuer, process: child }
  }
  throw new Error('The provider did not start.')
}

async function stop({ process: child }: RunningProvider): Promise<void> {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

let provider: RunningProvider
let world: World
beforeAll(async () => {
  provider = await startProvider()
  world = await World.start({
    TAILBOARD_OIDC_ISSUER: provider.issuer,
    TAILBOARD_OIDC_CLIENT_ID: 'tailboard',
    TAILBOARD_OIDC_CLIENT_SECRET: 'a secret of the client',
    TAILBOARD_OIDC_NAME: 'Example ID',
  })
})
afterAll(async () => {
  await world.end()
  await stop(provider)
})

/** The cookies a browser has from each of the two, which it sends back. */
class Browser {
  readonly #cookies = new Map<string, string>()

  /** `address`: the client address according to the proxy. */
  constructor(readonly address = '192.0.2.1') {}

  async open(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address)
    // What a proxy adds.
    const sent = url.origin === appUrl ? world.app.url + url.pathname + url.search : url.href
    const own = [...this.#cookies].filter(([key]) => key.startsWith(`${url.origin} `))
    const cookie = own.map(([key, value]) => `${key.slice(url.origin.length + 1)}=${value}`).join('; ')
    const headers = { accept: 'text/html', 'x-forwarded-for': this.address, ...(cookie === '' ? {} : { cookie }) }
    const response = await fetch(sent, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(`${url.origin} ${name}`)
      else this.#cookies.set(`${url.origin} ${name}`, value)
    }
    return response
  }

  /** Starts at this server; returns the provider's address that it redirects to. */
  async begin(query = ''): Promise<URL> {
    const response = await this.open(`${appUrl}/api/v1/session/oidc${query}`)
    expect(response.status).toBe(303)
    return new URL(response.headers.get('location') ?? '')
  }

  /** Signs in at the provider and agrees there; returns where that redirects to, not opened yet. */
  async authorize(at: URL, email: string): Promise<URL> {
    let [url, init]: [URL, RequestInit] = [at, {}]
    for (let steps = 0; steps < 12; steps += 1) {
      const response = await this.open(url, init)
      const location = response.headers.get('location')
      if (location !== null) {
        ;[url, init] = [new URL(location, url), {}]
        if (url.origin === appUrl) return url
        continue
      }
      const html = await response.text()
      const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1]
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`${response.status} ${html.slice(0, 300)}`)
      url = new URL(action, url)
      init = { method: 'POST', body: new URLSearchParams({ prompt, login: email, password: 'any' }) }
    }
    throw new Error('The provider leads nowhere.')
  }

  /** The whole flow. `change`: modifies the provider's address before it is requested. */
  async signIn(email: string, query = '', change: (url: URL) => void = () => undefined): Promise<Response> {
    const url = await this.begin(query)
    change(url)
    return this.open(await this.authorize(url, email))
  }
}

const auditSchema = z.object({
  entries: z.array(z.object({ action: z.string(), subject: z.record(z.string(), z.string()), address: z.string() })),
})

let browser: Browser
beforeEach(() => {
  browser = new Browser()
})

/** The sign-in page's message after a refusal, when no session started. */
async function refusalOf(response: Response): Promise<string> {
  expect(response.status).toBe(303)
  expect(response.headers.get('set-cookie') ?? '').not.toContain('__Host-tailboard=')
  const location = new URL(response.headers.get('location') ?? '', appUrl)
  expect([location.origin, location.pathname]).toEqual([appUrl, '/sign-in'])
  const html = await (await new Browser().open(location)).text()
  return /role="alert"[^>]*>([^<]+)</.exec(html)?.[1] ?? ''
}

const linked =
  'Your account here is linked with another identity of that provider. Ask an owner of this server to unlink it, then sign in again.'
const unknown = 'That identity has no account here. Ask for an invitation.'
const failed = 'The sign-in there did not succeed. Try again.'
const away = 'The provider does not respond at the moment. Try again later.'

describe('signing in with OpenID Connect', () => {
  it('sends the provider PKCE, state and nonce, new each time', async () => {
    const html = await (await browser.open(`${appUrl}/sign-in?next=/learn`)).text()
    expect(html).toContain('Continue with <!-- -->Example ID')
    const [one, other] = [await browser.begin(), await browser.begin()]
    expect(one.origin).toBe(provider.issuer)
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: callback,
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name))
    }
  })
  it('starts the session of the account with that verified e-mail address, and recognises it from then on', async () => {
    const { email, name } = world.people.editor
    const runs = `/p/${world.places.own}/runs`
    for (const own of [browser, new Browser()]) {
      const response = await own.signIn(email, `?next=${runs}`)
      expect([response.status, response.headers.get('location')]).toEqual([303, runs])
      const session = { kind: 'session', secret: cookieOf(response) } as const
      expect(await (await world.ask(session, '/api/v1/account')).json()).toMatchObject({ email, name })
    }
  })
  it('links one subject with an account, and no other until an owner unlinks it', async () => {
    const { email, session: own } = await world.newcomer()
    const owner = await world.signIn(world.people.owner)
    const known = await browser.signIn(email)
    expect([known.status, known.headers.get('location')]).toEqual([303, '/'])
    // The mailbox now belongs to someone else, or the provider has the person twice.
    const second = new Browser('198.51.100.9')
    expect(await refusalOf(await second.signIn(`second:${email}`))).toBe(linked)
    const log = async () => (await world.json(auditSchema, owner, '/api/v1/audit')).entries
    expect((await log()).find(({ address }) => address === second.address)).toMatchObject({
      action: 'session.refuse',
      subject: { reason: 'the account is linked with another identity', email },
    })
    const { id } = await world.json(z.object({ id: z.string() }), own, '/api/v1/account')
    const people = await (await world.ask(owner, '/people')).text()
    expect(people).toContain('Unlink single sign-on: ')
    await world.json(z.null(), owner, `/api/v1/accounts/${id}/oidc`, { method: 'DELETE' })
    expect((await log())[0]).toMatchObject({ action: 'account.unlink', subject: { account: id } })
    expect((await world.ask(own, '/api/v1/account')).status).toBe(401)
    const again = { kind: 'session', secret: cookieOf(await second.signIn(`second:${email}`)) } as const
    expect(await (await world.ask(again, '/api/v1/account')).json()).toMatchObject({ id, email, hasOidc: true })
    expect((await log()).filter(({ action }) => action === 'account.link').length).toBeGreaterThanOrEqual(2)
    expect(await refusalOf(await new Browser().signIn(email))).toBe(linked)
  })
  it('creates the account of an invited person', async () => {
    const email = `${newSlug()}@example.com`
    const response = await browser.signIn(email, `?invitation=${await world.invitation()}`)
    const session = { kind: 'session', secret: cookieOf(response) } as const
    expect(await (await world.ask(session, '/api/v1/account')).json()).toMatchObject({ email, isOwner: false })
  })
  it('refuses a person without an account', async () => {
    expect(await refusalOf(await browser.signIn('stranger@example.com'))).toBe(unknown)
  })
  it('refuses an e-mail address that the provider has not verified', async () => {
    const email = `${newSlug()}@unverified.example`
    const body = { token: await world.invitation(), email, name: 'N', password: 'long enough 1' }
    expect((await world.ask(anonymous, '/api/v1/invitations/accept', { method: 'POST', body })).status).toBe(200)
    expect(await refusalOf(await browser.signIn(email))).toBe(unknown)
  })
})

describe('a sign-in with OpenID Connect is refused', () => {
  const known = () => world.people.viewer.email
  it('with another state, nonce or code challenge', async () => {
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const response = await new Browser().signIn(known(), '', (url) => url.searchParams.set(name, 'A'.repeat(43)))
      expect(await refusalOf(response), name).toBe(failed)
    }
  })
  it('with a used code, and in another browser', async () => {
    const back = await browser.authorize(await browser.begin(), known())
    const elsewhere = new Browser()
    expect(await refusalOf(await elsewhere.open(back))).toBe(failed)
    await elsewhere.begin()
    expect(await refusalOf(await elsewhere.open(back))).toBe(failed)
    const begun = await browser.begin()
    expect(begun.searchParams.get('state')).not.toBe(back.searchParams.get('state'))
    expect(await refusalOf(await browser.open(back))).toBe(failed)
    const again = await browser.authorize(await browser.begin(), known())
    const copy = (await browser.open(again)).status
    expect(copy).toBe(303)
    expect(await refusalOf(await browser.open(again))).toBe(failed)
  })
  it('with a token signed by another key', async () => {
    await fetch(`${provider.issuer}/other-keys`)
    try {
      expect(await refusalOf(await browser.signIn(world.people.viewer.email))).toBe(failed)
    } finally {
      await fetch(`${provider.issuer}/own-keys`)
    }
    const ok = await new Browser().signIn(world.people.viewer.email)
    expect(ok.headers.get('set-cookie')).toContain('__Host-tailboard=')
  })
  it('with a cookie that this server has not sealed', async () => {
    const state = 'S'.repeat(43)
    const verifier = 'V'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const back = await browser.authorize(
      await browser.begin().then((url) => {
        for (const [name, value] of Object.entries({ state, nonce: state, code_challenge: challenge }))
          url.searchParams.set(name, value)
        return url
      }),
      known(),
    )
    const begun = { state, nonce: state, verifier, next: 'https://evil.example', invitation: null, untilMs: 1e15 }
    const cookie = `__Host-tailboard-oidc=${encodeURIComponent(JSON.stringify(begun))}`
    const sent = world.app.url + back.pathname + back.search
    expect(await refusalOf(await fetch(sent, { redirect: 'manual', headers: { cookie } }))).toBe(failed)
  })
  it('with a cookie from elsewhere, or an invalid response', async () => {
    const cookie = `__Host-tailboard-oidc=${encodeURIComponent('v1.AAAA.AAAA')}`
    for (const query of ['', '?code=a&state=b', '?error=access_denied', '?code=%00'])
      for (const headers of [{ cookie }, {}]) {
        const response = await fetch(`${world.app.url}/api/v1/session/oidc/callback${query}`, {
          redirect: 'manual',
          headers,
        })
        expect(await refusalOf(response), query).toBe(failed)
      }
  })
  it('and is in the audit log with the reason, without anything that was sent', async () => {
    const address = '198.51.100.7'
    const owner = await world.signIn(world.people.owner)
    const opened: URL[] = []
    const open = async (own: Browser, back: URL) => {
      opened.push(back)
      return refusalOf(await own.open(back))
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const own = new Browser(address)
      const url = await own.begin()
      url.searchParams.set(name, 'A'.repeat(43))
      await open(own, await own.authorize(url, known()))
    }
    const elsewhere = await browser.authorize(await browser.begin(), known())
    await open(new Browser(address), elsewhere)
    await fetch(`${provider.issuer}/other-keys`)
    const forged = new Browser(address)
    await open(forged, await forged.authorize(await forged.begin(), known()))
    await fetch(`${provider.issuer}/own-keys`)
    const email = `${newSlug()}@unverified.example`
    for (const who of [email, 'stranger@odd.example', 'stranger@example.com']) {
      const own = new Browser(address)
      await open(own, await own.authorize(await own.begin(`?invitation=${'i'.repeat(43)}`), who))
    }
    const leaver = await world.newcomer()
    const own = `/api/v1/accounts/${await world.accountOf(leaver)}`
    await world.json(z.unknown(), owner, own, { method: 'PATCH', body: { isDisabled: true } })
    const disabled = new Browser(address)
    await open(disabled, await disabled.authorize(await disabled.begin(), leaver.email))
    const denied = new Browser(address)
    const state = (await denied.begin()).searchParams.get('state') ?? ''
    await open(
      denied,
      new URL(`${callback}?${new URLSearchParams({ error: 'access_denied<b>', state, iss: provider.issuer })}`),
    )

    const { entries } = await world.json(auditSchema, owner, '/api/v1/audit')
    const refused = entries.filter((entry) => entry.action === 'session.refuse' && entry.address === address)
    expect(refused.map(({ subject }) => subject).reverse()).toEqual([
      { reason: 'wrong state' },
      { reason: 'wrong nonce' },
      { reason: 'the provider rejected the code' },
      { reason: 'the sign-in was not started in this browser' },
      { reason: 'wrong signature' },
      { reason: 'the provider has not verified the e-mail address', email },
      { reason: 'the provider has not verified the e-mail address', email: 'stranger@odd.example' },
      { reason: 'no account, and the invitation is no longer valid', email: 'stranger@example.com' },
      { reason: 'no account and no invitation', email: leaver.email },
      { reason: 'refused by the provider' },
    ])
    const logged = JSON.stringify(refused)
    for (const secret of opened.flatMap(({ searchParams }) => [...searchParams.values()]))
      if (!secret.startsWith('http')) expect(logged).not.toContain(secret)
    const html = await (await world.ask(owner, '/people/audit')).text()
    expect(html).toContain('stranger@example.com, no account, and the invitation is no longer valid')
  })
  it('and an outsider cannot fill the audit log with it', { timeout: 60_000 }, async () => {
    const owner = await world.signIn(world.people.owner)
    const flood = new Browser('198.51.100.8')
    for (let sent = 0; sent < 60; sent += 1)
      expect((await flood.open(`${callback}?code=a&state=b`)).status, String(sent)).toBe(303)
    const { entries } = await world.json(auditSchema, owner, '/api/v1/audit')
    expect(entries.filter(({ address }) => address === flood.address)).toHaveLength(32)
  })
  it('by the provider, if the return address is modified', async () => {
    const url = await browser.begin()
    url.searchParams.set('redirect_uri', 'https://evil.example/api/v1/session/oidc/callback')
    const response = await browser.open(url)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })
  it('never redirects outside this server', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
      const response = await new Browser().signIn(known(), `?${new URLSearchParams({ next })}`)
      expect(response.headers.get('location'), next).toBe('/')
    }
  })
})

it('says that the provider does not respond, and works again when it does', async () => {
  const back = await browser.authorize(await browser.begin(), world.people.viewer.email)
  await stop(provider)
  expect(await refusalOf(await browser.open(back))).toBe(away)
  const begun = await browser.open(`${appUrl}/api/v1/session/oidc?next=/learn`)
  expect(begun.headers.get('location')).toBe('/sign-in?error=away&next=%2Flearn')
  expect(await refusalOf(begun)).toBe(away)
  provider = await startProvider(new URL(provider.issuer).port)
  expect((await new Browser().signIn(world.people.viewer.email)).headers.get('location')).toBe('/')
  expect(await world.app.output()).not.toContain('"level":"error"')
})
