import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on a connection for an earlier response: no current client sends more than one ahead. */
const MOST_WAITING = 16

/** Requests that wait on each connection; a connection without an entry has no request in progress. */
const waitingOn = new WeakMap<Socket, (() => void)[]>()

/**
 * Begins a request once the one before it on its connection has its response: a thousand pipelined ones fit in one
 * packet, and Node hands all of them over at once. Ends a connection on which too many wait.
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
