import { z } from 'zod'
import type { ApiOperation, ApiWords } from '@/lib/api-reference'
import { openapiDocument } from './document'

const schemaOf = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
})

const contentSchema = z.record(z.string(), z.object({ schema: z.unknown().optional() })).optional()
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean().optional(),
      description: z.string().optional(),
      schema: z.unknown().optional(),
    }),
  ),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string().optional(), $ref: z.string().optional(), content: contentSchema }),
  ),
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({ description: z.string().optional() })),
    responses: z.record(z.string(), z.object({ description: z.string() })),
  }),
})

/** The OpenAPI document for people: its operations by subject, in its order, and the types that they name. */
export function apiReference(hasAccounts: boolean): ApiWords {
  const { paths, components } = documentSchema.parse(openapiDocument(hasAccounts))
  const groups = new Map<string, ApiOperation[]>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, found] of Object.entries(methods)) {
      const { operationId, summary, description, tags, parameters, requestBody, responses } = found
      const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
      const own: ApiOperation = {
        ...{ id: operationId, method: method.toUpperCase(), path, summary, needs: description },
        parameters: parameters.map((one) => ({
          ...{ name: one.name, place: one.in, isRequired: one.required === true },
          ...{ words: one.description ?? null, type: typeWords(one.schema, 0) },
        })),
        body:
          type === undefined ? null : type === 'application/json' ? typeWords(body?.schema, 0) : 'the file as it is',
        answers: Object.entries(responses).map(([status, { description: words, $ref, content }]) => ({
          status: Number(status),
          json: content?.['application/json'] ? typeWords(content['application/json'].schema, 0) : null,
          words: words ?? components.responses[$ref?.split('/').at(-1) ?? '']?.description ?? '',
          codes: ($ref?.split('/').at(-1) ?? '')
            .split('.')
            .slice(1)
            .filter((code) => code !== 'text'),
        })),
      }
      const [tag = ''] = tags
      groups.set(tag, [...(groups.get(tag) ?? []), own])
    }
  const types = Object.entries(components.schemas).map(([name, own]) => {
    return { name, words: own.description ?? null, text: typeWords(own, 0) }
  })
  return { groups: [...groups].map(([name, operations]) => ({ name, operations })), types }
}

/** A JSON Schema in TypeScript notation: `{ name: string, slug?: string }`. */
function typeWords(schema: unknown, depth: number): string {
  const parsed = schemaOf.safeParse(schema)
  if (!parsed.success) return 'any'
  const { type, enum: values, items, properties, required = [], anyOf, oneOf, additionalProperties } = parsed.data
  const { $ref, prefixItems } = parsed.data
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? ''
  if ('const' in parsed.data) return JSON.stringify(parsed.data.const)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return [...new Set(choices.map((one) => typeWords(one, depth)))].join(' | ')
  if (prefixItems !== undefined) return `[${prefixItems.map((one) => typeWords(one, depth)).join(', ')}]`
  if (type === 'array') {
    const of = typeWords(items, depth)
    return of.includes(' ') && !of.startsWith('{') ? `(${of})[]` : `${of}[]`
  }
  if (type === 'object' && properties !== undefined) {
    const pad = '  '.repeat(depth + 1)
    const fields = Object.entries(properties).map(([name, own]) => {
      const words = schemaOf.safeParse(own).data?.description
      const said = words === undefined ? '' : `  // ${words}`
      return `${pad}${name}${required.includes(name) ? '' : '?'}: ${typeWords(own, depth + 1)}${said}`
    })
    return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`
  }
  if (type === 'object') return additionalProperties ? `{ [key]: ${typeWords(additionalProperties, depth)} }` : 'object'
  return type === undefined ? 'any' : [type].flat().join(' | ')
}
