import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on a connection for the response to another one: no client of today sends more than one ahead. */
const MOST_WAITING = 16

/** What waits on each connection; a connection without an entry has no request under way. */
const waitingOn = new WeakMap<Socket, (() => void)[]>()

/**
 * Begins a request when the one before it on its connection is responded to: of pipelined ones, a thousand fit in one
 * packet, and Node hands all of them over at once. A connection on which too many wait is ended.
 */
export function oneAtATime({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const waiting = waitingOn.get(socket)
  const start = () => {
    response.once('close', () => next(socket))
    begin()
  }
  if (waiting === undefined) {
    waitingOn.set(socket, [])
    start()
  } else if (waiting.length < MOST_WAITING) waiting.push(start)
  else socket.destroy()
}

function next(socket: Socket): void {
  const start = socket.destroyed ? undefined : waitingOn.get(socket)?.shift()
  if (start === undefined) waitingOn.delete(socket)
  else start()
}
