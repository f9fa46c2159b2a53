import { randomBytes } from 'node:crypto'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnonymousRequests } from './anonymous-requests'
import { readSessionCookie } from '../credentials/session-cookie'
import { isDatabaseAway, outageRetrySeconds } from '../outage'
import { knownMethods } from '../observe/finished-request'
import { inRequest, requestId, type RequestContext } from '../observe/request-context'
import {
  virtualHostOf,
  isBadgePath,
  isEmbedPath,
  isProbePath,
  isSharePath,
  isViewerPath,
  refuseRequest,
  type Names,
} from './request-guard'
import { oneAtATime } from './one-at-a-time'
import { readPath, withoutSlash, type RequestPath } from './request-path'
import {
  badgeHeaders,
  contentSecurityPolicy,
  responseHeaders,
  secureHeaders,
  shareHeaders,
  viewerHeaders,
} from './response-headers'
import type { ShareMisses } from './share-misses'
import { staticFiles } from './static-files'
import { limitTime, timeLimits, type TimeLimits } from './time-limits'

/** What the server needs to know, and the handlers of the requests it lets through. */
export interface ServerOptions {
  /** The names under which it is reached. */
  readonly names: Names
  /** Whether a proxy of ours is in front, so that the last address of X-Forwarded-For is the client's. */
  readonly isProxied: boolean
  /**
   * Folder of the build's own files; null: they change, as in development, and `handle` responds to requests for them.
   */
  readonly staticFolder: string | null
  readonly dev: boolean
  readonly misses: ShareMisses
  /** Null: no client is limited, as on a server without accounts. */
  readonly anonymous: AnonymousRequests | null
  /** Answers requests for the routes that need nothing of Next. False: the request is for another address. */
  readonly direct: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  /** Next, for everything else. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Takes over the sockets of development; null: there are none. */
  readonly upgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | null
  /** Absent: `timeLimits`. */
  readonly limits?: TimeLimits
  /** Sees each request before anything is done with it. */
  readonly watch: (request: IncomingMessage, response: ServerResponse, context: RequestContext) => void
}

/**
 * The HTTP server, not listening yet. Each request passes the guard, gets the headers of every response and the policy
 * for scripts, and goes to the build's own files, to `direct` or to `handle`.
 */
export function makeServer(options: ServerOptions): Server {
  const respond = responder(options)
  const limits = options.limits ?? timeLimits
  // How often Node looks for late heads.
  const connectionsCheckingInterval = Math.min(30_000, limits.headMs)
  const server = createServer({ maxHeaderSize: maxHeadBytes, connectionsCheckingInterval }, (request, response) =>
    oneAtATime(request, response, () =>
      inRequest(request, (context) => {
        const admitted = admit(request, response, context, options)
        if (admitted !== null) void respond(request, response, admitted)
      }),
    ),
  )
  // Node silently drops those beyond 2,000, including a second Host; the size of a head bounds them anyway.
  server.maxHeadersCount = 0
  limitTime(server, limits, isUpload)
  handleTunnels(server, options)
  watchSilent(server)
  return server
}

/** A request that passed the guard. */
interface Admitted {
  /** Address of its client. */
  readonly client: string
  /** It is for what strangers see. */
  readonly isShare: boolean
}

/** Sends a file of the build, or what a route makes of the request; strangers who guess links wait. */
function responder({ staticFolder, direct, handle, misses }: ServerOptions) {
  const respondStatic = staticFolder === null ? () => Promise.resolve(false) : staticFiles(staticFolder)
  return async (request: IncomingMessage, response: ServerResponse, { client, isShare }: Admitted): Promise<void> => {
    if (isShare) {
      // When the database is away, the share itself reports it.
      const waitSeconds = await misses.wait(client).catch(() => null)
      if (waitSeconds !== null) return void refuse(response, tooManyMisses(waitSeconds))
      response.once('finish', () => {
        if (response.statusCode === 404) void misses.note(client).catch(() => undefined)
      })
    }
    if (await respondStatic(request, response)) return
    if (!(await direct(request, response))) await handle(request, response)
  }
}

