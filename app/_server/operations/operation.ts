import { z, type ZodObject, type ZodType } from 'zod'
import { lowestRole } from '@/lib/account/right-words'
import { scopeAllows, tokenScopes, type Need } from '@/lib/viewer'
import type { problemCodes } from '../http/problem-codes'

/** A JSON Schema, as far as we use it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Which roles and scopes of `lib/viewer` allow that in a project. */
function ofProject(need: Need): string {
  const scopes = tokenScopes.filter((scope) => scopeAllows(scope, need))
  return `For ${lowestRole(need)}s of the project, and tokens with scope ${scopes.join(' or ')}.`
}

/** Who an operation is for; the access table of the tests uses the same word for its route. */
export const needs = {
  open: 'Open to all.',
  read: ofProject('read'),
  verdict: 'For viewers of the project, and tokens with any scope.',
  upload: ofProject('upload'),
  edit: ofProject('edit'),
  administer: ofProject('administer'),
  account: "For the account's own session, and tokens with scope admin that are not limited to one project.",
  projects: 'For every account, and tokens with scope read or admin.',
  owner: 'For owners of the installation, and their tokens with scope admin that are not limited to one project.',
} as const

/** A parameter without a schema of ours. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly description: string
  readonly schema: JsonSchema
}

export interface Answer {
  readonly description: string
  /** Schemas by media type, for JSON as it is sent; absent: the body is empty. */
  readonly content?: Readonly<Record<string, ZodType | JsonSchema>>
  readonly headers?: Readonly<Record<string, string>>
}

type ProblemsByStatus = { readonly [S in keyof typeof problemCodes]?: readonly (typeof problemCodes)[S][number][] }

export interface Operation {
  readonly summary: string
  readonly needs: keyof typeof needs
  /** Its query string, by the route's own schema. */
  readonly query?: ZodObject
  readonly parameters?: readonly Parameter[]
  /** Its body, by the route's own schema; `bytes`: a file. */
  readonly body?: ZodType | 'bytes'
  /** The body may be a form; the response is then a redirect. */
  readonly isForm?: true
  /** Problems are sent as text unless the client asks for JSON. */
  readonly isText?: true
  readonly answers: Readonly<Record<number, Answer>>
  /** Problems other than those of the need, the body and the method. */
  readonly problems?: ProblemsByStatus
}

/** Keyed by method and route, like the access table. */
export type Operations = Readonly<Record<string, Operation>>

/** JSON by this schema, which the type of what the route sends is checked against. */
export const json = (description: string, schema: ZodType): Answer => ({
  description,
  content: { 'application/json': schema },
})

/** A list under one key. */
export const list = (description: string, key: string, thing: ZodType): Answer =>
  json(description, z.object({ [key]: z.array(thing) }))

/** A file of one of these media types. */
export const file = (description: string, ...types: readonly string[]): Answer => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, type.startsWith('text/') ? { type: 'string' } : {}])),
})

/** The same, or JSON if the client asks for it. */
export const orJson = ({ description, content }: Answer, schema: ZodType): Answer => ({
  description,
  content: { 'application/json': schema, ...content },
})

export const nothing: Readonly<Record<number, Answer>> = { 204: { description: 'Done.' } }

export const text: JsonSchema = { type: 'string' }
export const inQuery = (name: string, description: string, schema: JsonSchema = text): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
})

/** Of a project. */
export const p = '/api/v1/projects/[project]'
export const conflict = { 409: ['conflict'] } as const

/** Problems of a file to read. */
export const refusedFile = [
  ...(['key-reused', 'empty', 'unknown-format', 'ambiguous-format', 'truncated', 'malformed'] as const),
  ...(['inconsistent', 'too-large'] as const),
] as const
