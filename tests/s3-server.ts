import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { startFauxqs } from 'fauxqs'

/** A bucket on a real server from another vendor. */
export interface TestBucket {
  /** What the settings read. */
  readonly env: Readonly<Record<string, string>>
  /** Breaks its connections and accepts no more. */
  goAway(): void
  comeBack(): void
  stop(): Promise<void>
}

let made = 0

/**
 * A new, empty bucket: in fauxqs, in this process, or under a new prefix of the bucket in TAILBOARD_TEST_S3_ENDPOINT
 * and TAILBOARD_TEST_S3_BUCKET (any server, with its keys where the SDK finds them). It is reached through a proxy that
 * can be cut.
 */
export async function startBucket(): Promise<TestBucket> {
  made += 1
  const { TAILBOARD_TEST_S3_ENDPOINT: endpoint, TAILBOARD_TEST_S3_BUCKET: name = 'tailboard' } = process.env
  const own = endpoint ? null : await startFauxqs({ port: 0, logger: false })
  own?.createBucket(name)
  const { hostname, port } = new URL(endpoint ?? `http://127.0.0.1:${own?.port}`)
  const line = makeLine({ host: hostname, port: Number(port) })
  line.server.listen(0, '127.0.0.1')
  await once(line.server, 'listening')
  const address = line.server.address()
  const linePort = typeof address === 'object' && address !== null ? address.port : 0
  return {
    env: {
      TAILBOARD_S3_BUCKET: name,
      TAILBOARD_S3_ENDPOINT: `http://127.0.0.1:${linePort}`,
      TAILBOARD_S3_PREFIX: `test-${process.pid}-${Date.now()}-${made}`,
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'test',
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'test',
    },
    goAway: line.cut,
    comeBack: line.mend,
    async stop() {
      line.cut()
      line.server.close()
      await own?.stop()
    },
  }
}

function makeLine(to: { readonly host: string; readonly port: number }): {
  readonly server: Server
  cut(): void
  mend(): void
} {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(to)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined) // the other end is closed with it
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  return {
    server,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend: () => (isCut = false),
  }
}
