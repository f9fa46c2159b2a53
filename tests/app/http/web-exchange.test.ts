import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bodyOf } from '@/app/_server/http/respond'
import { sendResponse, webRequest } from '@/app/_server/http/web-exchange'

type Route = (asked: Request) => Response | Promise<Response>

/** What the server answers with, and how the last exchange ended: null, well. */
let route: Route = () => new Response('unset')
let ended: Promise<unknown> = Promise.resolve()

const server = createServer((incoming, outgoing) => {
  outgoing.setHeader('x-policy', 'of the server')
  const exchange = async () => sendResponse(await route(webRequest(incoming, outgoing)), incoming, outgoing)
  ended = exchange().then(
    () => null,
    (error: unknown) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end()
      return error
    },
  )
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) port = address.port
})
afterAll(() => {
  agent.destroy()
  server.close()
})

/** Begins a request; its body is still to be sent. */
const begin = (options: RequestOptions) => request({ host: '127.0.0.1', port, agent, ...options })

async function answerTo(sent: ReturnType<typeof begin>): Promise<IncomingMessage> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

async function ask(options: RequestOptions, body?: string | Buffer) {
  const sent = begin(options)
  sent.end(body)
  const answer = await answerTo(sent)
  const parts: Buffer[] = []
  for await (const part of answer as AsyncIterable<Buffer>) parts.push(part)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: Buffer.concat(parts).toString(),
    socket: sent.socket,
  }
}

/** Waits until a number has not grown for 200 ms. */
async function settled(read: () => number): Promise<number> {
  for (let before = -1; ;) {
    const now = read()
    if (now > 0 && now === before) return now
    before = now
    await sleep(200)
  }
}

it('a route gets method, path, query, headers and body as they were sent', async () => {
  route = async (asked) => {
    const { pathname, search } = new URL(asked.url)
    const { method, headers } = asked
    return Response.json({ method, pathname, search, given: headers.get('x-given'), body: await asked.text() })
  }
  const { text } = await ask({ method: 'PUT', path: '/a%20b?c=%2F&c=d+e', headers: { 'x-given': 'grüße' } }, 'the body')
  const seen: unknown = JSON.parse(text)
  expect(seen).toMatchObject({ method: 'PUT', pathname: '/a%20b', search: '?c=%2F&c=d+e', body: 'the body' })
})

it('a client gets status, headers, cookies and body; headers of the server stay', async () => {
  route = () => {
    const headers = new Headers({ 'x-own': '1', 'x-policy': 'of the route' })
    headers.append('set-cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT')
    headers.append('set-cookie', 'b=2')
    return new Response('made', { status: 201, headers })
  }
  const { status, headers, text } = await ask({})
  expect({ status, text }).toEqual({ status: 201, text: 'made' })
  expect(headers).toMatchObject({ 'x-own': '1', 'x-policy': 'of the server', 'content-length': '4' })
  expect(headers['set-cookie']).toEqual(['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'])
})

