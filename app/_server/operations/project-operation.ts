import { ZodType, type output, type ZodObject } from 'zod'
import type { AuditAction } from '@/lib/account/audit'
import type { Need, Viewer } from '@/lib/viewer'
import { grant, type Granted } from '@/prisma/queries/projects'
import { readJson } from '../http/read-json'
import { respondJson, respondNothing } from '../http/respond'
import { mutation, noteSubject, route, type RouteOptions } from '../http/route'
import type { Operation } from './operation'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type PartsOf<At> = At extends `${string}[${infer Part}]${infer Rest}` ? Part | PartsOf<Rest> : never

/** What an operation of a project is: who may use it, what it takes and responds with, and what the audit log calls it. */
interface ProjectOperation<
  At extends string,
  N extends Need,
  Query extends ZodObject,
  Body extends ZodType,
> extends Omit<Operation, 'needs' | 'query' | 'body'> {
  /** Method and address: that of the route file which exports it. */
  readonly at: At
  readonly needs: N
  /** Absent: it changes nothing. */
  readonly audit?: AuditAction
  readonly query?: Query
  readonly body?: Body
  readonly options?: RouteOptions
}

/** A request for an operation, read by its schemas, from a viewer who may make it. */
interface Asked<At extends string, N extends Need, Query extends ZodObject, Body extends ZodType> {
  /** With the viewer who asks. */
  readonly project: Granted<N>
  readonly params: Readonly<Record<PartsOf<At>, string>>
  readonly query: output<Query>
  readonly body: output<Body>
  readonly request: Request
  /** Says for the audit log what a change was done to, where its address does not. */
  readonly note: (subject: Readonly<Record<string, string>>) => void
}

/**
 * An operation of the API, said once: its route, its entry in the OpenAPI document and the reference, its rights and its
 * words in the audit log follow. The right is checked before anything of the request is read. `handle` gives the JSON of
 * its answer, nothing where that has none, or a response of its own.
 */
export function projectOperation<
  const At extends `${Method} /api/v1/projects/[project]${string}`,
  const N extends Need,
  Query extends ZodObject,
  Body extends ZodType,
>(said: ProjectOperation<At, N, Query, Body>, handle: (asked: Asked<At, N, Query, Body>) => Promise<unknown>) {
  type Params = Readonly<Record<PartsOf<At> | 'project', string>>
  const status = Number(Object.keys(said.answers).find((one) => one.startsWith('2')))
  const answer = async (request: Request, params: Params, viewer: Viewer): Promise<Response> => {
    const project = await grant(viewer, { slug: params.project }, said.needs)
    const query = said.query?.parse(Object.fromEntries(new URL(request.url).searchParams))
    const body = said.body === undefined ? undefined : await readJson(request, said.body)
    const note = (subject: Readonly<Record<string, string>>) => noteSubject(request, subject)
    const asked = { project, params, query, body, request, note } as Asked<At, N, Query, Body>
    const found = await handle(asked)
    if (found instanceof Response) return found
    return found === undefined ? respondNothing() : respondJson(found, status)
  }
  const handler = said.audit === undefined ? route(answer, said.options) : mutation(said.audit, answer, said.options)
  return Object.assign(handler, said)
}
