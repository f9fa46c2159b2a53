import { z } from 'zod'
import { sessionCookieName } from '../credentials/session-cookie'
import type { ProblemStatus } from '../http/problem-codes'
import { needs, type Answer, type JsonSchema, type Operation } from '../operations/operation'
import { version } from '../version'
import { allOperations } from './all-operations'
import { problemAnswer } from './problem-answer'

const problemWords: Readonly<Record<ProblemStatus, string>> = {
  400: 'The request is invalid, or its body is incomplete.',
  401: 'No session and no valid token.',
  403: "The role or the token's scope does not allow it, or the request comes from another site's page.",
  404: 'It does not exist, or the viewer may not see it.',
  408: 'The body arrived too slowly.',
  409: 'It conflicts with the current state.',
  413: 'The body is too large.',
  422: 'The file cannot be imported.',
  429: 'Too many requests.',
  500: "A defect. The server's log has the cause.",
  503: 'Temporarily unavailable.',
  507: "The server's disk is full.",
}

/**
 * The server may send these in text before the route is known: bad addresses, foreign pages, limits, an unavailable
 * database.
 */
const textStatuses: ReadonlySet<number> = new Set([400, 403, 404, 429, 503])

type Problems = Readonly<Partial<Record<ProblemStatus, readonly string[]>>>

/** The problems of an operation: those of its kind, and its own. */
function problemsOf(method: string, path: string, operation: Operation): Problems {
  const own: Problems = operation.problems ?? {}
  const signedIn: Problems = operation.needs === 'open' ? { 403: [] } : { 401: ['unauthenticated'], 403: ['forbidden'] }
  const isNamed = path.includes('[') || operation.needs === 'account' || operation.needs === 'owner'
  const derived: Problems = {
    400: ['invalid-input'],
    ...signedIn,
    ...(isNamed ? { 404: ['not-found'] } : {}),
    ...(operation.body === undefined ? {} : { 408: ['too-slow'], 413: ['too-large'] }),
    429: ['too-many-requests'],
    500: ['internal'],
    503: ['database-unavailable', 'store-unavailable'],
    ...(method === 'GET' ? {} : { 507: ['no-room'] }),
  }
  const statuses = Object.keys({ ...derived, ...own }).map(Number) as ProblemStatus[]
  return Object.fromEntries(
    statuses.map((status) => [status, [...new Set([...(derived[status] ?? []), ...(own[status] ?? [])])]]),
  )
}

function problemResponse(status: ProblemStatus, codes: readonly string[], isText: boolean): JsonSchema {
  const schema = { allOf: [{ $ref: `${components}Problem` }, { properties: { code: { enum: codes } } }] }
  const retries = status === 429 || status === 503
  return {
    description: problemWords[status],
    ...(retries ? { headers: { 'retry-after': { description: 'In seconds.', schema: { type: 'integer' } } } } : {}),
    content: {
      ...(codes.length > 0 ? { 'application/problem+json': { schema } } : {}),
      ...(isText || textStatuses.has(status) ? { 'text/plain': { schema: { type: 'string' } } } : {}),
    },
  }
}

const components = '#/components/schemas/'

type Direction = 'input' | 'output'
type Written = z.core.JSONSchema.BaseSchema

/** What the server sends: clients must tolerate added fields. All fields are present; keys of JSON are texts anyway. */
const asSent = ({ jsonSchema }: { readonly jsonSchema: Written }): void => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  delete jsonSchema.propertyNames
  delete jsonSchema.readOnly
  delete jsonSchema.default
}

const writtenSchema = z.looseObject({ $defs: z.record(z.string(), z.looseObject({})).optional() })

/** Named schemas are written once, under `components`. */
class Schemas {
  readonly named: Record<string, JsonSchema> = {}

  /** input: as the client sends it, so fields with a default are optional. */
  of(schema: z.ZodType, io: Direction): JsonSchema {
    const json = JSON.stringify(z.toJSONSchema(schema, io === 'output' ? { io, override: asSent } : { io }))
    const {
      $schema: _dialect,
      $defs,
      ...own
    } = writtenSchema.parse(JSON.parse(json.replaceAll('"#/$defs/', `"${components}`)))
    for (const [name, named] of Object.entries($defs ?? {})) {
      if (JSON.stringify(this.named[name] ?? named) !== JSON.stringify(named))
        throw new Error(`Two schemas have the name ${name}.`)
      this.named[name] = named
    }
    return own
  }
}

const headersOf = (headers: Readonly<Record<string, string>>): JsonSchema =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

/** Responses of several operations are written once, under `components`. */
class Responses {
  readonly components: Record<string, JsonSchema> = {}

  constructor(private readonly schemas: Schemas) {}

