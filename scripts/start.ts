/** `npm start` and `npm run dev`: build if needed, then serve on loopback. One process; signals end it cleanly. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import next from 'next'
import {
  badgeHeaders,
  contentSecurityPolicy,
  responseHeaders,
  shareHeaders,
} from '../app/_server/http/response-headers'
import { doorOf, isBadgePath, isReadablePath, isSharePath, refuseRequest } from '../app/_server/http/request-guard'
import { staticFiles } from '../app/_server/http/static-files'
import { readSettings } from '../app/_server/settings'
import { countShareMisses, type ShareMisses } from '../app/_server/sharing/share-misses'
import { shutDown } from '../app/_server/lifecycle'
import { buildIsCurrent, markBuild } from './build-state'

const dev = process.argv.includes('--dev')
const root = new URL('..', import.meta.url).pathname
process.chdir(root)
Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function read() {
  try {
    return readSettings(process.env)
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}
const settings = read()

if (!dev && !buildIsCurrent(root)) {
  process.stdout.write('Building (once, about half a minute) …\n')
  const build = spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (build.status !== 0) fail(`${build.stdout}\n${build.stderr}\nThe build failed; see the lines above.`)
  markBuild(root)
}

// tsx turns them on for all that is loaded after it: Node would read the maps of the whole build, seconds of every start.
if (!dev) process.setSourceMapsEnabled(false)
const app = next({ dev, dir: root, hostname: settings.host, port: settings.port })
const handle = app.getRequestHandler()

/** Of the build; in development they change. */
const answerStatic = dev
  ? () => Promise.resolve(false)
  : staticFiles(path.resolve(root, process.env['TAILBOARD_NEXT_DIR'] ?? '.next', 'static'))

const misses: ShareMisses = countShareMisses()

const server = createServer((request, response) => {
  const url = request.url ?? '/'
  const door = doorOf(request.headers.host, settings.publicUrl)
  const refusal = refuseRequest(
    {
      method: request.method ?? 'GET',
      host: request.headers.host,
      origin: request.headers.origin,
      secFetchSite: request.headers['sec-fetch-site']?.toString(),
      url,
    },
    settings.publicUrl,
  )
  const isBadge = isBadgePath(url)
  const isShare = isSharePath(url) || isBadge
  const ownHeaders = isBadge ? badgeHeaders : isShare ? shareHeaders : {}
  for (const [name, value] of Object.entries({ ...responseHeaders, ...ownHeaders })) {
    response.setHeader(name, value)
  }
  if (refusal !== null && door === 'public') {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end('Not found.\n')
    return
  }
  if (refusal !== null) {
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${refusal}\n`)
    return
  }
  if (!isReadablePath(url)) {
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end('The address is not valid.\n')
    return
  }
  if (isShare) {
    const client = clientOf(request, door === 'public')
    if (misses.isOver(client, Date.now())) {
      response
        .writeHead(429, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '60' })
        .end('Too many requests for unknown links: try again in a minute.\n')
      return
    }
    response.once('finish', () => {
      if (response.statusCode === 404) misses.note(client, Date.now())
    })
  }
  // Shares and badges are drawn for a stranger, whoever looks: this header is ours, never the client's.
  if (isShare) request.headers['x-tailboard-share'] = '1'
  else delete request.headers['x-tailboard-share']
  // Next takes the nonce for its own scripts from this request header; pages read x-nonce.
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, dev)
  request.headers['content-security-policy'] = policy
  request.headers['x-nonce'] = nonce
  response.setHeader('content-security-policy', policy)
  closeWhenRefused(request, response)
  void answerStatic(request, response).then((isAnswered) => (isAnswered ? undefined : handle(request, response)))
})

/** Who asks: behind the public door the address that the proxy saw, which is the last one of the list. */
function clientOf(request: IncomingMessage, behindProxy: boolean): string {
  const forwarded = behindProxy ? request.headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim() : undefined
  return (forwarded || request.socket.remoteAddress) ?? ''
}

/**
 * A response that comes before the whole body did (too large) ends the connection: what still arrives belongs to
 * nobody.
 */
function closeWhenRefused(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false
    return writeHead(...args)
  }
}
// A piped tool is silent until it ends; the import itself watches for stalled bodies.
server.requestTimeout = 0
server.headersTimeout = 70_000
// Longer than clients keep idle connections, or they reuse one at the moment it is closed.
server.keepAliveTimeout = 65_000

async function stop(signal: string): Promise<void> {
  process.stdout.write(`${signal}: finishing open requests …\n`)
  const giveUp = setTimeout(() => process.exit(1), 30_000)
  giveUp.unref()
  server.closeIdleConnections()
  await new Promise((resolve) => server.close(resolve))
  await shutDown().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(signal))

server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') fail(`Port ${settings.port} is in use. Set another one: PORT=3001 npm start`)
  fail(`The server could not start: ${error.message}`)
})

await app.prepare()
server.listen(settings.port, settings.host, () => void announce())

/** The first request opens and migrates the database (instrumentation.ts); the URL is printed when that is done. */
async function announce(): Promise<void> {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : settings.port
  const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`
  const response = await fetch(`${url}/healthz`)
  if (!response.ok) fail(`The server responds with ${response.status} to ${url}/healthz.`)
  process.stdout.write(`Tailboard is at ${url}\n`)
}
