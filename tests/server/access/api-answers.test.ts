import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { walkApi } from '../../fault/walk-api'
import { shareServer } from '../../shared-servers'
import { faultsOf, operationOf, type Answered } from './described-answers'
import { newOutput, World } from './world'

/** The API's responses match `/api/v1/openapi.json`, without additional fields. */

const entrySchema = z.object({ action: z.string(), subject: z.record(z.string(), z.string()) })
const made = z
  .object({ id: z.string(), channel: z.object({ id: z.string() }) })
  .partial()
  .nullable()
  .transform((one) => one ?? {})

const samples = new Set(['cascade', 'lambda-dispatcher', 'protobuf-json', 'smithy', 'zlib-gzip'])

it('of the sample data is described, to the last field', async () => {
  const { url } = await shareServer('plain')
  const wrong = new Set<string>()
  const answered = new Set<string>()
  const seen = (one: Answered) => {
    for (const fault of faultsOf(one)) wrong.add(fault.replace(/\/\d+(?=\/)/g, '/0'))
    if (one.status < 300 && one.type?.startsWith('application/json') === true)
      answered.add(operationOf(one.method, one.address) ?? '')
  }
  const walked = await walkApi({ url }, (slug) => samples.has(slug), seen)
  // The walk leaves verdicts out: the first ask waits for the judgement.
  for (const upload of [...walked.keys()].filter((one) => /\/uploads\/\w{26}$/.test(one))) {
    const address = `${upload}/gate`
    const response = await fetch(url + address, { headers: { accept: 'application/json' } })
    const { status, headers } = response
    seen({ method: 'GET', address, status, type: headers.get('content-type'), text: await response.text() })
  }
  expect([...wrong]).toEqual([])
  expect(walked.size).toBeGreaterThan(200)
  expect(answered.size).toBeGreaterThan(20)
})