/** Passes a request through the guard and sets the headers of every response; null: it was refused. */
function admit(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  { names, isProxied, anonymous, dev, watch }: ServerOptions,
): Admitted | null {
  const read = readPath(request.url ?? '')
  const target = read === null ? null : withoutSlash(read)
  // Everything after this, Next included, sees the address as read here.
  if (target !== null) request.url = target.path + target.query
  response.setHeader('x-request-id', context.id)
  watch(request, response, context)
  const client = clientOf(request, isProxied || virtualHostOf(request.headers.host, names) === 'public')
  context.client = client
  setHeaders(response, isSecure(names) ? { ...responseHeaders, ...secureHeaders } : responseHeaders)
  const misread = misreadBy(request)
  if (target === null || misread !== null) return refuse(response, misread ?? notAnAddress)
  const { path } = target
  const isBadge = isBadgePath(path)
  const isShare = isSharePath(path) || isBadge
  setHeaders(response, isBadge ? badgeHeaders : isShare ? shareHeaders : isViewerPath(path) ? viewerHeaders : {})
  const isEmbed = isEmbedPath(path)
  if (isEmbed) forbidFramesAtLast(response)
  // Whatever the client sent after it is in another protocol, or lost.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  const refusal = refusalOf(request, path, names)
  if (refusal !== null) return refuse(response, refusal)
  const { authorization, cookie } = request.headers
  const isFree = /^\/(?:(?:healthz|readyz)$|_next\/static\/|icon|favicon)/.test(path)
  const waitSeconds = isFree ? null : (anonymous?.take(client, { authorization, cookie }) ?? null)
  if (waitSeconds !== null) return refuseForLimit(request, response, waitSeconds)
  if (isDatabaseAway() && needsDatabase(path)) return refuseForNow(request, response)
  addOwnHeaders(request, client, isShare)
  const policy = addPolicy(request, dev)
  if (!isEmbed && !isViewerPath(path)) response.setHeader('content-security-policy', policy)
  closeIfEarly(request, response)
  return { client, isShare }
}

const isSecure = ({ publicUrl, accountsUrl }: Names): boolean =>
  [publicUrl, accountsUrl].some((url) => url?.startsWith('https:'))

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** A policy with a nonce of its own: Next takes that for its scripts from this request header; pages read x-nonce. */
function addPolicy({ headers }: IncomingMessage, dev: boolean): string {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, dev)
  headers['content-security-policy'] = policy
  headers['x-nonce'] = nonce
  return policy
}

/** Upgrades are those of development, if any; no tunnel is made. */
function handleTunnels(server: Server, { names, upgrade }: ServerOptions): void {
  // Without a listener for upgrades, Node leaves such requests to the other handlers, but silently closes a tunnel.
  if (upgrade !== null)
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const isOurs = readPath(request.url ?? '')?.path.startsWith('/_next/') === true
      if (isOurs && virtualHostOf(request.headers.host, names) === 'whole') upgrade(request, socket, head)
      else refuseSocket(socket, notUpgraded)
    })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuseSocket(socket, notAnAddress))
}

function watchSilent(server: Server): void {
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  silentOf.set(server, silent)
}

/** Connections of a server that no request was read from yet. */
const silentOf = new WeakMap<Server, ReadonlySet<Socket>>()

/**
 * Headers that proxies add for others: Next would believe them from any client. We know our names, and whether a proxy
 * is ours.
 */
const unheard = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'forwarded'] as const

/** Headers that are ours, never the client's. Shares and badges are drawn for a stranger, even on this machine. */
function addOwnHeaders(request: IncomingMessage, client: string, isShare: boolean): void {
  const { headers } = request
  for (const name of unheard) Reflect.deleteProperty(headers, name)
  headers['x-tailboard-client'] = client
  headers['x-tailboard-url'] = request.url
  if (isShare) headers['x-tailboard-share'] = '1'
  else delete headers['x-tailboard-share']
}

/** Accepts no more connections, and resolves when the open requests are finished. */
export async function closeServer(server: Server): Promise<void> {
  const silent = silentOf.get(server)
  // Connections whose request has arrived but is still unread count as idle, and would be reset: two turns of the loop
  // read them, on a busy machine more. A browser opens some that stay silent.
  for (let turn = 0; turn < 2 || (turn < 10 && silent !== undefined && silent.size > 0); turn += 1) await sleep(100)
  // By now nothing is on its way on them. Node counts them as busy: a client opens one ahead, or after an abort.
  for (const socket of silent ?? []) socket.destroy()
  // The server would wait for a keep-alive connection even after its response is sent.
  const idle = setInterval(() => server.closeIdleConnections(), 250)
  await new Promise((resolve) => server.close(resolve))
  clearInterval(idle)
}

interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const tooManyMisses = (seconds: number): Refusal => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  text: `Too many requests for unknown links: try again in ${seconds} s.`,
})

/** Longest address of ours: sides of more runs than fit are named by one run each. */
const maxUrlLength = 8_000
/** For a head: the address, and the address of the linking page that Next adds, encoded twice. */
const maxHeadBytes = 48 * 1_024

const badRequest = (text: string): Refusal => ({ status: 400, headers: { connection: 'close' }, text })
const notAnAddress = badRequest(
  'The address is not valid: as a path of this server, send it without //, \\, dot segments, and these encoded (%2F, %5C, %2E). The name of a file that holds one of them goes into ?name=.',
)
const notUpgraded = badRequest('Nothing here is upgraded to another protocol.')

/**
 * Why a request must not be acted on, wherever it leads: proxies and we could read it differently. Null: it has one
 * reading.
 */
function misreadBy({ headers, rawHeaders }: IncomingMessage): Refusal | null {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) return badRequest('The request has more than one Host.')
  // Others are offers that we decline, such as curl's and Java's of HTTP/2.
  return /websocket/i.test(headers.upgrade ?? '') ? notUpgraded : null
}

