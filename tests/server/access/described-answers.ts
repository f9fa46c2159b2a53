import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { openapiDocument } from '@/app/_server/openapi/document'

/** A server's response, and its request. */
export interface Answered {
  readonly method: string
  /** With its query, without its origin. */
  readonly address: string
  readonly status: number
  /** Its Content-Type; null: none. */
  readonly type: string | null
  readonly text: string
}

const schema = z.record(z.string(), z.unknown())
const responseSchema = z.object({
  $ref: z.string().optional(),
  content: z.record(z.string(), z.object({ schema: schema.optional() })).optional(),
})
type Described = z.infer<typeof responseSchema>
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), responseSchema) }))),
  components: z.object({ schemas: z.record(z.string(), schema), responses: z.record(z.string(), responseSchema) }),
})
const { paths, components } = documentSchema.parse(openapiDocument(true))

/** Routes with the fewest variable parts first: `runs/merge` is not a run. */
const patterns = Object.keys(paths)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length)

/** Objects reject undescribed fields: an undescribed field fails here, though not for clients. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, own]) => [key, closed(own)]))
  const isObject = inner['type'] === 'object' && 'properties' in inner && !('additionalProperties' in inner)
  return isObject ? { ...inner, additionalProperties: false } : inner
}

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, formats: { 'date-time': utc } })
ajv.addSchema({ $id: 'api', components: { schemas: closed(components.schemas) } }, 'api')
ajv.addVocabulary(['components'])

const validators = new Map<string, ValidateFunction>()
function validatorOf(key: string, own: object): ValidateFunction {
  const found = validators.get(key)
  if (found) return found
  const text = JSON.stringify(closed(own)).replaceAll('"#/components/', '"api#/components/')
  const made = ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(text)))
  validators.set(key, made)
  return made
}

/** The operation in the document for a request: `get /api/v1/projects/{project}`; null: none. */
export function operationOf(method: string, address: string): string | null {
  const path = address.split(/[?#]/)[0] ?? ''
  const found = patterns.find((one) => one.pattern.test(path) && paths[one.path]?.[method.toLowerCase()])
  return found === undefined ? null : `${method.toLowerCase()} ${found.path}`
}

/** Where a response differs from the document; empty: nowhere, or the document does not describe such a request. */
export function faultsOf({ method, address, status, type, text }: Answered): readonly string[] {
  const operation = operationOf(method, address)
  if (operation === null) return []
  const [, path = ''] = operation.split(' ')
  const listed = paths[path]?.[method.toLowerCase()]?.responses[status]
  if (listed === undefined) return [`${operation}: ${status} is not documented`]
  const described: Described = components.responses[listed.$ref?.split('/').at(-1) ?? ''] ?? listed
  const mediaType = type?.split(';')[0] ?? null
  if (mediaType === null) return text === '' ? [] : [`${operation}: ${status} has a body without a type`]
  const content = described.content?.[mediaType]
  if (content === undefined) return [`${operation}: ${status} as ${mediaType} is not documented`]
  if (!mediaType.endsWith('json')) return []
  const validate = validatorOf(`${operation} ${status} ${mediaType}`, content.schema ?? {})
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${operation}: ${status} at ${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Operations that the document says respond with JSON. */
export const jsonOperations: readonly string[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { responses }]) =>
    Object.entries(responses).some(([status, { content }]) => status.startsWith('2') && content?.['application/json'])
      ? [`${method} ${path}`]
      : [],
  ),
)
