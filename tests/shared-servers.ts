import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { z } from 'zod'
import { makeDataFolder } from './shared-databases'
import { startApp } from './server/app'
import { startReceiver } from './server/receiver'

/** Where workers ask for servers. Set by the global setup. */
const askVariable = 'TAILBOARD_TEST_SERVERS'

/**
 * `plain`: without accounts, and with a public name. `strict`: without accounts, with short limits on time and size;
 * what counts requests or guesses links uses it, too. Each worker of vitest has its own of these two, so that one file
 * at a time uses it. `accounts`: the one with accounts, for all files at once.
 */
export type SharedKind = 'plain' | 'strict' | 'accounts'

/** Limits of the strict server. */
export const strictLimits = { uploadSlowMs: 1_500, uploadIdleMs: 4_000, maxUpload: '20MB' } as const
export const metricsToken = 'metrics-token-of-the-tests'
export const publicUrl = 'https://bench.example.com'

const sharedServer = z.object({
  url: z.string(),
  pid: z.number(),
  dataFolder: z.string(),
  /** Ports on this machine that it may send webhooks to and that it sends mail to. */
  webhookPort: z.number(),
  smtpPort: z.number(),
  /** With accounts: the secret of a session of its first owner. */
  ownerSession: z.string().nullable(),
})

/** A server that other files use, too: nothing is stopped or deleted but what the file made. */
export interface SharedServer extends z.infer<typeof sharedServer> {
  /** Everything it printed so far. */
  output(): Promise<string>
}

/** The server of a kind; the first file that needs it waits for its start. */
export async function shareServer(kind: SharedKind): Promise<SharedServer> {
  const door = process.env[askVariable]
  if (door === undefined) throw new Error('No shared servers: tests/shared-servers.ts is the global setup.')
  const place = `${door}/${kind}/${kind === 'accounts' ? '' : (process.env.VITEST_POOL_ID ?? '')}`
  const response = await fetch(place)
  const text = await response.text()
  if (!response.ok) throw new Error(`The shared server did not start: ${text}`)
  const output = async () => (await fetch(`${place}/output`)).text()
  return { ...sharedServer.parse(JSON.parse(text)), output }
}

/** Vitest's global setup: starts each server when the first file needs it. Returns the teardown. */
export default async function setup(): Promise<() => Promise<void>> {
  const started = new Map<string, ReturnType<typeof start>>()
  const door = createServer((request, response) => {
    const [, kind = '', worker = '', asked = ''] = (request.url ?? '').split('/')
    const key = `${kind}/${worker}`
    const own = started.get(key) ?? start(z.enum(['plain', 'strict', 'accounts']).parse(kind))
    started.set(key, own)
    own.then(
      ({ server, app }) => response.end(asked === 'output' ? app.output() : JSON.stringify(server)),
      (error: unknown) => {
        started.delete(key) // the next file tries again
        response.writeHead(500).end(String(error))
      },
    )
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const address = door.address()
  process.env[askVariable] = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return async () => {
    door.closeAllConnections()
    door.close()
    for (const own of started.values()) await end(await own)
  }
}

async function start(kind: SharedKind) {
  const dataFolder = await makeDataFolder()
  const [webhookPort, smtpPort] = [await quietPort(), await quietPort()]
  const receiver = kind === 'accounts' ? await startReceiver(undefined, webhookPort) : null
  const app = await startApp({
    dataFolder,
    env: {
      ...webhookEnv(webhookPort),
      ...envOf(kind, smtpPort),
    },
  })
  // If vitest is interrupted, the teardown is not called.
  process.once('exit', () => app.process.kill())
  const ownerSession = kind === 'accounts' ? await acceptOwner(app.url, app.output()) : null
  const pid = app.process.pid ?? 0
  return { server: { url: app.url, pid, dataFolder, webhookPort, smtpPort, ownerSession }, app, receiver }
}

async function end({ server, app, receiver }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const code = await app.stop()
  await receiver?.close()
  await rm(server.dataFolder, { recursive: true, force: true })
  if (code !== 0) throw new Error(`A shared server ended with ${code}.`)
}

function envOf(kind: SharedKind, smtpPort: number): Readonly<Record<string, string>> {
  if (kind === 'accounts') return accountsEnv()
  if (kind === 'plain')
    return {
      TAILBOARD_PUBLIC_URL: publicUrl,
      TAILBOARD_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      TAILBOARD_MAIL_FROM: 'tailboard@example.com',
    }
  return {
    TAILBOARD_UPLOAD_SLOW_MS: String(strictLimits.uploadSlowMs),
    TAILBOARD_UPLOAD_IDLE_MS: String(strictLimits.uploadIdleMs),
    TAILBOARD_MAX_UPLOAD: strictLimits.maxUpload,
    TAILBOARD_GATE_MS: '0',
    TAILBOARD_METRICS_TOKEN: metricsToken,
  }
}

/** Allows webhooks to a port of this machine. */
export const webhookEnv = (port: number): Readonly<Record<string, string>> => ({
  TAILBOARD_WEBHOOK_HTTP: '1',
  TAILBOARD_WEBHOOK_CIDRS: '127.0.0.0/8',
  TAILBOARD_WEBHOOK_PORTS: String(port),
})

/** What a server with accounts is started with. */
export const accountsEnv = (): Readonly<Record<string, string>> => ({
  TAILBOARD_AUTH: 'on',
  TAILBOARD_SECRET_KEY: randomBytes(32).toString('base64'),
  // Behind a proxy: each request comes from an address of its own, so that limits by address are not met here.
  TAILBOARD_URL: 'https://tailboard.example',
  TAILBOARD_TOKEN_REQUESTS: '100000',
})

/** The first owner, by the link that the server printed: the secret of their session. */
export async function acceptOwner(url: string, output: string): Promise<string> {
  const token = /\/invitations\/([\w-]{43})/.exec(output)?.[1]
  if (token === undefined) throw new Error(`No link for the owner:\n${output}`)
  const person = { email: 'first@example.com', password: 'the first has a long password', name: 'first' }
  const accepted = await fetch(`${url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: { accept: 'application/json', origin: url, 'x-forwarded-for': '10.0.0.1' },
    body: JSON.stringify({ token, ...person }),
  })
  const secret = /__Host-tailboard=([\w-]{43})/.exec(accepted.headers.get('set-cookie') ?? '')?.[1]
  if (secret === undefined) throw new Error(`No session of the owner began: ${accepted.status}`)
  return secret
}

/** A free port below those that systems give to connections, which could take it before a test listens. */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + randomInt(20_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
