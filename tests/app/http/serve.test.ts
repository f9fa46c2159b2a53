import { once } from 'node:events'
import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeServer, makeServer, type ServerOptions } from '@/app/_server/http/serve'
import { timeLimits, type TimeLimits } from '@/app/_server/http/time-limits'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Per client; the real counter is in the database. */
const missesOf = new Map<string, number>()

/** Next, as the server sees it: echoes its request, and finds nothing under `/s/unknown`. */
const options: ServerOptions = {
  names: { publicUrl: 'https://perf.example', accountsUrl: null },
  isProxied: false,
  staticFolder: null,
  dev: false,
  misses: {
    wait: async (client) => ((missesOf.get(client) ?? 0) < 60 ? null : 7),
    note: async (client) => void missesOf.set(client, (missesOf.get(client) ?? 0) + 1),
  },
  anonymous: null,
  upgrade: null,
  watch: () => undefined,
  direct: async () => false,
  handle: async (incoming, response) => {
    if (incoming.url?.endsWith('?allowed')) response.setHeader('content-security-policy', 'frame-ancestors *')
    response.writeHead(incoming.url?.startsWith('/s/unknown') ? 404 : 200)
    response.end(
      JSON.stringify({
        url: incoming.url,
        share: incoming.headers['x-tailboard-share'],
        nonce: incoming.headers['x-nonce'],
        forwarded: Object.keys(incoming.headers).filter((name) => /forwarded/.test(name)),
      }),
    )
  },
}
const server = makeServer(options)
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) port = address.port
})
afterAll(() => closeServer(server))

/** With headers that fetch does not allow, on a separate connection. */
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

