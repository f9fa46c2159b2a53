import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Frame } from '@/prisma/queries/projects/frames'
import { logDefect } from '../observe/log'
import type { FindRoute, RouteParams } from '../observe/route-patterns'
import { sendResponse, webRequest } from './web-exchange'

/** What a `route.ts` exports: a handler for each method, and what only Next reads. */
export type RouteModule = Readonly<Record<string, unknown>>
type Handler = (request: Request, context: { readonly params: Promise<RouteParams> }) => Response | Promise<Response>

/** Routes by the names of their folders, loaded when they are first requested. */
export type DirectRoutes = ReadonlyMap<string, () => Promise<RouteModule>>

/** What a build makes of the routes, in `routesFile`. */
export interface BuiltRoutes {
  readonly routes: DirectRoutes
  /** Opens the data of this process; does nothing when that has begun. */
  readonly openOnce: () => Promise<void>
  readonly readFrame: (headers: Headers) => Promise<Frame | null>
}

/**
 * Answers requests for these routes as Next would, without it: their handlers take and give the same. False: the
 * request is for another address, and Next answers.
 */
export function directRoutes(
  find: FindRoute,
  routes: DirectRoutes,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const loaded = new Map<string, Methods>()
  const load = async (name: string, own: () => Promise<RouteModule>): Promise<Methods> => {
    const methods = loaded.get(name) ?? methodsOf(await own())
    loaded.set(name, methods)
    return methods
  }
  return async (request, response) => {
    const found = find(request.url ?? '')
    const own = found === null ? undefined : routes.get(found.name)
    // Next redirects addresses that end in a slash.
    if (found === null || own === undefined || /^[^?]*\/(?:\?|$)/.test(request.url ?? '')) return false
    try {
      await answer(await load(found.name, own), found.params(), request, response)
    } catch (error) {
      logDefect(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
    return true
  }
}

type Methods = ReadonlyMap<string, Handler>

/** Every route that answers GET answers HEAD, and all answer OPTIONS. */
function methodsOf(route: RouteModule): Methods {
  const own = Object.entries(route).filter((entry): entry is [string, Handler] => typeof entry[1] === 'function')
  const methods = new Map<string, Handler>(own)
  const get = methods.get('GET')
  if (get !== undefined) methods.set('HEAD', get)
  const allow = [...methods.keys(), 'OPTIONS'].sort().join(', ')
  return methods.set('OPTIONS', () => new Response(null, { status: 204, headers: { allow } }))
}

async function answer(
  methods: Methods,
  params: RouteParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const handler = methods.get(request.method ?? '')
  if (handler === undefined) return void response.writeHead(405, { allow: [...methods.keys()].sort().join(', ') }).end()
  const sent = await handler(webRequest(request, response), { params: Promise.resolve(params) })
  await sendResponse(sent, request, response)
}
