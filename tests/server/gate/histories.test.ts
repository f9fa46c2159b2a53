import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../../shared-servers'
import { normal, sendRun } from '../planted-history'

/** What environments and services do over some nights, through the API: what is raised, and which builds fail. */
let app: SharedServer

beforeAll(async () => {
  app = await shareServer('plain')
})

interface Service {
  readonly scenario: string
  readonly environment?: string
  readonly p50Ms: number
  readonly isControl?: boolean
  /** The same for all its runs; absent: each night another one. */
  readonly commit?: string
  /** Nights between its runs. */
  readonly period?: number
  /** By how much it is slower than at first in a night. */
  readonly factor?: (night: number) => number
}

interface History {
  readonly name: string
  readonly nights: number
  readonly services: readonly Service[]
  /** Builds ask for a verdict from this night on. */
  readonly gateFrom: number
  readonly noise?: number
}

const alertsSchema = z.object({
  alerts: z.array(
    z.object({
      state: z.string(),
      cause: z.string().nullable(),
      findings: z.array(z.object({ metricId: z.string() })),
      events: z.array(z.looseObject({ kind: z.string() })),
    }),
  ),
})

/** Uploads a history night by night; returns the alerts at its end, oldest first, and the nights of failed builds. */
async function play({ name, nights, services, gateFrom, noise = 0.02 }: History) {
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name, slug: name }) })
  const project = `${app.url}/api/v1/projects/${name}`
  const draws = normal(name.length + 3)
  const draw = () => Math.exp(noise * draws.next().value)
  const failed: string[] = []
  for (let night = 0; night < nights; night += 1)
    for (const [at, service] of services.entries()) {
      const { scenario, environment = 'm7i.large', isControl = false, period = 1, factor = () => 1 } = service
      if (Math.floor(night / period) === Math.floor((night - 1) / period)) continue
      const p50Ms = service.p50Ms * factor(night) * draw()
      const isJudged = night >= gateFrom
      const answer = await sendRun(project, {
        ...{ scenario, environment, isControl, p50Ms, p99Ms: 2.5 * p50Ms * draw() },
        startedAtMs: Date.UTC(2026, 6, 1, 22, 11 * at) + night * 86_400_000,
        commit: service.commit ?? `${scenario}-${night}`,
        query: isJudged || night === gateFrom - 1 ? { gate: '1' } : {},
      })
      if (answer.status === 422) failed.push(`${scenario} ${night}`)
      else expect(answer.ok, await answer.text()).toBe(true)
    }
  const answer = await fetch(`${project}/alerts`, { headers: { accept: 'application/json' } })
  const { alerts } = alertsSchema.parse(await answer.json())
  return { project, alerts: alerts.toReversed(), failed }
}

const from =
  (night: number, factor: number, until = Infinity) =>
  (at: number) =>
    at >= night && at < until ? factor : 1

