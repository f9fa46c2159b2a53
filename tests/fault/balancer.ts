import { once } from 'node:events'
import { createServer, request as ask, type Server } from 'node:http'

/** A simple load balancer: each request goes to the next available instance; a broken one is a 502. */
export interface Balancer {
  readonly url: string
  /** Where the instances are from now on; null: down. */
  readonly places: (string | null)[]
  close(): Promise<void>
}

/** Listens on a free port, so that the instances can know its address before they start. */
export async function startBalancer(): Promise<Balancer> {
  const places: (string | null)[] = []
  let turn = 0
  const server: Server = createServer((request, response) => {
    const there = places.filter((place) => place !== null)
    turn += 1
    const place = there[turn % there.length]
    if (place === undefined) return void response.writeHead(502).end()
    const { hostname, port } = new URL(place)
    const { method, url, headers } = request
    const onward = ask({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`,
    places,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
