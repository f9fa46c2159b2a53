import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** A response that was made and not sent. */
export interface CapturedResponse {
  readonly status: number
  /** Those that `handle` set. */
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * What `handle` would send, for the caller to send: nothing of it has been sent, and only then does `handle` see that
 * its response has finished. Null: the client went away, or `handle` closed the connection. Rejects as `handle` does.
 */
export function captureResponse(
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
): Promise<CapturedResponse | null> {
  const { writeHead, write, end, flushHeaders } = response
  const before = { ...response.getHeaders() }
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    const gone = () => resolve(null)
    const restore = () => {
      response.off('close', gone)
      Object.assign(response, { writeHead, write, end, flushHeaders })
    }
    response.once('close', gone)
    response.flushHeaders = () => undefined
    response.writeHead = (status: number, ...given: unknown[]) => {
      response.statusCode = status
      const headers = given.find((one) => typeof one === 'object')
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value as OutgoingHttpHeader)
      return response
    }
    const add = (chunk: unknown, encoding: unknown) => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined))
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    }
    response.write = (chunk: unknown, ...others: unknown[]) => {
      add(chunk, typeof others[0] === 'string' ? others[0] : undefined)
      callOf(others)?.()
      return true
    }
    response.end = (...given: unknown[]) => {
      add(given[0], typeof given[1] === 'string' ? given[1] : undefined)
      restore()
      const finished = callOf(given)
      if (finished !== undefined) response.once('finish', finished)
      const headers = Object.fromEntries(Object.entries(response.getHeaders()).filter(([name]) => !(name in before)))
      resolve({ status: response.statusCode, headers, body: Buffer.concat(chunks) })
      return response
    }
    handle(request, response).catch((error: unknown) => {
      restore()
      reject(error)
    })
  })
}

const callOf = (given: readonly unknown[]): (() => void) | undefined =>
  given.find((one): one is () => void => typeof one === 'function')
