import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FindRoute } from './route-patterns'

/** A request whose response ended, or whose client went away before. */
export interface FinishedRequest {
  readonly method: string
  /** The name of its folder; `other`: none. */
  readonly route: string
  /** As requested, without its query. It may hold secrets. */
  readonly path: string
  readonly status: number
  readonly seconds: number
  /** It waited for events, so its time says nothing about the server. */
  readonly isStream: boolean
  /** Bytes of the response's body and head. */
  readonly bytes: number
}

/** Methods that a route may be called with. */
export const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Calls `done` once, when the response has ended or the connection is closed. */
export function whenFinished(
  request: IncomingMessage,
  response: ServerResponse,
  find: FindRoute,
  done: (finished: FinishedRequest) => void,
): void {
  const startedMs = performance.now()
  const url = request.url ?? '/'
  const { socket } = response
  const writtenBefore = socket?.bytesWritten ?? 0
  response.once('close', () => {
    const method = request.method ?? 'GET'
    done({
      method: knownMethods.has(method) ? method : 'other',
      route: find(url)?.name ?? 'other',
      path: url.split('?', 1)[0] ?? '',
      // Closed before any response: the status that proxies use for this.
      status: response.headersSent ? response.statusCode : 499,
      seconds: (performance.now() - startedMs) / 1_000,
      isStream: String(response.getHeader('content-type')).startsWith('text/event-stream'),
      bytes: (socket?.bytesWritten ?? 0) - writtenBefore,
    })
  })
}
