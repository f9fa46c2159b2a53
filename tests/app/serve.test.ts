import { request, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeServer, makeServer } from '@/app/_server/http/serve'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Of each client; the real counter is in the database. */
const missesOf = new Map<string, number>()

/** Next, as the server sees it: says what it was handed, and finds nothing under `/s/unknown`. */
const server = makeServer({
  names: { publicUrl: 'https://perf.example', accountsUrl: null },
  isProxied: false,
  staticFolder: null,
  dev: false,
  misses: {
    wait: async (client) => ((missesOf.get(client) ?? 0) < 60 ? null : 7),
    note: async (client) => void missesOf.set(client, (missesOf.get(client) ?? 0) + 1),
  },
  anonymous: null,
  watch: () => undefined,
  handle: async (incoming, response) => {
    if (incoming.url?.endsWith('?allowed')) response.setHeader('content-security-policy', 'frame-ancestors *')
    response.writeHead(incoming.url?.startsWith('/s/unknown') ? 404 : 200)
    response.end(
      JSON.stringify({
        url: incoming.url,
        share: incoming.headers['x-tailboard-share'],
        nonce: incoming.headers['x-nonce'],
      }),
    )
  },
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) port = address.port
})
afterAll(() => closeServer(server))

/** With headers that fetch does not let one set, on a connection of its own. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
      .on('error', reject)
      .end()
  })
}

describe('the HTTP server', () => {
  it('is asked by https alone from then on, in every response, where it is reached so', async () => {
    for (const path of ['/', '/s/unknown', '/api/v1/projects', '/_next/static/none.js']) {
      const { headers } = await ask(path)
      expect(headers['strict-transport-security'], path).toBe('max-age=31536000')
    }
  })
  it('lets no page of another origin read a response', async () => {
    for (const path of ['/', '/api/v1/projects', '/badge/x.svg']) {
      const { headers } = await ask(path, { origin: 'https://evil.example' })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
  it('refuses methods that no route has', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PURGE']) {
      const { status, headers } = await ask('/api/v1/projects', {}, method)
      expect({ method, status }).toEqual({ method, status: 405 })
      expect(headers['allow']).toMatch(/^GET, HEAD, POST/)
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await ask('/api/v1/projects', {}, method)).status).toBe(200)
  })

  it('hands on what this machine asks for, with a nonce of its own for each page', async () => {
    const [first, second] = [await ask('/p/x'), await ask('/p/x')]
    expect(first.status).toBe(200)
    const { nonce } = JSON.parse(first.text) as { nonce: string }
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    expect(first.headers['x-content-type-options']).toBe('nosniff')
    expect(second.text).not.toContain(nonce)
  })

  it('leaves frames of a share to its route alone, and forbids all others', async () => {
    const token = 'A'.repeat(43)
    for (const path of ['/', '/p/x', `/s/${token}`, `/s/${token}/preview.png`, `/s/${token}/x/embed`, '/s/oembed']) {
      expect((await ask(path)).headers['x-frame-options'], path).toBe('DENY')
    }
    for (const path of [`/s/${token}/embed`, `/s/${token}/embed?theme=dark`]) {
      const { headers } = await ask(path)
      expect(headers['x-frame-options'], path).toBe('DENY')
      expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'")
    }
    const { headers } = await ask(`/s/${token}/embed?allowed`)
    expect(headers['x-frame-options']).toBeUndefined()
    expect(headers['cross-origin-resource-policy']).toBeUndefined()
    expect(headers['content-security-policy']).toBe('frame-ancestors *')
  })

  it('takes the slash off an address of the API, which Next would redirect', async () => {
    const urlOf = async (path: string) => (JSON.parse((await ask(path, {}, 'PUT')).text) as { url: string }).url
    expect(await urlOf('/api/v1/projects/x/uploads/?label=a/')).toBe('/api/v1/projects/x/uploads?label=a/')
    expect(await urlOf('/api/v1/projects/x/uploads/')).toBe('/api/v1/projects/x/uploads')
    expect(await urlOf('/api/v1/projects/x/uploads/out.txt')).toBe('/api/v1/projects/x/uploads/out.txt')
    expect(await urlOf('/p/x/')).toBe('/p/x/')
  })

  it('refuses foreign hosts with a reason, and strangers at the public door without one', async () => {
    expect(await ask('/', { host: 'evil.example' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('loopback') as string,
    })
    expect(await ask('/p/x', { host: 'perf.example' })).toMatchObject({ status: 404, text: 'Not found.\n' })
    expect(await ask('/p/x', { origin: 'http://evil.example' }, 'POST')).toMatchObject({ status: 403 })
    expect(await ask('/%E0%A4%A')).toMatchObject({ status: 400, text: 'The address is not valid.\n' })
    expect((await ask('/s/abc', { host: 'perf.example' })).status).toBe(200)
  })

  it('says itself whether a page is shared, whatever the client says', async () => {
    expect((await ask('/p/x', { 'x-tailboard-share': '1' })).text).not.toContain('share')
    const share = await ask('/s/abc', { 'x-tailboard-share': '0' })
    expect(share.text).toContain('"share":"1"')
    expect(share.headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
    expect((await ask('/badge/abc')).headers['cross-origin-resource-policy']).toBe('cross-origin')
  })

  it('stops a client that guesses links, and no other', async () => {
    const from = (address: string) => ({ host: 'perf.example', 'x-forwarded-for': `10.9.9.9, ${address}` })
    for (let at = 0; at < 60; at += 1) await ask(`/s/unknown-${at}`, from('10.0.0.1'))
    const stopped = await ask('/s/abc', from('10.0.0.1'))
    expect(stopped).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
    expect((await ask('/s/abc', from('10.0.0.2'))).status).toBe(200)
  })
})
