import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from './app'

const withAccounts = { TAILBOARD_AUTH: 'on', TAILBOARD_SECRET_KEY: 'a secret of this test, 32 or more' }

let app: RunningApp
beforeAll(async () => {
  app = await startApp({ dataFolder: await makeDataFolder(), env: { ...withAccounts, TAILBOARD_LOG: 'json' } })
})
// The last test has stopped it.
afterAll(() => app.kill())

type Line = Readonly<Record<string, unknown>>
const lines = () =>
  app
    .output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** The line of a request, written when its response is sent. */
async function lineOf(requestId: string): Promise<Line> {
  const find = () => lines().filter((line) => line['msg'] === 'request' && line['requestId'] === requestId)
  await expect.poll(() => find().length, { timeout: 5_000 }).toBe(1)
  return find()[0] ?? {}
}

/** The owner, through the link of the first start: the session cookie, and the account's id. */
async function signUp(password: string) {
  const token = /\/invitations\/([\w-]+)/.exec(app.output())?.[1] ?? ''
  const response = await fetch(`${app.url}/api/v1/invitations/accept`, {
    method: 'POST',
    body: JSON.stringify({ token, email: 'owner@example.com', name: 'Owner', password }),
  })
  expect(response.status).toBe(200)
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const account = (await (await fetch(`${app.url}/api/v1/account`, { headers: { cookie } })).json()) as { id: string }
  return { cookie, token, id: account.id }
}

describe('the log as JSON', () => {
  it('has a line for each request, with id, route and account, and no secret', async () => {
    const password = 'a very good password 17'
    const { cookie, token: invitation, id } = await signUp(password)
    const api = `${app.url}/api/v1`
    const own = { cookie, origin: app.url }
    const send = (method: string, address: string, body: unknown) =>
      fetch(`${api}${address}`, { method, headers: own, body: JSON.stringify(body) })
    expect((await send('POST', '/projects', { name: 'Logged', slug: 'logged' })).status).toBe(201)
    const made = (await (
      await send('POST', '/account/tokens', { name: 'CI', scope: 'admin', project: 'logged', days: 1 })
    ).json()) as { id: string; token: string }
    const authorization = `Bearer ${made.token}`
    const csv = `response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n${'0.01,0,0,0,0.01,0,200,0.1\n'.repeat(50)}`
    const uploaded = await fetch(`${api}/projects/logged/uploads/a.csv?label=note=hunter2hunter2`, {
      method: 'PUT',
      headers: { authorization, accept: 'application/json', 'x-request-id': 'upload-1' },
      body: csv,
    })
    expect(uploaded.status).toBe(201)
    const { runs } = (await uploaded.json()) as { runs: readonly { id: string }[] }
    const share = (await (
      await send('POST', '/projects/logged/shares', { name: 'S', kind: 'run', sides: [[runs[0]?.id]] })
    ).json()) as { url: string }
    const shareToken = share.url.split('/').at(-1) ?? ''
    expect(shareToken).toMatch(/^[\w-]{43}$/)
    const asked = (address: string, requestId: string, headers: Record<string, string> = {}) =>
      fetch(`${app.url}${address}`, { headers: { 'x-request-id': requestId, ...headers } })
    expect((await asked(`/s/${shareToken}?theme=dark`, 'share-1')).status).toBe(200)
    expect(
      (
        await asked(
          `/s/${encodeURI(shareToken).replace(/./, (one) => `%${one.charCodeAt(0).toString(16)}`)}`,
          'share-2',
        )
      ).status,
    ).toBeLessThan(500)
    expect((await asked(`/x/${shareToken}/${made.token}`, 'other-1')).status).toBe(404)
    expect((await asked(`/invitations/${invitation}`, 'invitation-1')).status).toBe(404)
    expect((await asked('/api/v1/projects', 'page-1', own)).status).toBe(200)
    const wrong = JSON.stringify({ email: 'owner@example.com', password: 'wrong but as secret 18' })
    expect((await fetch(`${api}/session`, { method: 'POST', body: wrong })).status).toBe(401)

    expect(await lineOf('upload-1')).toMatchObject({
      level: 'info',
      method: 'PUT',
      route: '/api/v1/projects/[project]/uploads/[upload]',
      path: '/api/v1/projects/logged/uploads/a.csv',
      status: 201,
      account: id,
      token: made.id,
      client: '127.0.0.1',
    })
    const page = await lineOf('page-1')
    expect(page).toMatchObject({ account: id, status: 200 })
    expect(page).not.toHaveProperty('token')
    expect(page['ms']).toBeGreaterThan(0)
    expect(page['bytes']).toBeGreaterThan(100)
    expect(await lineOf('share-1')).toMatchObject({ route: '/s/[token]', path: '/s/[hidden]' })
    expect(await lineOf('share-1')).not.toHaveProperty('account')
    expect(await lineOf('other-1')).toMatchObject({ route: 'other', path: '/x/[hidden]/[hidden]' })
    expect(await lineOf('invitation-1')).toMatchObject({ path: '/invitations/[hidden]' })
    await lineOf('share-2')

    // The link of the first start appears once, for the operator.
    const output = app.output()
    expect(output.split(invitation).length - 1).toBe(1)
    const secrets = [password, 'wrong but as secret 18', cookie.split('=')[1] ?? '', made.token, shareToken]
    for (const secret of [...secrets, shareToken.slice(1), 'hunter2hunter2', 'theme=dark', 'owner@example.com']) {
      expect(secret.length).toBeGreaterThan(8)
      expect(output).not.toContain(secret)
    }
  })

  it('repeats the id of a request in its response, and accepts one from the client', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${app.url}/api/v1/projects`, { headers })
    const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''
    const given = await ask({ 'x-request-id': 'Build_7.retry-2' })
    expect(idOf(given)).toBe('Build_7.retry-2')
    expect(await given.json()).toMatchObject({ code: 'unauthenticated', requestId: 'Build_7.retry-2' })
    const made = await ask({})
    expect(idOf(made)).toMatch(/^[0-9a-f-]{36}$/)
    expect(await made.json()).toMatchObject({ requestId: idOf(made) })
    for (const bad of ['x'.repeat(65), 'a b', 'a"b', '{}', 'a/b']) {
      const answer = idOf(await ask({ 'x-request-id': bad }))
      expect(answer).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('is lines of JSON from start to stop', async () => {
    expect((await fetch(`${app.url}/p/\u001b]0;x\n{"level":50}`)).status).toBeGreaterThan(0)
    expect(await app.stop()).toBe(0)
    const parsed = lines()
    const messages = parsed.map((line) => line['msg'])
    expect(messages).toContainEqual(expect.stringContaining(`Tailboard is at ${app.url}`))
    expect(messages).toContain('SIGTERM: finishing open requests …')
    for (const line of parsed)
      expect(Object.keys(line)).toEqual(expect.arrayContaining(['level', 'time', 'pid', 'msg']))
  })
})
