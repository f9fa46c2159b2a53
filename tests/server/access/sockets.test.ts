import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listAddresses } from '../../hostile/addresses'
import { shareServer, type SharedServer } from '../../shared-servers'

/** `npm run test:faults` sets it. */
const isWhole = process.env['TAILBOARD_KILLS'] !== undefined
let app: SharedServer
let host = ''
let port = 0

beforeAll(async () => {
  app = await shareServer('strict')
  host = new URL(app.url).host
  port = Number(new URL(app.url).port)
  expect((await fetch(app.url)).status).toBe(200) // Next looks for the server at its first request
  const body = JSON.stringify({ name: 'Sockets', slug: 'sockets' })
  expect((await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body })).status).toBe(201)
})

interface Answer {
  readonly text: string
  readonly status: number
  readonly tookMs: number
}

/** Sends raw text; returns everything received until the server closes the connection. */
async function raw(text: string): Promise<Answer> {
  const startedMs = performance.now()
  const socket: Socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  socket.on('error', () => undefined) // a reset after the response: 'close' follows
  socket.write(text)
  await once(socket, 'close')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0)
  return { text: answer, status, tookMs: performance.now() - startedMs }
}
const ask = (target: string, more = '', method = 'GET') =>
  raw(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`)

describe('a path that has several readings', () => {
  it('leads nowhere: not around the door of shares, nor by a redirect', async () => {
    expect((await ask('/p/sockets/runs')).status).toBe(200)
    for (const target of [
      ...[
        '/s/x/../../p/sockets/runs',
        '/s/x/../../api/v1/projects',
        '/s/../',
        '/badge/x/../../p/sockets',
        '/s/x/%2e%2e/%2e%2e/p',
      ],
      ...[
        '/s/x/..%2f..%2fp/sockets',
        '/s/x%2f..%2f..%2fp',
        '/s/x\\..\\..\\p',
        '/s/x%5c..%5c..%5cp',
        '/s//x',
        '/p//sockets',
      ],
      ...[
        '/s/x/%252e%252e/%252e%252e/p',
        '/%73/x',
        '/%70/sockets/runs',
        '//evil.example/x/',
        '/_next/static/../../p/sockets',
      ],
      ...['http://evil.example/p/sockets/', `http://${host}/p/sockets`, '*', '/p/sockets/..', '/api/v1/../v1/projects'],
    ]) {
      const { status, text } = await ask(target)
      expect([target, status]).toEqual([target, 400])
      expect(text).not.toMatch(/location:/i)
    }
  })

  it('is no everyday one: pages, their data, files and images, names of files', async () => {
    const page = await (await fetch(`${app.url}/p/sockets/runs`)).text()
    const files = [...new Set([...page.matchAll(/(?:src|href)="(\/(?:_next|icon)[^"]+)"/g)].map(([, at]) => at ?? ''))]
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) expect([file, (await fetch(app.url + file)).status]).toEqual([file, 200])
    const data = await fetch(`${app.url}/p/sockets/runs?_rsc=abc12`, { headers: { rsc: '1' } })
    expect(data.headers.get('content-type')).toContain('text/x-component')
    expect((await ask('/p/sockets/')).text).toMatch(/^HTTP\/1\.1 308 [^]*location: \/p\/sockets\r\n/i)
    const image = await ask('/_next/image?url=%2Ficon.svg&w=64&q=75')
    expect(image.status).toBeLessThan(500)
    const names = ['a b.txt', 'out (1).txt', '..hidden', 'a..b', '50%.txt', 'Ä+ö&x=1;.txt', "it's~.txt", 'a#b?c.txt']
    for (const name of names) {
      const put = (path: string) =>
        fetch(`${app.url}/api/v1/projects/sockets/uploads${path}draft=1`, {
          method: 'PUT',
          body: `no run: ${name}`,
          headers: { accept: 'application/json' },
        })
      const stored = z.object({ upload: z.object({ name: z.string() }) })
      expect(stored.parse(await (await put(`/${encodeURIComponent(name)}?`)).json()).upload.name).toBe(name)
    }
    const query = new URLSearchParams({ name: '../a/b\\c.txt', draft: '1' })
    const odd = await fetch(`${app.url}/api/v1/projects/sockets/uploads?${query}`, { method: 'PUT', body: 'no run' })
    expect(odd.status).toBe(201)
  })
})

