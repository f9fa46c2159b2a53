import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly atMs: number
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  close(): Promise<void>
}

/**
 * A real HTTP receiver on 127.0.0.1 that keeps what came and answers as told (default 204); `wantedPort` 0: on any
 * port.
 */
export async function startReceiver(
  answer: (received: Received, response: ServerResponse, request: IncomingMessage) => void = (_received, response) =>
    void response.writeHead(204).end(),
  wantedPort = 0,
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const body = Buffer.concat(chunks).toString()
      const one = { path: request.url ?? '', headers, body, atMs: Date.now() }
      received.push(one)
      answer(one, response, request)
    })
  })
  server.listen(wantedPort, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, port, received, close }
}
