import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LEAST_BYTES_PER_SECOND } from './paced-body'

/** How long each part of a request and its response may take, in ms. Limits for the client are short. */
export interface TimeLimits {
  /** Until the head of a request has arrived, for the first one and any other on a connection. */
  readonly headMs: number
  /**
   * Between two requests of a connection. Longer than clients keep idle ones; otherwise they reuse one just as it is
   * closed.
   */
  readonly idleMs: number
  /**
   * Time without a byte of the body, or without the client taking any of the response. Routes have further limits for
   * bodies.
   */
  readonly silentMs: number
  /** Time without a byte from us: longer than any import takes, and any pause of an upload. */
  readonly workMs: number
  /** Lowest rate at which a client takes a response that waits for it, over `silentMs`. */
  readonly leastBytesPerSecond: number
}

export const timeLimits: TimeLimits = {
  headMs: 70_000,
  idleMs: 65_000,
  silentMs: 120_000,
  workMs: 3_600_000,
  leastBytesPerSecond: LEAST_BYTES_PER_SECOND,
}

/** A request whose response has not ended. */
interface Exchange {
  readonly request: IncomingMessage
  /** Bytes of its connection, and how often they were unchanged after `silentMs`. */
  bytes: number
  silences: number
}

/** Ends connections of a server that wait longer than `limits`. `isPaced`: a route watches the pace of its body. */
export function limitTime(server: Server, limits: TimeLimits, isPaced: (request: IncomingMessage) => boolean): void {
  // Node's own limit applies to all requests, and a piped tool is silent until it ends.
  server.requestTimeout = 0
  server.headersTimeout = limits.headMs
  server.keepAliveTimeout = limits.idleMs
  const exchanges = new WeakMap<Socket, Exchange>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const exchange = { request, bytes: 0, silences: 0 }
    exchanges.set(socket, exchange)
    const rate = watchRate(socket, limits)
    response.once('close', () => {
      clearInterval(rate)
      if (exchanges.get(socket) === exchange) exchanges.delete(socket)
    })
  })
  // Node calls it when no byte came, went, or was taken of waiting ones.
  server.setTimeout(limits.silentMs, (socket) => {
    const exchange = exchanges.get(socket)
    if (exchange === undefined || isLate(exchange, socket, limits, isPaced)) socket.destroy()
    else socket.setTimeout(limits.silentMs)
  })
}

/** Ends the connection of a client that takes a response too slowly; one that waits for us is not measured. */
function watchRate(socket: Socket, limits: TimeLimits): NodeJS.Timeout {
  const leastBytes = (limits.leastBytesPerSecond * limits.silentMs) / 1_000
  const isWaiting = () => socket.writableLength > 0
  let before: number | null = null
  const clock = setInterval(() => {
    // A response that waited for another one is not closed with its connection.
    if (socket.destroyed) return clearInterval(clock)
    const bytes = takenBytes(socket)
    if (before !== null && isWaiting() && bytes - before < leastBytes) socket.destroy()
    before = isWaiting() ? bytes : null
  }, limits.silentMs).unref()
  return clock
}

/** Written bytes that the client, or this machine for it, has taken. Node's count of a write moves only at its end. */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle: { bytesWritten: number; writeQueueSize: number } | null }
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize
}

function isLate(
  exchange: Exchange,
  socket: Socket,
  limits: TimeLimits,
  isPaced: (request: IncomingMessage) => boolean,
): boolean {
  if (socket.writableLength > 0) return true
  // A route ends a body that it paces; if the body has not reached it yet, the delay is ours.
  if (!exchange.request.complete && !isPaced(exchange.request)) return true
  const bytes = socket.bytesRead + socket.bytesWritten
  exchange.silences = bytes === exchange.bytes ? exchange.silences + 1 : 1
  exchange.bytes = bytes
  return exchange.silences * limits.silentMs >= limits.workMs
}