  of(method: string, path: string, operation: Operation): JsonSchema {
    const found: Record<string, JsonSchema> = {}
    for (const [status, answer] of Object.entries(operation.answers)) found[status] = this.answer(answer)
    if (operation.isForm === true) found['303'] = { description: 'For a form: the next page.' }
    found['414'] = {
      description: 'The address is too long.',
      content: { 'text/plain': { schema: { type: 'string' } } },
    }
    for (const [key, codes] of Object.entries(problemsOf(method, path, operation))) {
      const status = Number(key) as ProblemStatus
      const problem = this.problem(status, codes, operation.isText === true)
      const own = found[key]
      found[key] = own === undefined ? problem : joined(own, problemResponse(status, codes, true))
    }
    return found
  }

  private answer({ description, content, headers }: Answer): JsonSchema {
    const described = Object.entries(content ?? {}).map(([type, schema]): [string, JsonSchema] => [
      type,
      { schema: schema instanceof z.ZodType ? this.schemas.of(schema, 'output') : schema },
    ])
    return {
      description,
      ...(content === undefined ? {} : { content: Object.fromEntries(described) }),
      ...(headers === undefined ? {} : { headers: headersOf(headers) }),
    }
  }

  private problem(status: ProblemStatus, codes: readonly string[], isText: boolean): JsonSchema {
    const name = [status, ...codes, ...(isText ? ['text'] : [])].join('.')
    this.components[name] ??= problemResponse(status, codes, isText)
    return { $ref: `#/components/responses/${name}` }
  }
}

/** One status with two meanings: a verdict that fails a build, and a file that cannot be read. */
function joined(answer: JsonSchema, problem: JsonSchema): JsonSchema {
  const content = { ...(problem['content'] as object), ...(answer['content'] as object) }
  return { description: `${String(answer['description'])} Or: ${String(problem['description'])}`, content }
}

function parametersOf(path: string, { query, parameters = [] }: Operation, schemas: Schemas): readonly object[] {
  const inPath = [...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => {
    const schema = name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' }
    return { name, in: 'path', required: true, schema }
  })
  if (query === undefined) return [...inPath, ...parameters]
  const { properties = {}, required = [] } = schemas.of(query, 'input') as {
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
  }
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => {
    const words = description === undefined ? {} : { description }
    return { name, in: 'query', required: required.includes(name), ...words, schema }
  })
  return [...inPath, ...inQuery, ...parameters]
}

function bodyOf({ body, isForm }: Operation, schemas: Schemas): JsonSchema {
  if (body === undefined) return {}
  if (body === 'bytes') return { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
  const schema = schemas.of(body, 'input')
  const form = isForm === true ? { 'application/x-www-form-urlencoded': { schema } } : {}
  return { requestBody: { required: true, content: { 'application/json': { schema }, ...form } } }
}

/** `GET /api/v1/projects/[project]` → `getProjectsProject`. */
function operationId(method: string, path: string): string {
  const words = path.replace('/api/v1', '').match(/[a-z]+/gi) ?? []
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const tagOf = (path: string): string =>
  /^\/api\/v1\/projects\/\[project\]\/([a-z-]+)/.exec(path)?.[1] ?? path.split('/')[3] ?? ''

const documents = new Map<boolean, JsonSchema>()

/**
 * The description of every route below `/api/v1`, from the schemas that the routes read with. `hasAccounts`: whether
 * this server has them.
 */
export function openapiDocument(hasAccounts: boolean): JsonSchema {
  const written = documents.get(hasAccounts) ?? writeDocument(hasAccounts)
  documents.set(hasAccounts, written)
  return written
}

function writeDocument(hasAccounts: boolean): JsonSchema {
  const schemas = new Schemas()
  const responses = new Responses(schemas)
  schemas.of(problemAnswer, 'output')
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [key, operation] of Object.entries(allOperations)) {
    const [method = '', path = ''] = key.split(' ')
    const address = path.replace(/\[(\w+)\]/g, '{$1}')
    const isOpen = operation.needs === 'open' || !hasAccounts
    paths[address] ??= {}
    paths[address][method.toLowerCase()] = {
      operationId: operationId(method, path),
      summary: operation.summary,
      description: needs[operation.needs],
      tags: [tagOf(path)],
      security: isOpen ? [] : [{ token: [] }, { session: [] }],
      parameters: parametersOf(path, operation, schemas),
      ...bodyOf(operation, schemas),
      responses: responses.of(method, path, operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tailboard',
      version,
      description:
        "Results of load tests. Errors are RFC 9457 problems; other projects' data is not found, as if it did not exist.",
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.named).sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: responses.components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token: upload, read or admin.' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookieName, description: 'A signed-in browser.' },
      },
    },
  }
}
