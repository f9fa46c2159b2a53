import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'

/**
 * A request of Node's as routes take it: its headers as the server left them, its body as it is read. Its signal is
 * aborted when the client goes away before the response has ended. The host in its address means nothing.
 */
export function webRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const { method = 'GET', url = '/' } = incoming
  const gone = new AbortController()
  if (outgoing.destroyed) gone.abort()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  // Node takes any async iterable for a body, and reads on only as it is read.
  const body = incoming as unknown as ReadableStream
  const sent = method === 'GET' || method === 'HEAD' ? {} : { body, duplex: 'half' }
  const init = { method, headers: headersOf(incoming), signal: gone.signal, ...sent }
  return new Request(`http://tailboard.invalid${url}`, init)
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(incoming.headers))
    for (const one of typeof value === 'string' ? [value] : value) headers.append(name, one)
  return headers
}

type Body = ReadableStreamDefaultReader<Uint8Array>
type Chunk = Awaited<ReturnType<Body['read']>>

/**
 * Sends the response of a route, as fast as the client takes it; resolves when it is sent, or its client is gone.
 * Rejects with what the body fails with: before anything is sent, or else with the connection closed.
 */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body: Body | undefined = response.body?.getReader()
  const cancel = () => void body?.cancel().catch(() => undefined) // it has failed, as its reader knows
  outgoing.once('close', cancel)
  const isHead = incoming.method === 'HEAD'
  if (isHead || outgoing.destroyed) cancel()
  const first = isHead ? undefined : await body?.read()
  if (body === undefined || first === undefined || first.done) return sendWhole(response, undefined, outgoing)
  const second = body.read()
  // What is there at once is all of it; anything else is a stream.
  const isWhole = await Promise.race([second.then(({ done }) => done), setImmediate(false)])
  if (isWhole) return sendWhole(response, first.value, outgoing)
  setHead(response, outgoing)
  // The server has some, and a pipeline adds more than Node expects in all.
  outgoing.setMaxListeners(20)
  await pipeline(Readable.from(chunks(first.value, second, body)), outgoing).catch(unlessGone)
}

/** Headers that the server has set stay: they are its policies. */
function setHead({ status, headers }: Response, outgoing: ServerResponse): void {
  outgoing.statusCode = status
  for (const [name, value] of headers) {
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else if (!outgoing.hasHeader(name)) outgoing.setHeader(name, value)
  }
}

function sendWhole(response: Response, bytes: Uint8Array | undefined, outgoing: ServerResponse): void {
  setHead(response, outgoing)
  outgoing.end(bytes)
}

async function* chunks(first: Uint8Array, second: Promise<Chunk>, body: Body): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await second; !next.done; next = await body.read()) yield next.value
}

/** The client is gone, so there is no one to respond to. */
function unlessGone(error: unknown): void {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  if (!isGone) throw error
}
