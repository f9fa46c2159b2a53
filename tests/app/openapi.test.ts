import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openapiDocument } from '@/app/_server/openapi/document'
import { needs } from '@/app/_server/operations/operation'
import { apiReference } from '@/app/_server/openapi/reference'
import { ApiReference } from '@/components/learn/api-reference'
import { accessTable } from '../server/access/access-table'
import { exportedOperations, listRoutes } from '../server/access/list-routes'

interface Described {
  readonly operationId: string
  readonly description: string
  readonly security: readonly object[]
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >
}

const written = openapiDocument(true) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}
const { components } = written
const described: ReadonlyMap<string, Described> = new Map(
  Object.entries(written.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${address.replace(/\{(\w+)\}/g, '[$1]')}`,
      operation,
    ]),
  ),
)
const operationsFolder = path.join(import.meta.dirname, '../../app/_server/operations')
const routeSource = (key: string) =>
  readFile(
    path.join(import.meta.dirname, '../../app', (key.split(' ')[1] ?? '').replace(/^\//, ''), 'route.ts'),
    'utf8',
  )

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, whether the server has accounts or not', async () => {
    for (const hasAccounts of [true, false]) {
      const validator = new Validator()
      const { valid, errors } = await validator.validate(structuredClone(openapiDocument(hasAccounts)))
      expect(errors).toBeUndefined()
      expect(valid).toBe(true)
      expect(validator.version).toBe('3.1')
    }
    const { valid } = await new Validator().validate({ ...openapiDocument(true), paths: [] })
    expect(valid).toBe(false)
  })

  it('describes every method of every route, and nothing else', async () => {
    const routes = (await listRoutes()).filter((key) => key.includes(' /api/v1/'))
    expect(routes.length).toBeGreaterThan(90)
    expect([...described.keys()].sort()).toEqual(routes)
    expect(new Set([...described.values()].map((one) => one.operationId)).size).toBe(routes.length)
  })

  it('has each operation at the address of the route file that exports it', async () => {
    for (const key of described.keys()) {
      const [method, address] = key.split(' ')
      for (const [noun, name, as] of exportedOperations(await routeSource(key))) {
        if (as !== method) continue
        const module: Record<string, { at: string }> = await import(path.join(operationsFolder, `${noun}.ts`))
        expect([name, module[name]?.at]).toEqual([name, `${method} ${address}`])
      }
    }
  })

  it('says who may use a route as the access table does', () => {
    for (const [key, { description, security }] of described) {
      const rights = accessTable[key]?.rights
      const need = rights === 'none' ? 'open' : rights
      expect({ key, description }).toEqual({ key, description: needs[need as keyof typeof needs] })
      expect({ key, schemes: security.length }).toEqual({ key, schemes: need === 'open' ? 0 : 2 })
    }
    const local = Object.values(openapiDocument(false)['paths'] as typeof written.paths)
    expect(local.flatMap((methods) => Object.values(methods)).every((one) => one.security.length === 0)).toBe(true)
  })

  it('is rendered for people, with the inputs and responses of each operation', () => {
    const { groups, types } = apiReference(true)
    const drawn = groups.flatMap(({ operations }) => operations)
    expect(
      drawn.map(({ method, path: address }) => `${method} ${address.replace(/\{(\w+)\}/g, '[$1]')}`).sort(),
    ).toEqual([...described.keys()].sort())
    const html = renderToStaticMarkup(createElement(ApiReference, { groups, types, hasAccounts: true }))
    expect(html).not.toMatch(/undefined|\[object/)
    for (const { summary, needs, answers } of drawn) {
      expect(summary + needs).not.toBe('')
      expect(
        answers.every(({ words }) => words !== ''),
        summary,
      ).toBe(true)
    }
    const made = drawn.find(({ id }) => id === 'postProjects')
    expect(made?.body).toBe('{\n  name: string\n  slug?: string\n}')
    expect(made?.answers.find(({ status }) => status === 429)?.codes).toEqual(['too-many-requests'])
    expect(made?.answers.find(({ status }) => status === 201)?.json).toBe('Project')
    expect(types.find(({ name }) => name === 'Retention')).toEqual({
      name: 'Retention',
      words: 'How long runs and raw files are stored.',
      text: [
        '{',
        '  keepRawDays: integer | null  // Days until raw files are removed. Null: never.',
        '  keepRunsDays: integer | null  // Days until runs are trashed. Null: never.',
        '}',
      ].join('\n'),
    })
    // Each name links to an existing type.
    const linked = [...html.matchAll(/href="#type-(\w+)"/g)].map(([, name]) => name)
    expect(new Set(linked).size).toBeGreaterThan(40)
    for (const name of new Set(linked)) expect(html).toContain(`id="type-${name ?? ''}"`)
  })

  it('states the fields of every JSON success, and the type of every field', () => {
    const schemas = z.record(z.string(), z.unknown()).parse(components.schemas)
    const vague: string[] = []
    const walk = (value: unknown, place: string): void => {
      if (value === false) return // a tuple has no further items
      if (Array.isArray(value)) return value.forEach((one, at) => walk(one, `${place}/${at}`))
      const own = z.record(z.string(), z.unknown()).parse(value)
      const { properties, items, anyOf, oneOf, prefixItems, additionalProperties, ...rest } = own
      for (const [key, one] of Object.entries(z.record(z.string(), z.unknown()).parse(properties ?? {})))
        walk(one, `${place}/${key}`)
      for (const one of [anyOf, oneOf, prefixItems, items]) if (one !== undefined) walk(one, place)
      if (typeof additionalProperties === 'object') walk(additionalProperties, `${place}/*`)
      const { $ref, type, enum: values, const: only } = rest
      if (typeof $ref === 'string' && !($ref.slice('#/components/schemas/'.length) in schemas)) vague.push(place)
      if (type === 'object' && properties === undefined && typeof additionalProperties !== 'object') vague.push(place)
      if ([$ref, type, values, only, anyOf, oneOf].every((one) => one === undefined)) vague.push(place)
    }
    const answers = [...described].flatMap(([key, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        status.startsWith('2') && content?.['application/json'] !== undefined
          ? [[`${key} ${status}`, content['application/json'].schema] as const]
          : [],
      ),
    )
    for (const [place, schema] of [...answers, ...Object.entries(schemas)]) walk(schema, place)
    expect(answers.length).toBeGreaterThan(65)
    // Except this document, and a packed drawing.
    expect(vague).toEqual(['GET /api/v1/openapi.json 200/*', 'Fan/sent/0/packed'])
  })

  it('names a type once, wherever it is described', () => {
    const names = Object.keys(components.schemas)
    expect(names).toEqual([...names].sort())
    for (const name of ['Run', 'Comparison', 'Matrix', 'Judgement', 'Verdict', 'Alert', 'Upload', 'Problem'])
      expect(names).toContain(name)
  })

  it('has a body if the route reads one, and a parameter for each part of the address', async () => {
    const files = new Map<string, string[]>()
    for (const key of described.keys()) {
      const route = key.split(' ')[1] ?? ''
      files.set(route, [...(files.get(route) ?? []), key])
    }
    for (const [route, keys] of files) {
      const source = await routeSource(` ${route}`)
      // An operation validates with the schemas that describe it.
      const exported = exportedOperations(source).map(([, , method]) => method)
      const read = source.match(/\b(?:readJson|readForm|putUpload)\(/g)?.length ?? 0
      // `export const POST = PUT` reads the same body.
      const again = /^export const POST = PUT$/m.test(source) ? 1 : 0
      const bodies = keys.filter(
        (key) => !exported.includes(key.split(' ')[0] ?? '') && described.get(key)?.requestBody !== undefined,
      )
      expect({ route, bodies: bodies.length }).toEqual({ route, bodies: read + again })
      const names = [...route.matchAll(/\[(\w+)\]/g)].map(([, name]) => name)
      for (const key of keys) {
        const inPath = described.get(key)?.parameters.filter((one) => one.in === 'path')
        expect(inPath?.map((one) => one.name)).toEqual(names)
      }
    }
  })

  it('has a conflict where an operation can meet one, and nowhere else', async () => {
    const found = [...described].flatMap(([key, { responses }]) => (responses['409'] === undefined ? [] : [key]))
    expect(found.sort()).toEqual(Object.keys(conflicts).sort())
    const folders = ['app/_server', 'lib', 'prisma']
    const texts = await Promise.all(
      folders.map(async (folder) => {
        const inside = path.join(import.meta.dirname, '../..', folder)
        const names = (await readdir(inside, { recursive: true })).filter((name) => name.endsWith('.ts'))
        return Promise.all(names.map((name) => readFile(path.join(inside, name), 'utf8')))
      }),
    )
    const thrown = texts.flat(1).join('')
    for (const reason of new Set(Object.values(conflicts))) expect(thrown).toContain(reason)
  })

  it('lists the query parameters that a route reads by name', async () => {
    for (const [key, { parameters }] of described) {
      if (!key.startsWith('GET ')) continue
      const asked = [...(await routeSource(key)).matchAll(/searchParams\.get(?:All)?\('(\w+)'\)/g)].map(
        ([, name]) => name,
      )
      const named = parameters.map((one) => one.name)
      expect({ key, missing: asked.filter((name) => !named.includes(name ?? '')) }).toEqual({ key, missing: [] })
    }
  })
})

const p = '/api/v1/projects/[project]'
/** Why an operation may conflict with how things are now, in the words of one such error. */
const conflicts: Readonly<Record<string, string>> = {
  'POST /api/v1/projects': 'Project ${slug} already exists.',
  [`PUT ${p}/mappings/[mapping]`]: 'A project has at most ${maxMappings} mappings.',
  [`POST ${p}/experiments/[experiment]/void`]: 'Round ${round} of ${arm} is not open.',
  [`POST ${p}/experiments/[experiment]/stop`]: 'The experiment is over.',
  [`POST ${p}/sessions/[session]/attempts`]: '${checked} was tried before.',
  [`POST ${p}/sessions/[session]/void`]: 'Round ${round} of the attempt is not open.',
  [`POST ${p}/sessions/[session]/conclude`]: 'An attempt is measured.',
  [`PATCH ${p}/shares/[share]`]: 'This share is revoked.',
  [`DELETE ${p}/shares/[share]`]: 'This share is already revoked.',
  [`POST ${p}/series/[series]/badges`]: 'This series has ${maxBadges} badges.',
  [`POST ${p}/runs/[run]/restore`]: 'The upload of this run was deleted.',
  [`POST ${p}/runs/[run]/split`]: 'This run was not merged from others.',
  [`POST ${p}/runs/merge`]: 'One of the runs changed meanwhile.',
  [`PUT ${p}/uploads`]: 'The upload was cancelled.',
  [`POST ${p}/uploads`]: 'The upload was cancelled.',
  [`PUT ${p}/uploads/[upload]`]: 'The upload was cancelled.',
  [`DELETE ${p}/uploads/[upload]`]: 'A run of this upload is part of a merged run.',
  [`POST ${p}/uploads/[upload]/reimport`]: 'This upload is a draft.',
  [`DELETE ${p}/uploads/progress/[id]`]: 'This upload is already saved.',
  [`POST ${p}/uploads/[upload]/map`]: 'This upload is already saved.',
  [`POST ${p}/uploads/[upload]/merge`]: 'This upload is already saved.',
  [`POST ${p}/uploads/[upload]/save`]: 'The draft has changed in the meantime.',
  [`POST ${p}/alerts/[alert]/assign`]: 'The alert is already assigned',
  [`POST ${p}/alerts/[alert]/move`]: 'The alert is already',
  [`POST ${p}/channels`]: 'A project has at most ${maxChannels} channels.',
  [`POST ${p}/deliveries/[delivery]/replay`]: 'This message is already queued.',
  'POST /api/v1/account/tokens': 'An account has at most ${maxTokens} tokens.',
  'PATCH /api/v1/accounts/[account]': 'This is the last owner.',
  'POST /api/v1/invitations': '${maxOpen} invitations are open.',
  [`POST ${p}/invitations`]: '${maxOpen} invitations are open.',
  [`PATCH ${p}/members/[account]`]: 'This is the last admin of',
  [`DELETE ${p}/members/[account]`]: 'This is the last admin of',
  'POST /api/v1/invitations/accept': 'This e-mail address already has an account.',
}
