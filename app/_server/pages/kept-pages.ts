import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Frame } from '@/prisma/queries/projects/frames'
import { noteFrame } from '../observe/request-context'
import type { FindRoute, FoundRoute } from '../observe/route-patterns'
import { captureResponse } from './capture-response'
import { PageParts, type PageHoles } from './page-parts'

/** Pages that show the same to all who may see the same, but for the name at the foot of the rail. */
const keptRoutes: ReadonlySet<string> = new Set([
  '/',
  '/p/[project]',
  '/p/[project]/runs',
  '/p/[project]/runs/[run]',
  '/p/[project]/trends',
  '/p/[project]/trends/[series]',
  '/p/[project]/compare',
  '/p/[project]/compare/[refs]',
  '/p/[project]/comparisons',
  '/p/[project]/comparisons/[comparison]',
  '/p/[project]/matrix',
])

const keptBytes = 64 * 1024 ** 2
/** Ages on a page are in minutes, hours and days. */
const keptMs = 30_000

/** Headers of a request that decide what Next answers. */
const decidingHeaders = ['host', 'rsc', 'next-router-state-tree', 'next-router-prefetch', 'next-url'] as const

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface KeptPage {
  /** What it was made from. */
  readonly state: string
  readonly headers: OutgoingHttpHeaders
  /** The nonce in these headers. */
  readonly nonce: string
  readonly parts: PageParts
}

interface Options {
  readonly find: FindRoute
  readonly readFrame: (headers: Headers) => Promise<Frame | null>
  /** Next. */
  readonly handle: Handle
}

/**
 * Answers requests for pages: what Next made of a version of a project is sent to everyone who may see the same, until
 * the next version. Each request reads that version, and what its viewer may see, from the database: nobody gets a page
 * that is older than the request, or one of another right.
 */
export function keepPages({ find, readFrame, handle }: Options): Handle {
  const kept = new LRUCache<string, KeptPage>({ maxSize: keptBytes, ttl: keptMs, sizeCalculation: sizeOf })
  /** Pages that are being made: whoever wants the same one waits for it. */
  const making = new Map<string, Promise<KeptPage | null>>()
  return async (request, response) => {
    const route = request.method === 'GET' ? find(request.url ?? '') : null
    if (route === null || !keptRoutes.has(route.name)) return handle(request, response)
    // What fails here fails in the page, too, which then says so.
    const frame = await readFrame(credentialsOf(request)).catch(() => null)
    if (frame === null) return handle(request, response)
    const holes = { nonce: nonceOf(request), name: frame.viewer.kind === 'member' ? frame.viewer.name : '' }
    const key = keyOf(request, frame)
    const state = stateOf(slugOf(route), frame)
    const last = kept.get(key)
    const known = last?.state === state ? last : await making.get(key + state)
    if (known) return send(known, 200, request, response, holes)
    noteFrame(nameless(frame))
    const own = make(state, request, response, handle, holes)
    making.set(
      key + state,
      own.catch(() => null),
    )
    try {
      const page = await own
      if (page !== null) kept.set(key, page)
    } finally {
      making.delete(key + state)
    }
  }
}

/** Stands for a name while a page is made. Nothing that a person writes contains it. */
const noName = `name-${randomUUID()}`
const nameless = ({ viewer, projects }: Frame): Frame => ({
  viewer: viewer.kind === 'member' ? { ...viewer, name: noName } : viewer,
  projects,
})

/** Has Next make the page, and sends it; null: it is not to be kept. */
async function make(
  state: string,
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  holes: PageHoles,
): Promise<KeptPage | null> {
  const encoding = request.headers['accept-encoding']
  // It is compressed when it is sent.
  delete request.headers['accept-encoding']
  const captured = await captureResponse(request, response, handle)
  if (captured === null) return null
  request.headers['accept-encoding'] = encoding
  const { status, headers, body } = captured
  const isHtml = String(headers['content-type']).startsWith('text/html')
  const given = { nonce: holes.nonce, name: noName }
  const page = { state, headers, nonce: holes.nonce, parts: await PageParts.of(body.toString(), given, isHtml) }
  send(page, status, request, response, holes)
  return status === 200 ? page : null
}

/** Sends a page, or 304 when the client has it. */
function send(page: KeptPage, status: number, request: IncomingMessage, response: ServerResponse, holes: PageHoles) {
  if (response.destroyed) return
  for (const [name, value] of Object.entries(page.headers))
    if (value !== undefined)
      response.setHeader(name, typeof value === 'string' ? value.replaceAll(page.nonce, holes.nonce) : value)
  response.setHeader('vary', [page.headers.vary, 'accept-encoding'].flat().filter(Boolean).join(', '))
  const isHtml = String(page.headers['content-type']).startsWith('text/html')
  if (status === 200 && isHtml) {
    const tag = page.parts.tag(holes.name)
    response.setHeader('cache-control', 'private, no-cache')
    response.setHeader('etag', tag)
    if (request.headers['if-none-match']?.includes(tag) === true) {
      // What the client has was sent with a nonce of its own, and the policy that belongs to it.
      response.removeHeader('content-security-policy')
      return void response.writeHead(304).end()
    }
  }
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers['accept-encoding'] ?? '')
  const bytes = takesGzip ? page.parts.gzip(holes) : page.parts.plain(holes)
  if (takesGzip) response.setHeader('content-encoding', 'gzip')
  response.setHeader('content-length', bytes.length)
  response.writeHead(status).end(bytes)
}

const sizeOf = ({ parts }: KeptPage): number => parts.size + 1_000

const nonceOf = (request: IncomingMessage): string => String(request.headers['x-nonce'])

function credentialsOf({ headers: { authorization, cookie } }: IncomingMessage): Headers {
  const headers = new Headers()
  if (authorization !== undefined) headers.set('authorization', authorization)
  if (cookie !== undefined) headers.set('cookie', cookie)
  return headers
}

/** Null: the page shows all projects. */
const slugOf = (route: FoundRoute): string | null => (route.name === '/' ? null : (route.params()['project'] ?? ''))

/** Who may see the page, and which: in the place of one that is kept under the same key comes its next state. */
function keyOf(request: IncomingMessage, { viewer, projects }: Frame): string {
  const right = viewer.kind === 'member' ? ['member', viewer.isOwner] : [viewer.kind]
  const roles = projects.map(({ id, role }) => [id, role])
  return hashOf([request.url, ...decidingHeaders.map((name) => request.headers[name] ?? null), right, roles])
}

/** All else that decides what the page shows: the frame, and the versions of what is in it. */
function stateOf(slug: string | null, { projects }: Frame): string {
  const versions = projects.map((one) => (slug === null || one.slug === slug ? one.version : ''))
  return hashOf([projects.map(({ version: _, ...own }) => own), versions])
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')