describe('of a server with accounts', () => {
  let world: World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world.end())

  it('is described in each of its forms', async () => {
    // `World.ask` compares each answer with its description.
    const ask = async (address: string, asked: Parameters<World['ask']>[2] = {}) => {
      const project = `/api/v1/projects/${world.places.own}`
      return (await world.ask(world.people.owner.session, project + address, asked)).text()
    }
    const part = () => world.make('part', world.places.own, 'owner', 'own')
    expect(await ask(`/runs/merge?run=${await part()}&run=${await part()}`)).toContain('"kind":"merged"')
    const merged = await world.make('merged run', world.places.own, 'owner', 'own')
    expect(await ask(`/runs/${merged}`)).toContain('"parts":[{')
    expect(await ask('/uploads?gate=1', { method: 'PUT', body: newOutput() })).toContain('"result":')
    expect(await ask('/uploads', { method: 'PUT', body: 'no output of any tool' })).toContain('"unknown-format"')
    expect(await ask(`/compare/${await world.thing('compared run', 'own', 'owner')}/data.json`)).toContain('"rows":')
    expect(await ask('/matrix/data.json')).toContain('"cells":')
  })

  it('is in the audit log for asking what is next only if that gave out a run', async () => {
    const { session } = world.people.owner
    const slug = await world.project()
    const root = `/api/v1/projects/${slug}`
    const post = (path: string, body: unknown) =>
      world.json(z.looseObject({}), session, root + path, { method: 'POST', body })
    const { id } = await post('/experiments', { question: 'Q', base: 'a', head: 'b' })
    const told = []
    for (let asked = 0; asked < 4; asked += 1) told.push(await post(`/experiments/${String(id)}/next`, {}))
    expect(told.map((one) => 'wait' in one)).toEqual([false, false, true, true])
    const { entries } = await world.json(z.object({ entries: z.array(entrySchema) }), session, `${root}/audit`)
    expect(entries.map(({ action }) => action).filter((action) => action.startsWith('experiment.'))).toEqual([
      'experiment.next',
      'experiment.next',
      'experiment.create',
    ])
  })

  it('is in the audit log for what is asked of a session, by a request or by an agent', async () => {
    const { session } = world.people.owner
    const slug = await world.project()
    const root = `/api/v1/projects/${slug}`
    const post = (path: string, body: unknown) =>
      world.json(z.looseObject({}), session, root + path, { method: 'POST', body })
    const { token } = await world.token('admin', world.people.owner, slug)
    const agent = { kind: 'token', token } as const
    const tool = async (name: string, more: object) => {
      const params = { name, arguments: { project: slug, ...more } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
      return (await world.ask(agent, '/mcp', { method: 'POST', body, headers })).text()
    }
    const { id } = await post('/sessions', { base: 'a' })
    await post(`/sessions/${String(id)}/next`, {})
    const own = { session: String(id) }
    expect(await tool('session_next', own)).toContain('idle')
    expect(await tool('attempt', { ...own, name: 'pool' })).toContain('pool')
    expect(await tool('session_next', own)).toContain('run ')
    await post(`/sessions/${String(id)}/next`, {})
    await post(`/sessions/${String(id)}/next`, {})
    const log = async () => {
      const { entries } = await world.json(z.object({ entries: z.array(entrySchema) }), session, `${root}/audit`)
      return entries
        .map(({ action }) => action)
        .filter((action) => action.startsWith('session.'))
        .toReversed()
    }
    expect(await log()).toEqual(['session.start', 'session.attempt', 'session.next', 'session.next'])
    expect(await tool('start_session', { base: 'a' })).toContain('# Session')
    expect((await log()).at(-1)).toBe('session.start')
  })

  it('is named in the audit log if it created something', async () => {
    const { session } = world.people.owner
    const slug = await world.project()
    const root = `/api/v1/projects/${slug}`
    const log = async () =>
      (await world.json(z.object({ entries: z.array(entrySchema) }), session, `${root}/audit`)).entries[0]
    const make = (path: string, body: unknown, method = 'POST') =>
      world.json(made, session, root + path, { method, body })
    const { id: rule } = await make('/rules', { settings: { kind: 'missing', hours: 24 } })
    expect(await log()).toEqual({ action: 'rule.create', subject: { rule } })
    const { channel } = await make('/channels', { ...world.channel(), name: 'Hook' })
    expect(await log()).toEqual({ action: 'channel.create', subject: { channel: channel?.id, name: 'Hook' } })
    const { id: annotation } = await make('/annotations', { kind: 'deploy', text: '2.0' })
    expect(await log()).toEqual({ action: 'annotation.create', subject: { annotation, name: '2.0' } })
    await make('/cell-notes', { scenario: 'GET /', variant: 'a', environment: null, text: 'T' }, 'PUT')
    expect(await log()).toEqual({ action: 'cell-note.set', subject: { name: 'GET / › a' } })
    const run = await world.make('run', slug, 'owner', 'own')
    const { id: share } = await make('/shares', { name: 'S', kind: 'run', sides: [[run]] })
    expect(await log()).toEqual({ action: 'share.create', subject: { share, name: 'S' } })
    await make('/runs/bulk', { action: 'delete', runs: [run] })
    expect(await log()).toEqual({ action: 'runs.change', subject: { name: 'trashed: 1 run' } })
    await make('/trash', { action: 'restore', runs: [run] })
    const restored = { name: 'restored: 1 run, 0 uploads' }
    expect(await log()).toEqual({ action: 'trash.change', subject: restored })
  })
})

it('reports undescribed responses', () => {
  const address = '/api/v1/projects/a/retention'
  const sent = { method: 'GET', address, status: 200, type: 'application/json' }
  const good = { keepRawDays: null, keepRunsDays: 30 }
  expect(faultsOf({ ...sent, text: JSON.stringify(good) })).toEqual([])
  expect(faultsOf({ ...sent, text: JSON.stringify({ ...good, more: 1 }) })).toHaveLength(1)
  expect(faultsOf({ ...sent, text: JSON.stringify({ keepRawDays: null }) })).toHaveLength(1)
  expect(faultsOf({ ...sent, text: JSON.stringify({ ...good, keepRunsDays: '30' }) })).not.toEqual([])
  expect(faultsOf({ ...sent, status: 418, text: '' })).toEqual([
    'get /api/v1/projects/{project}/retention: 418 is not documented',
  ])
  expect(faultsOf({ ...sent, type: 'text/html', text: '' })).toHaveLength(1)
})