describe('histories through the API', () => {
  it('a creep is one drift without a commit', async () => {
    const creep = (night: number) => 1.5 ** Math.max(0, (night - 24) / 40)
    const services = [{ scenario: 'cart', p50Ms: 20, factor: creep }]
    const { alerts } = await play({ name: 'creep', nights: 64, services, gateFrom: 25 })
    expect(alerts).toMatchObject([{ state: 'open', cause: null, findings: [] }])
    expect(new Set(alerts[0]?.events.map(({ kind }) => kind))).toEqual(new Set(['drift']))
  })

  it('a blip of two nights raises nothing', async () => {
    const services = [{ scenario: 'cart', p50Ms: 20, factor: from(20, 1.5, 22) }]
    const { alerts } = await play({ name: 'blip', nights: 28, services, gateFrom: 20 })
    expect(alerts).toEqual([])
  })

  it('a control that moves alone raises nothing and fails no build, its duplicate neither', async () => {
    const services = [
      { scenario: 'control', p50Ms: 6, isControl: true, commit: 'pinned', factor: from(20, 1.6) },
      { scenario: 'cart', p50Ms: 20 },
      { scenario: 'search', p50Ms: 45 },
    ]
    const { project, alerts, failed } = await play({ name: 'control', nights: 28, services, gateFrom: 20 })
    expect(alerts).toEqual([])
    expect(failed).toEqual([])
    const again = {
      scenario: 'control',
      environment: 'm7i.large',
      commit: 'pinned',
      isControl: true,
      p50Ms: 14,
      p99Ms: 40,
    }
    const query = { gate: '1', format: 'json' }
    const send = () => sendRun(project, { ...again, startedAtMs: Date.UTC(2026, 7, 1), query })
    const [first, duplicate] = [await send(), await send()]
    expect([first.status, duplicate.status]).toEqual([200, 200])
    expect(await duplicate.json()).toMatchObject({ result: 'passed', rows: expect.any(Array) })
  })

  it('a control without the name of an environment fails no build', async () => {
    const services = [{ scenario: 'control', environment: '', p50Ms: 6, isControl: true, factor: from(20, 1.6) }]
    const { alerts, failed } = await play({ name: 'unnamed', nights: 26, services, gateFrom: 20 })
    expect(alerts).toEqual([])
    expect(failed).toEqual([])
  })

  it('of two environments, the one that moved has the alert', async () => {
    const moved = from(20, 2)
    const services = ['cart', 'search', 'order'].flatMap((scenario, at) => [
      { scenario, p50Ms: 20 + 30 * at, environment: 'left', factor: moved },
      { scenario, p50Ms: 20 + 30 * at, environment: 'right' },
    ])
    const { project, alerts, failed } = await play({ name: 'two', nights: 27, services, gateFrom: 20 })
    expect(alerts).toMatchObject([
      { state: 'open', cause: null, events: [{ kind: 'environment', environment: 'left', seriesIds: { length: 3 } }] },
    ])
    // In that night, the first ones cannot know it yet.
    expect(failed.filter((one) => !one.endsWith(' 20'))).toEqual([])
    const json = async (address: string): Promise<unknown> => (await fetch(`${project}/environments${address}`)).json()
    expect(await json('')).toMatchObject({
      environments: [
        { name: 'left', shifts: [{ overSince: null }], series: { length: 3 } },
        { name: 'right', shifts: [] },
      ],
    })
    const left = await json('/left')
    expect(left).toMatchObject({ name: 'left', metric: 'p50', nights: { length: 27 }, series: { length: 3 } })
    expect(left).toMatchObject({
      sentence: expect.stringMatching(/^left itself became (1\.9|2|2\.1)× slower on 21 Jul/),
    })
    expect((await fetch(`${project}/environments/nowhere`)).status).toBe(404)
    const agent = new Client({ name: 'tests', version: '1' })
    await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url)))
    const ask = async (name: string, args: Record<string, string>) =>
      JSON.stringify(await agent.callTool({ name, arguments: { project: 'two', ...args } }))
    const slower = /left itself became (1\.9|2|2\.1)× slower on 21 Jul 2026, \d\d:\d\d/
    expect(await ask('list_environments', {})).toMatch(slower)
    const said = await ask('read_environment', { environment: 'left' })
    expect(said).toMatch(slower)
    expect(said).toMatch(/- 27 Jul 2026: (1\.9\d?|2|2\.[01]\d?) \(95 % interval /)
    await agent.close()
  })

  it('one series alone is its commit', async () => {
    const services = [
      { scenario: 'cart', p50Ms: 20 },
      { scenario: 'search', p50Ms: 45, factor: from(20, 1.4) },
      { scenario: 'order', p50Ms: 90 },
    ]
    const { alerts, failed } = await play({ name: 'alone', nights: 27, services, gateFrom: 20 })
    expect(alerts).toMatchObject([{ state: 'open', cause: 'commit search-20', events: [] }])
    expect(failed.every((one) => one.startsWith('search '))).toBe(true)
    expect(failed).toContain('search 20')
  })

  it('series of different cadence move together', async () => {
    const factor = from(40, 1.9)
    const services = [
      { scenario: 'control', p50Ms: 6, isControl: true, commit: 'pinned', factor },
      { scenario: 'cart', p50Ms: 20, period: 2, factor },
      { scenario: 'order', p50Ms: 90, period: 3, factor },
    ]
    const { alerts } = await play({ name: 'cadence', nights: 58, services, gateFrom: 40 })
    expect(alerts).toMatchObject([{ state: 'open', cause: null, events: [{ kind: 'environment', hasControl: true }] }])
  })
})
