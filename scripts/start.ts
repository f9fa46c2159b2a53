/**
 * Serves on loopback, in one process that signals end cleanly. `npm run dev` runs it; `npm start` (start.js) runs what
 * the build bundled of it.
 */
import { createServer } from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import next from 'next'
import { countAnonymous } from '../app/_server/http/anonymous-requests'
import { directRoutes, type BuiltRoutes } from '../app/_server/http/direct-routes'
import { keepPages } from '../app/_server/pages/kept-pages'
import { whenFinished } from '../app/_server/observe/finished-request'
import { readRoutePatterns } from '../app/_server/observe/route-patterns'
import { closeServer, makeServer } from '../app/_server/http/serve'
import { shareMisses } from '../app/_server/http/share-misses'
import { timeLimits } from '../app/_server/http/time-limits'
import { EX_CONFIG, endStreams, failStart, shutDown } from '../app/_server/lifecycle'
import { meters } from '../app/_server/observe/meters'
import { readSettings, routesFile } from '../app/_server/settings'
import { buildsFolder, currentBuild, holdBuild } from './build-state'
import { log, logRequest, outliveReaders, takeConsole } from '../app/_server/observe/log'

const dev = process.argv.includes('--dev')
const root = process.cwd()
Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })

function read() {
  try {
    return readSettings(process.env)
  } catch (error) {
    failStart(error, EX_CONFIG)
  }
}
const settings = read()
outliveReaders()
takeConsole()

// Next listens here for sockets to take over, instead of on our server: there it would hold those that it does not
// know.
const sockets = createServer()
const app = next({ dev, dir: root, hostname: settings.host, port: settings.port, httpServer: sockets })
// The build that start.js passed on; a start without it serves the newest.
const built = dev ? null : (process.env.TAILBOARD_BUILD ?? currentBuild(buildsFolder(root)))
if (built !== null) holdBuild(built)
const findRoute = await readRoutePatterns(built)
// In development, Next answers everything, and opens the data.
const loaded = built === null ? null : await loadRoutes(built)
const { readFrame } = loaded ?? {}
const handle = app.getRequestHandler()
const server = makeServer({
  names: { publicUrl: settings.publicUrl, accountsUrl: settings.hasAccounts ? settings.appUrl : null },
  // We speak plain HTTP: an https address means that there is a proxy.
  isProxied: settings.hasAccounts && settings.appUrl.startsWith('https:'),
  staticFolder: built === null ? null : path.join(built, 'static'),
  dev,
  misses: shareMisses,
  anonymous: settings.hasAccounts ? countAnonymous(settings.anonymousPerMinute) : null,
  direct: directRoutes(findRoute, loaded?.routes ?? new Map()),
  handle: readFrame === undefined ? handle : keepPages({ find: findRoute, readFrame, handle }),
  limits: { ...timeLimits, workMs: Math.max(timeLimits.workMs, 2 * settings.uploadIdleMs) },
  upgrade: dev ? (request, socket, head) => void sockets.emit('upgrade', request, socket, head) : null,
  watch: (request, response, context) =>
    whenFinished(request, response, findRoute, (finished) => {
      meters()?.request(finished)
      logRequest(finished, context)
    }),
})

async function stop(signal: string): Promise<void> {
  log('info', `${signal}: finishing open requests …`)
  endStreams()
  let unfinished = 'open requests'
  setTimeout(() => {
    log('error', `Ended after 30 s without the end of ${unfinished}`)
    process.exit(1)
  }, 30_000).unref()
  await closeServer(server)
  unfinished = 'the background work'
  await shutDown().catch((error: unknown) => log('error', String(error)))
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(signal))

server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') failStart(`Port ${settings.port} is in use. Set another one: PORT=3001 npm start`)
  failStart(`The server could not start: ${error.message}`)
})

await loaded?.openOnce()
await app.prepare()
server.listen(settings.port, settings.host, () => void announce())

async function loadRoutes(build: string): Promise<BuiltRoutes> {
  return (await import(pathToFileURL(path.join(build, routesFile)).href)) as BuiltRoutes
}

/**
 * Address at which a server that listens on all addresses is reached from here: the wildcard itself cannot be opened.
 */
const allAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where it responds on this machine, and the address that people open if that differs. */
const shownAddress = (url: string): string =>
  settings.hasAccounts && settings.appUrl !== url ? `${url} (people open ${settings.appUrl})` : url

/** In development, the first request opens the data; the URL is printed when that is done. */
async function announce(): Promise<void> {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : settings.port
  const host = allAddresses[settings.host] ?? settings.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const response = await fetch(`${url}/healthz`)
  if (!response.ok) failStart(`The server responds with ${response.status} to ${url}/healthz.`)
  log('info', `Tailboard is at ${shownAddress(url)}`)
  await warmUp(url).catch((error: unknown) => log('warn', `The first requests will be slow: ${String(error)}`))
}

/**
 * Loads what the first requests would wait for: the code of an upload, and what all pages share, by a page that anyone
 * may read.
 */
async function warmUp(url: string): Promise<void> {
  if (loaded === null) return
  await Promise.all([loaded.routes.get('/api/v1/projects/[project]/uploads')?.(), (await fetch(`${url}/learn`)).text()])
}
