import { ZodType, type output, type ZodObject } from 'zod'
import type { AuditAction } from '@/lib/account/audit'
import type { Need, Viewer } from '@/lib/viewer'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { forgetReadings } from '@/prisma/statements/read-once'
import { readJson } from '../http/read-json'
import { respondJson, respondNothing } from '../http/respond'
import { mutation, noteSubject, route, type RouteOptions } from '../http/route'
import type { Operation } from './operation'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type PartsOf<At> = At extends `${string}[${infer Part}]${infer Rest}` ? Part | PartsOf<Rest> : never

/** An operation: who may use it, its input and response, and its name in the audit log. */
interface Said<
  At extends string,
  Needs extends Operation['needs'],
  Query extends ZodObject,
  Body extends ZodType,
  Read,
> extends Omit<Operation, 'needs' | 'query' | 'body'> {
  /** Method and address: those of the route file that exports it. */
  readonly at: At
  readonly needs: Needs
  /** Absent: it changes nothing. */
  readonly audit?: AuditAction
  readonly query?: Query
  /** Reads the query string, where `query` only describes it: a key repeats, or its values depend on each other. */
  readonly readQuery?: (params: URLSearchParams) => Read
  readonly body?: Body
  readonly options?: RouteOptions
}

/** A request for an operation, read by its schemas. */
interface Asked<At extends string, Query, Body extends ZodType> {
  readonly params: Readonly<Record<PartsOf<At>, string>>
  readonly query: Query
  readonly body: output<Body>
  readonly request: Request
  /** Notes for the audit log the subject of a change, where its address does not name it; null: nothing was changed. */
  readonly note: (subject: Readonly<Record<string, string>> | null) => void
}

/** What `readQuery` returns; without it, what the schema does. */
type ReadBy<Query extends ZodObject, Read> = unknown extends Read ? output<Query> : Read

type Handle<Own, At extends string, Query, Body extends ZodType> = (
  asked: Own & Asked<At, Query, Body>,
) => Promise<unknown>

/**
 * An operation of the API on a project, defined once: its route, its entry in the OpenAPI document and the reference,
 * its rights and its wording in the audit log follow from it. The right is checked before anything of the request is
 * read. `handle` returns the JSON of its answer, nothing if there is none, or a response of its own.
 */
export const projectOperation = <
  const At extends `${Method} /api/v1/projects/[project]${string}`,
  const N extends Need,
  Query extends ZodObject,
  Body extends ZodType,
  Read,
>(
  said: Said<At, N, Query, Body, Read>,
  /** `project` includes the viewer. */
  handle: Handle<{ readonly project: Granted<N> }, At, ReadBy<Query, Read>, Body>,
) => {
  const open = async (viewer: Viewer, { project = '' }: Params) => ({
    project: await grant(viewer, { slug: project }, said.needs),
  })
  return handler(said, open, handle)
}

/** The same for an operation on no project: its query checks what the viewer may do. */
export const operation = <
  const At extends `${Method} /api/v1/${string}`,
  Query extends ZodObject,
  Body extends ZodType,
>(
  said: Said<At, Exclude<Operation['needs'], Need>, Query, Body, unknown>,
  handle: Handle<{ readonly viewer: Viewer }, At, output<Query>, Body>,
) => handler(said, (viewer) => Promise.resolve({ viewer }), handle)

type Params = Readonly<Record<string, string>>

/** The route handler of an operation, with its description. `open`: what the viewer asks for, if they may have it. */
function handler<Own, At extends string, Query extends ZodObject, Body extends ZodType, Read>(
  said: Said<At, Operation['needs'], Query, Body, Read>,
  open: (viewer: Viewer, params: Params) => Promise<Own>,
  handle: Handle<Own, At, ReadBy<Query, Read>, Body>,
) {
  const status = Number(Object.keys(said.answers).find((one) => one.startsWith('2')))
  const answer = async (request: Request, params: Params, viewer: Viewer): Promise<Response> => {
    let own = await open(viewer, params)
    const { searchParams } = new URL(request.url)
    const query = said.readQuery?.(searchParams) ?? said.query?.parse(Object.fromEntries(searchParams))
    const body = said.body === undefined ? undefined : await readJson(request, said.body)
    // A right may be lost while a body arrives slowly.
    if (said.body !== undefined) {
      forgetReadings(viewer)
      own = await open(viewer, params)
    }
    const note = (subject: Readonly<Record<string, string>> | null) => noteSubject(request, subject)
    const asked = { ...own, params, query, body, request, note } as Own & Asked<At, ReadBy<Query, Read>, Body>
    const found = await handle(asked)
    if (found instanceof Response) return found
    return found === undefined ? respondNothing() : respondJson(found, status)
  }
  const run = said.audit === undefined ? route(answer, said.options) : mutation(said.audit, answer, said.options)
  return Object.assign(run, said)
}
