import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A proxy between the app and its PostgreSQL, and its current behaviour. */
export interface WeakConnection {
  /** The same database, through the proxy. */
  readonly url: string
  /** Delay of bytes in each direction. */
  delayMs: number
  /** Nothing is passed on and no side is told: both continue as if the other were silent. */
  isDead: boolean
  /** How many of 100 chunks break their connection. */
  cutPercent: number
  close(): Promise<void>
}

/** A TCP proxy in front of a PostgreSQL. */
export async function startWeakConnection(databaseUrl: string, random: () => number): Promise<WeakConnection> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    let last = Promise.resolve()
    from.on('data', (bytes) => {
      last = last.then(async () => {
        if (weak.delayMs > 0) await sleep(weak.delayMs)
        if (weak.isDead || to.destroyed) return
        if (random() * 100 < weak.cutPercent) from.destroy()
        else to.write(bytes)
      })
    })
    from.on('close', () => void last.then(() => to.destroy()))
    from.on('error', () => undefined) // reported by `close`
  }
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    }
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const weak: WeakConnection = {
    url: url.href,
    delayMs: 0,
    isDead: false,
    cutPercent: 0,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return weak
}
