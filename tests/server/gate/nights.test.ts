import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../../shared-servers'
import { normal, sendRun } from '../planted-history'

/** On a machine whose load rises in the night 24 while no code changes; a commit slows one service in the night 40. */
const nights = 60
const busyFrom = 24
const slowerFrom = 40
const services = [
  { scenario: 'static file', p50Ms: 6, isControl: true },
  { scenario: 'GET /cart', p50Ms: 18, isControl: false },
  { scenario: 'GET /search', p50Ms: 45, isControl: false },
  { scenario: 'POST /order', p50Ms: 90, isControl: false },
]

const alertsSchema = z.object({
  alerts: z.array(
    z.object({
      state: z.string(),
      cause: z.string().nullable(),
      events: z.array(z.looseObject({ kind: z.string(), factor: z.number() })),
    }),
  ),
})

let app: SharedServer
const api = () => `${app.url}/api/v1/projects/nights`

beforeAll(async () => {
  app = await shareServer('plain')
  await fetch(`${app.url}/api/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Nights', slug: 'nights' }),
  })
})

interface Build {
  readonly night: number
  readonly scenario: string
  readonly status: number
  readonly sentence: string
}

/** One run of a service, which the gate may ask to repeat: its answer. */
async function run(night: number, at: number, attempt: number, noise: Generator<number, never>): Promise<Response> {
  const { scenario, p50Ms, isControl } = services[at] ?? { scenario: '', p50Ms: 0, isControl: false }
  const isBusy = night >= busyFrom
  const machine = isBusy ? 2.9 : 1
  const code = scenario === 'GET /search' && night >= slowerFrom ? 1.3 : 1
  const draw = () => Math.exp((isBusy ? 0.08 : 0.03) * noise.next().value)
  const p50 = p50Ms * machine * code * draw()
  const p99Ms = 2.5 * p50 * draw()
  return sendRun(api(), {
    ...{ scenario, environment: 'm7i.large', isControl, p50Ms: p50, p99Ms },
    startedAtMs: Date.UTC(2026, 8, 1, 23, 10 * at + attempt) + night * 86_400_000,
    commit: isControl ? 'pinned' : `${scenario.slice(-4)}-${night}`,
    query: { gate: '1', repeat: 'auto' },
  })
}

/** Runs until the gate has a verdict. */
async function build(night: number, at: number, noise: Generator<number, never>): Promise<Build> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await run(night, at, attempt, noise)
    const [sentence = ''] = (await answer.text()).split('\n')
    if (answer.headers.has('tailboard-repeat')) continue
    return { night, scenario: services[at]?.scenario ?? '', status: answer.status, sentence }
  }
}

describe('sixty nights on a shared machine', () => {
  it('are one alert of the environment and one of the commit; no build fails for the machine', async () => {
    const noise = normal(5)
    const builds: Build[] = []
    for (let night = 0; night < nights; night += 1)
      for (const at of services.keys()) builds.push(await build(night, at, noise))
    const failed = builds.filter(({ status }) => status !== 200)
    expect(failed.filter(({ night, scenario }) => night < slowerFrom || scenario !== 'GET /search')).toEqual([])
    expect(failed.map(({ sentence }) => sentence)).toContainEqual(expect.stringMatching(/^Failed: .* of GET \/search/))
    const excused = builds.filter(({ sentence }) => sentence.startsWith('Passed with a warning: worse with its whole'))
    expect(excused.map(({ night }) => night)).toContain(busyFrom)
    const { alerts } = alertsSchema.parse(
      await (await fetch(`${api()}/alerts`, { headers: { accept: 'application/json' } })).json(),
    )
    expect(alerts.map(({ state, cause }) => `${state} ${cause}`).toSorted()).toEqual([
      'open commit arch-40',
      'open null',
    ])
    const [event] = alerts.flatMap(({ events }) => events)
    expect(event).toMatchObject({ kind: 'environment', hasControl: true, seriesIds: { length: services.length } })
    expect(event?.factor).toBeCloseTo(2.9, 0)
  })
})
