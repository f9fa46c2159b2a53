import { describe, expect, it } from 'vitest'
import { virtualHostOf, isBadgePath, isSharePath, refuseRequest, type Names } from '@/app/_server/http/request-guard'
import { readPath, type RequestPath } from '@/app/_server/http/request-path'
import { isLoopbackName, readSettings } from '@/app/_server/settings'

const unnamed: Names = { publicUrl: null, accountsUrl: null }
function pathOf(address: string): RequestPath {
  const path = readPath(address)?.path
  if (path === undefined) throw new Error(`${address} is no path`)
  return path
}
const plain = { method: 'GET', host: '127.0.0.1:3000', origin: undefined, secFetchSite: undefined, path: pathOf('/') }
const request = (over: Partial<Parameters<typeof refuseRequest>[0]> = {}, names = unnamed) =>
  refuseRequest({ ...plain, ...over }, names)

describe('refuseRequest', () => {
  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:3000', 'LOCALHOST', '127.9.9.9:1', '[::1]:3000'])(
    'serves Host %s',
    (host) => {
      expect(request({ host })).toBeNull()
    },
  )
  it.each([
    undefined,
    '',
    'example.com',
    '127.0.0.1.evil.example',
    'localhost.evil.example:3000',
    '10.0.0.1',
    '[::2]',
    'a@localhost',
    '0.0.0.0',
  ])('refuses Host %s', (host) => {
    expect(request({ host })).toMatch(/loopback/)
  })
  it('allows changes by curl', () => {
    expect(request({ method: 'PUT' })).toBeNull()
  })
  it('allows changes by its own pages', () => {
    expect(request({ method: 'POST', origin: 'http://127.0.0.1:3000', secFetchSite: 'same-origin' })).toBeNull()
  })
  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:3001' },
    { origin: 'http://127.0.0.1:3000.evil.example' },
    { secFetchSite: 'cross-site' },
    { secFetchSite: 'same-site' },
    { origin: 'http://127.0.0.1:3000', secFetchSite: 'cross-site' },
    ...['javascript:', 'https:', 'ws:', 'ftp:', 'file:', 'blob:http:'].map((scheme) => {
      return { origin: `${scheme}//127.0.0.1:3000` }
    }),
    { origin: 'http://user@127.0.0.1:3000' },
    { origin: 'http://user:word@127.0.0.1:3000' },
    { origin: 'http://127.0.0.1:3000/' },
    { origin: 'http://127.0.0.1:3000/p' },
    { origin: ' http://127.0.0.1:3000' },
    { origin: 'http://127.0.0.1' },
    { origin: 'http://127.0.0.1:03000' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://127.0.0.1:3000, http://127.0.0.1:3000' },
    { origin: '//127.0.0.1:3000' },
    { origin: '127.0.0.1:3000' },
    { origin: '' },
    { host: '127.0.0.1:99999', origin: 'http://127.0.0.1:99999' },
  ])('refuses a change from %o', (over) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(request({ method, ...over })).toMatch(/^Refused/)
  })
})

describe('the origin of a server with accounts', () => {
  const names = { publicUrl: 'https://bench.example.com', accountsUrl: 'https://perf.example.com' }
  const send = (origin: string) => request({ method: 'POST', host: 'perf.example.com', origin }, names)

  it('is its exact address, including the scheme', () => {
    expect(send('https://perf.example.com')).toBeNull()
    expect(request({ method: 'POST', host: 'PERF.example.com', origin: 'https://perf.example.com' }, names)).toBeNull()
  })
  it.each([
    'http://perf.example.com',
    'javascript://perf.example.com',
    'https://perf.example.com:8443',
    'https://perf.example.com:443',
    'https://a@perf.example.com',
    'https://bench.example.com',
    'null',
  ])('is not %s', (origin) => expect(send(origin)).toMatch(/^Refused/))
})

describe('the public host', () => {
  const names = { publicUrl: 'https://bench.example.com', accountsUrl: null }
  /** Null: it is served. */
  function open(address: string, method = 'GET') {
    const path = readPath(address)?.path
    return path === undefined ? 'no path' : request({ method, host: 'bench.example.com', path }, names)
  }
  const token = 'A'.repeat(43)

  it.each([
    `/s/${token}`,
    `/s/${token}/chart.svg?x=1`,
    '/s/:token',
    '/s/[token]',
    `/badge/${token}.svg`,
    '/_next/static/a/b.js',
  ])('serves %s', (url) => {
    expect(open(url)).toBeNull()
    expect(open(url, 'HEAD')).toBeNull()
    expect(open(url, 'POST')).not.toBeNull()
  })
  it.each([
    '/',
    '/s',
    '/badge',
    '/badges/x',
    '/badge/../api/v1/projects',
    '/p/a/runs',
    '/api/v1/projects',
    '/healthz',
    '/s/../api/v1/projects',
    '/s/%2e%2e/api/v1/projects',
    '/s/..%2fapi/v1/projects',
    '/s/%252e%252e/api',
    '/s//api/v1/projects',
    '//s/x',
    '/s\\..\\p',
    '/_next/image?url=/s/x',
    '/_next/static/../../p/a/runs',
    `http://127.0.0.1:3000/s/${token}`,
    'http://127.0.0.1:3000/p/a/runs',
  ])('does not serve %s', (url) => expect(open(url)).not.toBeNull())
  it('is only the public name, including the port', () => {
    expect(virtualHostOf('bench.example.com', names)).toBe('public')
    expect(virtualHostOf('BENCH.example.com', names)).toBe('public')
    for (const host of ['bench.example.com.evil.example', 'bench.example.com:8080', 'x.bench.example.com', 'a@b', '']) {
      expect(virtualHostOf(host, names), host).toBeNull()
    }
    expect(virtualHostOf('bench.example.com', unnamed)).toBeNull()
    expect(virtualHostOf('127.0.0.1:3000', names)).toBe('whole')
  })
  it('knows the addresses of shares', () => {
    expect(['/s/x', '/s', '/s?x'].map(pathOf).every(isSharePath)).toBe(true)
    expect(['/settings', '/', '/p/s/runs'].map(pathOf).some(isSharePath)).toBe(false)
    expect(['/badge/x.svg', '/badge'].map(pathOf).every(isBadgePath)).toBe(true)
    expect(['/badges', '/s/badge/x', '/p/badge/runs'].map(pathOf).some(isBadgePath)).toBe(false)
  })
})