describe('a request crafted to be misread', () => {
  it('is refused', async () => {
    const two = `GET /p/sockets HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`
    expect((await raw(two)).status).toBe(400)
    expect((await raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(400)
    const body = JSON.stringify({ name: 'Forged' })
    const post = (origin: string) =>
      raw(
        `POST /api/v1/projects HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    for (const scheme of ['javascript', 'https', 'file', 'x'])
      expect([scheme, (await post(`${scheme}://${host}`)).status]).toEqual([scheme, 403])
    for (const origin of [
      'null',
      `http://a@${host}`,
      `http://${host}/`,
      'http://127.0.0.1:1',
      `http://localhost:${port}`,
    ])
      expect([origin, (await post(origin)).status]).toEqual([origin, 403])
    expect((await post(`http://${host}`)).status).toBe(201)
  })
})

describe('nothing is held open', () => {
  it('by 300 upgrades to any path', async () => {
    const paths = listAddresses().map((address) => address.replace(/\[[^\]]+\]/g, 'x'))
    const upgrades = Array.from({ length: 300 }, (_, at) => {
      const name = at % 2 === 0 ? 'websocket' : 'WebSocket/13, h2c'
      return raw(
        `GET ${paths[at % paths.length] ?? '/'} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: ${name}\r\n\r\n`,
      )
    })
    const answers = await Promise.all(upgrades)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, () => 400))
    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(5_000)
    const offered = await raw(
      `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`,
    )
    expect(offered.status).toBe(200)
  })

  it('by bodies that never arrive: each route responds, and closes', async () => {
    const length = 'Content-Length: 100\r\n'
    const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
    const parts = 'Content-Type: multipart/form-data; boundary=x\r\n'
    const sent = [
      ...['projects', 'projects/sockets/rules', 'projects/sockets/runs/merge', 'session', 'invitations/accept'].map(
        (path) => ask(`/api/v1/${path}`, length, 'POST'),
      ),
      ask('/api/v1/session', length + form, 'POST'),
      ask('/mcp', length, 'POST'),
      ask('/p/sockets/upload/form', length + parts, 'POST'),
      ...['/', '/p/sockets/runs', '/none', '/_next/static/x.js', '/healthz', '/s/x'].flatMap((path) => [
        ask(path, length, 'POST'),
        ask(path, length + parts, 'POST'),
        ask(path, `${length}Next-Action: ${'a'.repeat(42)}\r\n`, 'POST'),
        ask(path, 'Transfer-Encoding: chunked\r\n', 'POST'),
        ask(path, length),
      ]),
    ]
    for (const { status, text, tookMs } of await Promise.all(sent)) {
      expect(status, text).toBeGreaterThanOrEqual(200)
      expect(status, text).toBeLessThan(500)
      expect(tookMs).toBeLessThan(10_000)
    }
    const { text } = await ask('/api/v1/projects', `${length}Accept: application/json\r\n`, 'POST')
    expect(text).toMatch(/^HTTP\/1\.1 408 [^]*"code":"too-slow"/)
    expect((await ask('/p/sockets/upload/form', length + parts, 'POST')).text).toMatch(/^HTTP\/1\.1 408 /)
  })

  // Node looks for them every 30 s; `tests/app/http/serve.test.ts` does the same with short limits.
  it.runIf(isWhole)('of sockets that say nothing, or half of a head', async () => {
    const begun = ['', 'GET / HT', `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `]
    for (const { status, tookMs } of await Promise.all(begun.map(raw))) {
      expect(status).toBe(408)
      expect(tookMs).toBeLessThan(110_000)
    }
  })
})