/** Whether the body of a request is an upload, whose route watches its pace. */
const isUpload = ({ method, url }: IncomingMessage): boolean =>
  (method === 'PUT' || method === 'POST') && /^\/api\/v1\/projects\/[^/]+\/uploads(?:\/[^/?]+)?(?:\?|$)/.test(url ?? '')

/** Why a request goes no further, or null. Strangers get no reason. */
function refusalOf(request: IncomingMessage, path: RequestPath, names: Names): Refusal | null {
  const { host, origin, cookie } = request.headers
  const secFetchSite = request.headers['sec-fetch-site']?.toString()
  const hasSession = readSessionCookie(cookie ?? null) !== null
  const from = { method: request.method ?? 'GET', host, origin, secFetchSite, path, hasSession }
  const reason = refuseRequest(from, names)
  const headers = { connection: 'close' }
  if (reason !== null && virtualHostOf(host, names) === 'public') return { status: 404, headers, text: 'Not found.' }
  if (reason !== null) return { status: 403, headers, text: reason }
  // Next does not know TRACE, and would answer 500.
  if (!knownMethods.has(request.method ?? ''))
    return {
      status: 405,
      headers: { ...headers, allow: [...knownMethods].join(', ') },
      text: 'No route has this method.',
    }
  return (request.url ?? '').length > maxUrlLength
    ? { status: 414, headers, text: `The address is longer than ${maxUrlLength} characters.` }
    : null
}

/** Null, as all refusals: there is nothing more to do. */
function refuse(response: ServerResponse, { status, headers, text }: Refusal): null {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
  return null
}

/** The same when there is no response object, only the connection. */
function refuseSocket(socket: Duplex, { status, text }: Refusal): void {
  socket.on('error', () => undefined) // gone: no client is left to refuse
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'content-type: text/plain; charset=utf-8']
  const body = `${text}\n`
  const lines = [...head, `content-length: ${Buffer.byteLength(body)}`, 'connection: close', '', body]
  socket.end(lines.join('\r\n'), () => socket.destroy())
}

/** Refuses a client that is not signed in and asked too often: a problem for programs, a line for others. */
function refuseForLimit(request: IncomingMessage, response: ServerResponse, seconds: number): null {
  response.setHeader('retry-after', String(seconds))
  response.setHeader('cache-control', 'no-store')
  closeIfEarly(request, response)
  const detail = `Too many requests without being signed in: try again in ${seconds} s.`
  if (!(request.headers.accept ?? '').includes('json'))
    return refuse(response, { status: 429, headers: {}, text: detail })
  const problem = { type: 'about:blank', title: 'Too many requests', status: 429, code: 'too-many-requests' }
  const body = JSON.stringify({ ...problem, detail, hint: null, retryAfterSeconds: seconds, requestId: requestId() })
  response.writeHead(429, { 'content-type': 'application/problem+json' }).end(body)
  return null
}

const needsDatabase = (path: RequestPath): boolean =>
  !isProbePath(path) && !isViewerPath(path) && !/^\/_next(?:\/|$)/.test(path)

const awaySentence = `The database does not respond at the moment. Try again in ${outageRetrySeconds} seconds.`

/** A page, a problem or a line, as the client wants it: nothing can be shown at the moment. */
function refuseForNow(request: IncomingMessage, response: ServerResponse): null {
  const accept = request.headers.accept ?? '*/*'
  const retry = String(outageRetrySeconds)
  response.setHeader('retry-after', retry)
  response.setHeader('cache-control', 'no-store')
  closeIfEarly(request, response)
  if (accept.includes('html')) {
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="${retry}"><title>Database unavailable · Tailboard</title><h1>The database is unavailable</h1><p>${awaySentence} This page does so automatically.</p></html>`
    response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  } else if (accept.includes('json')) {
    const problem = { type: 'about:blank', title: 'Database unavailable', status: 503, code: 'database-unavailable' }
    const body = JSON.stringify({ ...problem, detail: awaySentence, hint: null, requestId: requestId() })
    response.writeHead(503, { 'content-type': 'application/problem+json' }).end(body)
  } else refuse(response, { status: 503, headers: {}, text: awaySentence })
  return null
}

/** The client's address: behind a proxy, the one that the proxy saw, which is the last in its list. */
function clientOf(request: IncomingMessage, isProxied: boolean): string {
  const forwarded = isProxied ? request.headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim() : undefined
  return (forwarded || request.socket.remoteAddress) ?? ''
}

/**
 * Leaves it to the route whether frames may show its response: Next drops a route's value of a header that is already
 * set. A response without a policy of its own forbids them.
 */
function forbidFramesAtLast(response: ServerResponse): void {
  response.removeHeader('x-frame-options')
  response.removeHeader('cross-origin-resource-policy')
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]) => {
    if (!response.hasHeader('content-security-policy')) {
      response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      for (const name of ['x-frame-options', 'cross-origin-resource-policy'])
        response.setHeader(name, responseHeaders[name] ?? '')
    }
    return writeHead(...args)
  }
}

/**
 * A response sent before the whole body arrived (too large) ends the connection: the remaining bytes belong to no
 * request.
 */
function closeIfEarly(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false
    return writeHead(...args)
  }
}