/** Everything received on a connection until the server closes it, and when that was. */
async function raw(text: string, to = port): Promise<{ readonly text: string; readonly tookMs: number }> {
  const startedMs = performance.now()
  const socket = connect(to, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  socket.on('error', () => undefined) // a reset after the response: 'close' follows
  socket.write(text)
  await once(socket, 'close')
  return { text: answer, tookMs: performance.now() - startedMs }
}
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MTIz\r\n'

describe('at the socket', () => {
  const host = 'Host: 127.0.0.1:3000\r\n'

  it('an upgrade to any path is refused at once, for any client, and its connection closed', async () => {
    // What Next does at its first request to a server that it knows, where development upgrades are its own.
    const own = makeServer({ ...options, upgrade: (_request, socket) => void socket.end('HTTP/1.1 101 ours\r\n\r\n') })
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const address = own.address()
    const ownPort = typeof address === 'object' && address ? address.port : 0
    for (const to of [port, ownPort])
      for (const path of ['/', '/p/x', '/s/abc', '/api/v1/projects', '/none', '/_next', '/s/x/../y'])
        for (const name of [host, 'Host: perf.example\r\n', 'Host: evil.example\r\n']) {
          const { text, tookMs } = await raw(`GET ${path} HTTP/1.1\r\n${name}${upgrade}\r\n`, to)
          expect([path, text.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 400 Bad Request'])
          expect(tookMs).toBeLessThan(1_000)
        }
    const hot = (name: string) => raw(`GET /_next/hmr HTTP/1.1\r\n${name}${upgrade}\r\n`, ownPort)
    expect((await hot(host)).text).toMatch(/^HTTP\/1\.1 101 ours/)
    expect((await hot('Host: evil.example\r\n')).text).toMatch(/^HTTP\/1\.1 400 /)
    await closeServer(own)
  })

  it('an offer of HTTP/2 is declined: the request gets its response, body and all, then the connection closes', async () => {
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
    const { text, tookMs } = await raw(`PUT /api/v1/x HTTP/1.1\r\n${host}${offer}Content-Length: 2\r\n\r\nhi`)
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*"url":"\/api\/v1\/x"/)
    expect(tookMs).toBeLessThan(1_000)
  })

  it('a request that two parsers could read differently is refused with 400', async () => {
    const lines = [
      `GET / HTTP/1.1\r\n${host}${host}`,
      `GET / HTTP/1.1\r\n${host}hOST: evil.example\r\n`,
      `GET / HTTP/1.1\r\nHost: perf.example\r\n${host}`,
      `GET http://evil.example/p/x/ HTTP/1.1\r\n${host}`,
      `GET http://127.0.0.1:3000/ HTTP/1.1\r\n${host}`,
      `GET HTTPS://evil.example HTTP/1.1\r\n${host}`,
      `GET //evil.example/x/ HTTP/1.1\r\n${host}`,
      `OPTIONS * HTTP/1.1\r\n${host}`,
      `CONNECT evil.example:443 HTTP/1.1\r\n${host}`,
      `CONNECT 127.0.0.1:3000 HTTP/1.1\r\nHost: 127.0.0.1:3000\r\n`,
      `GET /s/x/../../p/x HTTP/1.1\r\n${host}`,
      `GET /s/x/../../p/x HTTP/1.1\r\nHost: perf.example\r\n`,
      `GET /s/x/%2e%2e/%2E%2E/p/x HTTP/1.1\r\n${host}`,
      `GET /s/x/..%2f..%2fp/x HTTP/1.1\r\n${host}`,
      `GET /s/x\\..\\..\\p\\x HTTP/1.1\r\n${host}`,
      `PUT /api/v1/projects/x/uploads/a%2Fb HTTP/1.1\r\n${host}`,
    ]
    for (const line of lines) {
      const { text } = await raw(`${line}\r\n`)
      expect([line, text.split('\r\n')[0]]).toEqual([line, 'HTTP/1.1 400 Bad Request'])
      expect(text).not.toMatch(/location:|evil/i)
    }
  })

  it('a second Host cannot hide behind thousands of headers', async () => {
    const { text } = await raw(`GET / HTTP/1.1\r\n${host}${'X:y\r\n'.repeat(2_100)}Host: evil.example\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*more than one Host/)
  })

  it('pipelined requests get their responses in turn, one at a time; too many end the connection', async () => {
    let open = 0
    let most = 0
    const asked: (string | undefined)[] = []
    const own = makeServer({
      ...options,
      handle: async (incoming, response) => {
        asked.push(incoming.url)
        most = Math.max(most, (open += 1))
        await sleep(20)
        open -= 1
        response.end(incoming.url)
      },
    })
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const address = own.address()
    const to = typeof address === 'object' && address ? address.port : 0
    const ahead = (count: number) =>
      Array.from({ length: count }, (_, at) => {
        const last = at === count - 1 ? 'Connection: close\r\n' : ''
        return `GET /${at} HTTP/1.1\r\n${host}${last}\r\n`
      }).join('')
    const { text } = await raw(ahead(10), to)
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(10)
    expect(asked).toEqual(Array.from({ length: 10 }, (_, at) => `/${at}`))
    expect(most).toBe(1)
    asked.length = 0
    const startedMs = performance.now()
    await raw(ahead(2_000), to).catch(() => undefined) // reset
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    await sleep(100)
    expect(asked.length).toBeLessThan(3)
    await closeServer(own)
  })

  it('names and schemes from proxies are not passed on', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '1' }
    expect((await ask('/', { ...headers, forwarded: 'host=evil.example' })).text).toContain('"forwarded":[]')
  })
})

describe('each part of a request has a time limit', () => {
  /** A server with these limits that does what `handle` does. */
  async function limited(
    handle: (incoming: IncomingMessage, response: ServerResponse) => void,
    others: Partial<TimeLimits> = {},
  ) {
    const { leastBytesPerSecond } = timeLimits
    const limits = { headMs: 300, idleMs: 300, silentMs: 300, workMs: 900, leastBytesPerSecond, ...others }
    const own = makeServer({ ...options, limits, handle: async (incoming, response) => handle(incoming, response) })
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const address = own.address()
    return { own, to: typeof address === 'object' && address ? address.port : 0 }
  }
  const head = (method: string, path: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  const length = 'Content-Length: 100\r\n'

  it('the pause between two requests', async () => {
    const { own, to } = await limited((_incoming, response) => void response.end('ok'))
    const { text, tookMs } = await raw(head('GET', '/'), to)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(tookMs).toBeGreaterThan(250)
    expect(tookMs).toBeLessThan(5_000)
    await closeServer(own)
  })

  it('a body that nothing reads; for uploads, the route knows how long a tool may be silent', async () => {
    const { own, to } = await limited(() => undefined)
    for (const [method, path] of [
      ['POST', '/'],
      ['POST', '/api/v1/projects'],
      ['PUT', '/api/v1/projects/x/uploads/a/raw'],
      ['DELETE', '/api/v1/projects/x/uploads/a'],
    ] as const) {
      const { text, tookMs } = await raw(head(method, path, length), to)
      expect([path, text]).toEqual([path, ''])
      expect(tookMs).toBeGreaterThan(250)
      expect(tookMs).toBeLessThan(900)
    }
    for (const path of ['/api/v1/projects/x/uploads', '/api/v1/projects/x/uploads/a?label=b=c']) {
      const { text, tookMs } = await raw(head('PUT', path, length), to)
      expect([path, text]).toEqual([path, ''])
      expect(tookMs).toBeGreaterThan(850)
      expect(tookMs).toBeLessThan(5_000)
    }
    await closeServer(own)
  })

  it('a response that we do not get to', async () => {
    const { own, to } = await limited(() => undefined)
    const { text, tookMs } = await raw(head('GET', '/'), to)
    expect(text).toBe('')
    expect(tookMs).toBeGreaterThan(850)
    expect(tookMs).toBeLessThan(5_000)
    await closeServer(own)
  })

  const whole = Buffer.alloc(32 * 1_024 * 1_024, 'x')
  it.each([
    ['at once', (response: ServerResponse) => void response.end(whole)],
    [
      'in slices',
      (response: ServerResponse) => {
        for (let at = 0; at < whole.length; at += 65_536) response.write(whole.subarray(at, at + 65_536))
        response.end()
      },
    ],
  ])('a response that its client does not read; one read slowly arrives whole: sent %s', async (_how, send) => {
    let closed = 0
    // Client and server share this thread: on a busy machine it can stall for longer than 300 ms.
    const silentMs = 1_000
    const respond = (_incoming: IncomingMessage, response: ServerResponse) => {
      response.once('close', () => (closed += 1))
      response.setHeader('connection', 'close')
      send(response)
    }
    const { own, to } = await limited(respond, { silentMs })
    const lazy = connect(to, '127.0.0.1').pause()
    lazy.on('error', () => undefined)
    lazy.write(head('GET', '/'))
    for (const deadline = performance.now() + 30_000; closed === 0 && performance.now() < deadline;) await sleep(20)
    expect(closed).toBe(1)
    lazy.destroy()

    const slow = connect(to, '127.0.0.1')
    let bytes = 0
    slow.on('data', (data) => {
      bytes += data.length
      slow.pause()
      setTimeout(() => slow.resume(), 5)
    })
    slow.write(head('GET', '/'))
    const startedMs = performance.now()
    await once(slow, 'close')
    expect(bytes).toBeGreaterThan(whole.length)
    expect(performance.now() - startedMs).toBeGreaterThan(2 * silentMs) // otherwise this test would prove nothing
    await closeServer(own)
  })

  it('a response of which the client reads a little now and then', async () => {
    const { own, to } = await limited((_incoming, response) => void response.end(whole), {
      leastBytesPerSecond: 100_000_000,
    })
    const trickle = connect(to, '127.0.0.1')
    let bytes = 0
    trickle.on('data', (data) => {
      bytes += data.length
      trickle.pause()
      setTimeout(() => trickle.resume(), 20)
    })
    trickle.on('error', () => undefined)
    trickle.write(head('GET', '/'))
    await once(trickle, 'close')
    expect(bytes).toBeLessThan(whole.length)
    await closeServer(own)
  })

  it('the head: of sockets that say nothing, or half of one', async () => {
    const { own, to } = await limited((_incoming, response) => void response.end('ok'), { silentMs: 60_000 })
    const begun = ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ']
    for (const { text, tookMs } of await Promise.all(begun.map((part) => raw(part, to)))) {
      expect(text).toMatch(/^HTTP\/1\.1 408 /)
      expect(tookMs).toBeLessThan(10_000)
    }
    await closeServer(own)
  })

  it('all of them are what the server has', () => {
    const { headMs, idleMs } = timeLimits
    const { headersTimeout, keepAliveTimeout, requestTimeout } = server
    // Of the real server `server/access/sockets.test.ts` waits for the head's.
    expect({ headersTimeout, keepAliveTimeout, requestTimeout }).toEqual({
      headersTimeout: headMs,
      keepAliveTimeout: idleMs,
      requestTimeout: 0,
    })
    expect(Object.values(timeLimits).every((ms) => ms > 0 && ms <= 3_600_000)).toBe(true)
  })
})

describe('the HTTP server', () => {
  it('tells browsers to use https only, in every response, if it is reached over https', async () => {
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
  it('refuses unsupported methods', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PURGE']) {
      const { status, headers } = await ask('/api/v1/projects', {}, method)
      expect({ method, status }).toEqual({ method, status: 405 })
      expect(headers['allow']).toMatch(/^GET, HEAD, POST/)
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await ask('/api/v1/projects', {}, method)).status).toBe(200)
  })

  it('passes on requests from this machine, with a new nonce for each page', async () => {
    const [first, second] = [await ask('/p/x'), await ask('/p/x')]
    expect(first.status).toBe(200)
    const { nonce } = JSON.parse(first.text) as { nonce: string }
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    expect(first.headers['x-content-type-options']).toBe('nosniff')
    expect(second.text).not.toContain(nonce)
  })

  it('lets only the route of a share allow frames, and forbids all others', async () => {
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

  it('drops the trailing slash of an API address, which Next would redirect', async () => {
    const urlOf = async (path: string) => (JSON.parse((await ask(path, {}, 'PUT')).text) as { url: string }).url
    expect(await urlOf('/api/v1/projects/x/uploads/?label=a/')).toBe('/api/v1/projects/x/uploads?label=a/')
    expect(await urlOf('/api/v1/projects/x/uploads/')).toBe('/api/v1/projects/x/uploads')
    expect(await urlOf('/api/v1/projects/x/uploads/out.txt')).toBe('/api/v1/projects/x/uploads/out.txt')
    expect(await urlOf('/p/x/')).toBe('/p/x/')
  })

  it('refuses foreign hosts with a reason, and outsiders at the public host without one', async () => {
    expect(await ask('/', { host: 'evil.example' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('loopback') as string,
    })
    expect(await ask('/p/x', { host: 'perf.example' })).toMatchObject({ status: 404, text: 'Not found.\n' })
    expect(await ask('/p/x', { origin: 'http://evil.example' }, 'POST')).toMatchObject({ status: 403 })
    expect(await ask('/%E0%A4%A')).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^The address is not valid: .*\?name=\.\n$/) as string,
    })
    expect((await ask('/s/abc', { host: 'perf.example' })).status).toBe(200)
  })

  it('decides itself whether a page is shared, whatever the client claims', async () => {
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
