import { describe, expect, it } from 'vitest'
import { isReadablePath, refuseRequest } from '@/app/_server/request-guard'
import { isLoopbackName, readSettings } from '@/app/_server/settings'

const request = (over: Partial<Parameters<typeof refuseRequest>[0]> = {}) =>
  refuseRequest({ method: 'GET', host: '127.0.0.1:3000', origin: undefined, secFetchSite: undefined, ...over })

describe('refuseRequest', () => {
  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:3000', 'LOCALHOST', '127.9.9.9:1', '[::1]:3000'])(
    'answers Host %s',
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
  it('lets curl change things', () => {
    expect(request({ method: 'PUT' })).toBeNull()
  })
  it('lets its own pages change things', () => {
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
  ])('refuses a change from %o', (over) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(request({ method, ...over })).toMatch(/refused/)
  })
})

describe('isReadablePath', () => {
  it.each(['/', '/p/a%20b/runs?x=%', '/p/%E2%82%AC'])('reads %s', (url) => expect(isReadablePath(url)).toBe(true))
  it.each(['/%c0%af', '/%E0%A4%A/runs', '/%'])('refuses %s', (url) => expect(isReadablePath(url)).toBe(false))
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
  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.com'])('refuses HOST=%s with a sentence', (host) => {
    expect(() => readSettings({ HOST: host })).toThrow(/listens on this machine only/)
  })
  it.each([{ PORT: 'x' }, { PORT: '70000' }, { DATABASE_URL: 'mysql://x' }, { TAILBOARD_MAX_UPLOAD: 'lots' }])(
    'refuses %o',
    (env) => {
      expect(() => readSettings(env)).toThrow()
    },
  )
  it('reads sizes', () => {
    expect(readSettings({ TAILBOARD_MAX_UPLOAD: '500MB' }).maxUploadBytes).toBe(500 * 1024 ** 2)
  })
  it('knows loopback names', () => {
    expect(isLoopbackName('127.0.0.1')).toBe(true)
    expect(isLoopbackName('128.0.0.1')).toBe(false)
  })
})