it('a response without a body, and one to HEAD, have none; what a body holds open is closed', async () => {
  route = () => new Response(null, { status: 204 })
  expect(await ask({ method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
  let isClosed = false
  route = () =>
    new Response(
      bodyOf(
        (async function* () {
          try {
            for (;;) yield Buffer.from('more')
          } finally {
            isClosed = true
          }
        })(),
      ),
      { headers: { 'x-own': '1' } },
    )
  const { headers, text } = await ask({ method: 'HEAD' })
  expect({ own: headers['x-own'], text }).toEqual({ own: '1', text: '' })
  // It never began, and its generator has nothing to close then; one in progress does.
  const sent = begin({})
  sent.end()
  await answerTo(sent)
  sent.destroy()
  await expect.poll(() => isClosed).toBe(true)
})

it('a body is read as fast as the route reads it, and arrives whole', async () => {
  const body = randomBytes(48 << 20)
  let read: () => void = () => undefined
  const mayRead = new Promise<void>((resolve) => (read = resolve))
  route = async (asked) => {
    await mayRead
    const hash = createHash('sha256')
    for await (const part of asked.body as unknown as AsyncIterable<Uint8Array>) hash.update(part)
    return new Response(hash.digest('hex'))
  }
  const sent = begin({ method: 'PUT' })
  sent.end(body)
  const taken = await settled(() => sent.socket?.bytesWritten ?? 0)
  const queued = sent.socket?.writableLength ?? 0
  expect(queued).toBeGreaterThan(body.length / 2)
  expect(taken).toBeGreaterThan(0)
  read()
  const answer = await answerTo(sent)
  const [text] = (await once(answer.setEncoding('utf8'), 'data')) as [string]
  expect(text).toBe(createHash('sha256').update(body).digest('hex'))
})

it('a stream is made as fast as the client takes it, and arrives whole', async () => {
  const chunk = randomBytes(1 << 20)
  let made = 0
  route = () =>
    new Response(
      bodyOf(
        (async function* () {
          for (made = 0; made < 64; made += 1) {
            await sleep(0)
            yield chunk
          }
        })(),
      ),
    )
  const sent = begin({})
  sent.end()
  const answer = await answerTo(sent)
  expect(answer.headers['transfer-encoding']).toBe('chunked')
  expect(await settled(() => made)).toBeLessThan(48)
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) bytes += part.length
  expect(bytes).toBe(64 << 20)
  expect(await ended).toBe(null)
})

it('a client that goes away aborts the signal, ends the reading of its body and the making of a stream', async () => {
  let isAborted = false
  let failure: unknown = null
  route = async (asked) => {
    asked.signal.addEventListener('abort', () => (isAborted = true))
    await asked.text().catch((error: unknown) => (failure = error))
    return new Response('too late')
  }
  const sent = begin({ method: 'PUT', headers: { 'content-length': 10 } })
  sent.write('five ')
  sent.on('error', () => undefined)
  await sleep(100)
  sent.destroy()
  await expect.poll(() => isAborted).toBe(true)
  await expect.poll(() => failure).toBeInstanceOf(Error)
  expect(await ended).toBe(null)

  let isClosed = false
  route = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('begun')),
        cancel: () => void (isClosed = true),
      }),
    )
  const open = begin({})
  open.end()
  await answerTo(open)
  open.destroy()
  // Its source is waiting: it never makes another chunk.
  await expect.poll(() => isClosed).toBe(true)
  expect(await ended).toBe(null)
})

it('a body that fails at once is an error of the server; one that fails later breaks off', async () => {
  const failing = (before: number) => () =>
    new Response(
      bodyOf(
        (async function* () {
          for (let at = 0; at < before; at += 1) {
            yield Buffer.from('part')
            await sleep(20)
          }
          throw new Error('the disk is gone')
        })(),
      ),
    )
  route = failing(0)
  expect(await ask({})).toMatchObject({ status: 500, text: '' })
  expect(await ended).toMatchObject({ message: 'the disk is gone' })
  route = failing(2)
  await expect(ask({})).rejects.toThrow(/aborted/)
  expect(await ended).toMatchObject({ message: 'the disk is gone' })
})

it('a body that no route reads breaks nothing: the next request on the connection is answered', async () => {
  route = (asked) => new Response(`${asked.method} is not read`)
  const first = await ask({ method: 'POST' }, 'a few bytes')
  const second = await ask({ method: 'POST' }, 'a few more')
  expect([first.text, second.text]).toEqual(['POST is not read', 'POST is not read'])
  expect(second.socket).toBe(first.socket)
  const large = await ask({ method: 'POST' }, Buffer.alloc(4 << 20))
  const next = await ask({ method: 'POST' }, 'and these')
  expect([large.text, next.text]).toEqual(['POST is not read', 'POST is not read'])
})
