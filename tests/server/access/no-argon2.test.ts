import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { unverifiedPassword } from '@/lib/account/account'
import { makeDataFolder } from '../../shared-databases'
import { acceptOwner, accountsEnv } from '../../shared-servers'
import { startApp, type RunningApp } from '../app'

/** Loading the binary from here fails as it does on a machine that has none. */
const noArgon2 = { NAPI_RS_NATIVE_LIBRARY_PATH: '/no/argon2.node' }

const first = { email: 'first@example.com', password: 'the first has a long password' }
const second = { email: 'second@example.com', password: 'the second has one of scrypt' }
let dataFolder = ''
let session = ''
let env: Readonly<Record<string, string>> = {}
let app: RunningApp

/** Requests as of browsers, each from an address of its own. */
let client = 1
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(app.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...{ accept: 'application/json', origin: app.url },
      ...{ 'x-forwarded-for': `10.1.0.${(client += 1)}`, ...headers },
    },
    body: body instanceof URLSearchParams ? body : JSON.stringify(body),
  })

/** Status and sentence of a sign-in. */
async function signIn(credentials: typeof first): Promise<unknown> {
  const response = await post('/api/v1/session', credentials)
  const text = await response.text()
  const detail = text === '' ? null : z.object({ detail: z.string() }).parse(JSON.parse(text)).detail
  return [response.status, detail]
}

beforeAll(async () => {
  dataFolder = await makeDataFolder()
  env = { ...accountsEnv(), ...noArgon2, TAILBOARD_OWNER_LINK: '1' }
  const { NAPI_RS_NATIVE_LIBRARY_PATH: _, ...withArgon2 } = env
  const before = await startApp({ dataFolder, env: withArgon2 })
  session = await acceptOwner(before.url, before.output()).finally(() => before.stop())
  app = await startApp({ dataFolder, env })
})
afterAll(async () => {
  await app.stop()
  await rm(dataFolder, { recursive: true })
})

it('a password of argon2 is refused with what is missing, not with an error of the server', async () => {
  expect(await signIn(first)).toEqual([401, unverifiedPassword])
  expect(app.output()).toMatch(
    /^Account \w+ could not sign in\. Its password was stored with argon2, .*Install it and restart/m,
  )
  expect(app.output()).not.toContain('"level":"error"')
})

it('an unknown address is refused with the same words', async () => {
  expect(await signIn({ ...first, email: 'nobody@example.com' })).toEqual([401, unverifiedPassword])
})

it('the page says so, too', async () => {
  const refused = await post('/api/v1/session', new URLSearchParams(first))
  const place = refused.headers.get('location') ?? ''
  expect([refused.status, place]).toEqual([303, '/sign-in?error=unverified&next=%2F'])
  expect(await (await fetch(app.url + place)).text()).toContain('install @node-rs/argon2')
})

it('it cannot be changed either, which the form says at its field', async () => {
  const changed = await fetch(`${app.url}/api/v1/account/password`, {
    method: 'PUT',
    headers: { origin: app.url, cookie: `__Host-tailboard=${session}`, accept: 'application/json' },
    body: JSON.stringify({ current: first.password, password: 'another one that is long' }),
  })
  expect([changed.status, await changed.json()]).toEqual([
    400,
    expect.objectContaining({ field: 'current', detail: expect.stringContaining('stored with argon2') as string }),
  ])
})

it('another owner joins by the link of the start, with scrypt', async () => {
  const token = /\/invitations\/([\w-]{43})/.exec(app.output())?.[1]
  expect((await post('/api/v1/invitations/accept', { token, name: 'Second', ...second })).status).toBe(200)
  expect(await signIn(second)).toEqual([204, null])
  expect(await signIn({ ...second, password: 'not the password' })).toEqual([401, unverifiedPassword])
})

it('its owner gets another password from whoever controls the data, which ends their sessions', async () => {
  const account = () =>
    fetch(`${app.url}/api/v1/account`, {
      headers: { cookie: `__Host-tailboard=${session}`, accept: 'application/json' },
    })
  expect((await account()).status).toBe(200)
  const reset = async (email: string) => {
    const { DATABASE_URL: _, ...outer } = process.env
    const args = ['scripts/run-built.js', 'password', email]
    const given = { ...outer, ...env, TAILBOARD_DATA: dataFolder }
    return (await promisify(execFile)(process.execPath, args, { env: given })).stdout.trim()
  }
  await expect(reset(first.email)).rejects.toMatchObject({ code: 78 }) // a server has it open
  await app.stop()
  await expect(reset('nobody@example.com')).rejects.toMatchObject({ code: 1 })
  const password = await reset('First@Example.com ')
  app = await startApp({ dataFolder, env })
  expect(await signIn({ ...first, password })).toEqual([204, null])
  expect((await account()).status).toBe(401)
})
