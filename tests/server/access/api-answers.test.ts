import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { walkApi } from '../../fault/walk-api'
import { makeDataFolder } from '../../shared-databases'
import { accessTable, routeOf } from './access-table'
import { bodyOf, pathOf } from './fill-row'
import { newOutput, nobody, places, World } from './world'
import { startApp, type RunningApp } from '../app'
import { faultsOf, jsonOperations, operationOf, type Answered } from './described-answers'

/** The API's responses match `/api/v1/openapi.json`, without additional fields. */

const answered = new Set<string>()

/** Records a response, and what is wrong with it. */
function notes(wrong: Set<string>) {
  return (one: Answered) => {
    for (const fault of faultsOf(one)) wrong.add(fault.replace(/\/\d+(?=\/)/g, '/0'))
    if (one.status < 300 && one.type?.startsWith('application/json') === true)
      answered.add(operationOf(one.method, one.address) ?? '')
  }
}

async function sent(asked: Promise<Response>) {
  const response = await asked
  const { ok, status, headers } = response
  return { ok, status, headers, text: await response.text() }
}

const entrySchema = z.object({ action: z.string(), subject: z.record(z.string(), z.string()) })
const made = z
  .object({ id: z.string(), channel: z.object({ id: z.string() }) })
  .partial()
  .nullable()
  .transform((one) => one ?? {})

const project = `/api/v1/projects/${places.own}`

describe('of the sample data', () => {
  let folder = ''
  let app: RunningApp
  beforeAll(async () => {
    folder = await makeDataFolder()
    app = await startApp({ dataFolder: folder })
  })
  afterAll(async () => {
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is described completely', async () => {
    const wrong = new Set<string>()
    const seen = notes(wrong)
    const walked = await walkApi(app, '', seen)
    // The walk excludes verdicts: the first request waits for the judgement.
    for (const upload of [...walked.keys()].filter((one) => /\/uploads\/\w{26}$/.test(one))) {
      const address = `${upload}/gate`
      const { status, headers, text } = await sent(
        fetch(app.url + address, { headers: { accept: 'application/json' } }),
      )
      seen({ method: 'GET', address, status, type: headers.get('content-type'), text })
    }
    expect([...wrong]).toEqual([])
    expect(walked.size).toBeGreaterThan(200)
    expect(answered.size).toBeGreaterThan(20)
  })
})

describe('of a server with accounts', () => {
  let world: World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world.end())

  it('is described in each of its forms', async () => {
    const wrong = new Set<string>()
    const seen = notes(wrong)
    const ask = async (address: string, asked: Parameters<World['ask']>[2] = {}) => {
      const { status, headers, text } = await sent(world.ask(world.people.owner.session, `${project}${address}`, asked))
      const { method = 'GET' } = asked
      seen({ method, address: `${project}${address}`, status, type: headers.get('content-type'), text })
      return text
    }
    const part = () => world.make('part', places.own, 'owner', 'own')
    expect(await ask(`/runs/merge?run=${await part()}&run=${await part()}`)).toContain('"kind":"merged"')
    expect(await ask(`/runs/${await world.make('merged run', places.own, 'owner', 'own')}`)).toContain('"parts":[{')
    expect(await ask('/uploads?gate=1', { method: 'PUT', body: newOutput() })).toContain('"result":')
    expect(await ask('/uploads', { method: 'PUT', body: 'no output of any tool' })).toContain('"unknown-format"')
    expect(await ask(`/compare/${await world.thing('compared run', 'own', 'owner')}/data.json`)).toContain('"rows":')
    expect(await ask('/matrix/data.json')).toContain('"cells":')
    expect([...wrong]).toEqual([])
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

  it('is described for every operation', async () => {
    const wrong = new Set<string>()
    const seen = notes(wrong)
    const rows = Object.entries(accessTable).filter(([key, row]) => key.includes(' /api/v1/') && row.rights !== 'none')
    const last = ([, row]: (typeof rows)[number]) => Number(row.ownSession === true)
    for (const [key, row] of rows.toSorted((one, other) => last(one) - last(other))) {
      const { owner } = world.people
      const thing = row.thing === undefined ? '' : await world.make(row.thing[1], places.own, 'owner', 'own')
      const slug = row.usesUp === true && row.thing === undefined ? await world.project() : places.own
      const address = pathOf(key, row, { project: slug, thing })
      const [method = ''] = routeOf(key).split(' ')
      const body = row.body === undefined ? {} : { body: await bodyOf(world, row, 'owner') }
      const credential =
        row.rights === 'open' ? nobody : row.ownSession === true ? await world.signIn(owner) : owner.session
      try {
        const asked = { method, ...body, headers: row.headers ?? {} }
        const { ok, status, headers, text } = await sent(world.ask(credential, address, asked))
        seen({ method, address, status, type: headers.get('content-type'), text })
        if (!ok) wrong.add(`${key}: ${status} ${text.slice(0, 200)}`)
      } catch (error) {
        wrong.add(`${key}: ${String(error)}`) // continue with the other rows
      }
    }
    expect([...wrong]).toEqual([])
    expect(rows.length).toBeGreaterThan(90)
    expect(jsonOperations.filter((operation) => !answered.has(operation))).toEqual([])
  })
})

it('reports undescribed responses', () => {
  const address = '/api/v1/projects/a/retention'
  const sent = { method: 'GET', address, status: 200, type: 'application/json' }
  const good = { keepRawDays: null, keepRunsDays: 30 }
  expect(faultsOf({ ...sent, text: JSON.stringify(good) })).toEqual([])
  expect(faultsOf({ ...sent, text: JSON.stringify({ ...good, more: 1 }) })).toHaveLength(1)
  expect(faultsOf({ ...sent, text: JSON.stringify({ keepRawDays: null }) })).toHaveLength(1)
  expect(faultsOf({ ...sent, text: JSON.stringify({ ...good, keepRunsDays: '30' }) })).toHaveLength(1)
  expect(faultsOf({ ...sent, status: 418, text: '' })).toEqual([
    'get /api/v1/projects/{project}/retention: 418 is not documented',
  ])
  expect(faultsOf({ ...sent, type: 'text/html', text: '' })).toHaveLength(1)
})