describe('readSettings', () => {
  it('listens on this machine by default', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: null,
      maxUploadBytes: 2 * 1024 ** 3,
    })
  })
  it('limits tokens as configured', () => {
    const usual = { requestsPerMinute: 600, uploadsPerMinute: 60, uploadsPerHour: 1_000 }
    expect(readSettings({}).tokenLimits).toEqual(usual)
    expect(readSettings({ TAILBOARD_TOKEN_UPLOADS: '5' }).tokenLimits).toEqual({ ...usual, uploadsPerMinute: 5 })
    for (const text of ['0', '-1', '1.5', 'many', '1e9'])
      expect(() => readSettings({ TAILBOARD_TOKEN_REQUESTS: text }), text).toThrow(/whole number/)
  })
  const secret = { TAILBOARD_SECRET_KEY: 'x'.repeat(32) }
  const url = { TAILBOARD_URL: 'https://tailboard.example.com' }
  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.com'])(
    'requires accounts at HOST=%s, or does not start',
    (host) => {
      expect(() => readSettings({ HOST: host })).toThrow(/needs TAILBOARD_SECRET_KEY/)
      expect(() => readSettings({ HOST: host, TAILBOARD_SECRET_KEY: 'short' })).toThrow(/32 characters/)
      expect(() => readSettings({ HOST: host, ...secret })).toThrow(/needs TAILBOARD_URL/)
      expect(() => readSettings({ HOST: host, ...secret, TAILBOARD_URL: 'http://tailboard.example.com' })).toThrow(
        /must begin with https/,
      )
      expect(() => readSettings({ HOST: host, ...secret, ...url, TAILBOARD_AUTH: 'off' })).toThrow(/this machine only/)
      expect(readSettings({ HOST: host, ...secret, ...url })).toMatchObject({ hasAccounts: true })
    },
  )
  it('has no accounts on loopback unless they are enabled', () => {
    expect(readSettings({}).hasAccounts).toBe(false)
    expect(readSettings({ TAILBOARD_AUTH: 'on', ...secret }).hasAccounts).toBe(true)
    expect(() => readSettings({ TAILBOARD_AUTH: 'on' })).toThrow(/needs TAILBOARD_SECRET_KEY/)
    expect(() => readSettings({ TAILBOARD_AUTH: 'yes' })).toThrow(/neither on nor off/)
  })
  it('requires all settings of a single sign-on provider, or none', () => {
    const issuer = { TAILBOARD_OIDC_ISSUER: 'https://id.example.com' }
    const client = { TAILBOARD_OIDC_CLIENT_ID: 'a', TAILBOARD_OIDC_CLIENT_SECRET: 'b' }
    expect(readSettings({}).oidc).toBeNull()
    expect(readSettings({ ...issuer, ...client }).oidc).toMatchObject({ clientId: 'a', name: 'single sign-on' })
    expect(() => readSettings(issuer)).toThrow(/CLIENT_ID/)
    expect(() => readSettings({ TAILBOARD_OIDC_ISSUER: 'http://id.example.com', ...client })).toThrow(/https/)
  })
  it.each([
    { PORT: 'x' },
    { PORT: '70000' },
    { DATABASE_URL: 'mysql://x' },
    { TAILBOARD_MAX_UPLOAD: 'lots' },
    { TAILBOARD_PUBLIC_URL: 'bench' },
    { TAILBOARD_PUBLIC_URL: 'https://x.example/y' },
    { TAILBOARD_PUBLIC_URL: 'http://localhost:1' },
  ])('refuses %o', (env) => {
    expect(() => readSettings(env)).toThrow()
  })
  it('parses sizes', () => {
    expect(readSettings({ TAILBOARD_MAX_UPLOAD: '500MB' }).maxUploadBytes).toBe(500 * 1024 ** 2)
  })
  it('recognises loopback names', () => {
    expect(isLoopbackName('127.0.0.1')).toBe(true)
    expect(isLoopbackName('128.0.0.1')).toBe(false)
  })
})
