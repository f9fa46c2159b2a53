import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'
import { heyText } from './feed-series'

let app: SharedServer

const call = (address: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/v1/projects${address}`, { headers: { accept: 'application/json' }, ...init })
const post = (address: string, body?: object) =>
  call(address, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
const madeSchema = z.object({ id: z.string(), number: z.number(), state: z.string() })
const nextSchema = z.union([
  z.object({ arm: z.string(), round: z.number(), upload: z.string() }),
  z.object({ wait: z.literal(true), awaited: z.array(z.string()) }),
  z.object({ stop: z.literal(true), state: z.string(), why: z.string() }),
])
const seenSchema = z.object({
  ...{ state: z.string(), word: z.string(), sentence: z.string() },
  rounds: z.array(
    z.object({ order: z.array(z.string()), runs: z.record(z.string(), z.string()), voidReason: z.string().nullable() }),
  ),
})

const plan = { question: 'Is it slower?', base: 'a', head: 'b', metricId: 'mean', smallestRatio: 0.05, maxRounds: 12 }
const planned = async (more: object = {}) =>
  madeSchema.parse(await (await post('/tries/experiments', { ...plan, ...more })).json())
const seen = async (id: string) => seenSchema.parse(await (await call(`/tries/experiments/${id}`)).json())

let sent = 0
const output = (ms: number) => heyText(ms * (1 + 0.01 * Math.sin((sent += 1) * 2.4)) + sent / 10_000)
const put = (query: string, body: string) => call(`/tries/uploads?${query}`, { method: 'PUT', body })

/** What anyone's runner does: asks, runs, uploads, until it is told to stop. Returns the arms that it ran. */
async function run(id: string, levels: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const ran: string[] = []
  for (let tries = 0; tries < 500; tries += 1) {
    const next = nextSchema.parse(await (await post(`/tries/experiments/${id}/next`)).json())
    if ('stop' in next) return ran
    if ('wait' in next) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    expect((await put(next.upload, output(levels[next.arm] ?? 0))).status).toBe(201)
    ran.push(`${next.round} ${next.arm}`)
  }
  throw new Error('it did not stop')
}

beforeAll(async () => {
  app = await shareServer('plain')
  await post('', { name: 'Tries', slug: 'tries' })
})

it('two runners of one experiment run each arm of a round once, until it ends itself', async () => {
  const { id, state } = await planned({ control: true })
  expect(state).toBe('running')
  const levels = { base: 100, head: 130, control: 100 }
  const [one, other] = await Promise.all([run(id, levels), run(id, levels)])
  const all = [...one, ...other]
  expect(new Set(all).size).toBe(all.length)
  const { rounds, ...ended } = await seen(id)
  expect(ended).toMatchObject({ state: 'decided', word: 'worse' })
  expect(all).toHaveLength(3 * rounds.length)
  expect(rounds.map(({ order }) => order.toSorted().join(' '))).toEqual(rounds.map(() => 'base control head'))
})

it('a run that is none, or the same again, makes its round void by name', async () => {
  const { id } = await planned()
  const given = async () => {
    const next = nextSchema.parse(await (await post(`/tries/experiments/${id}/next`)).json())
    if (!('arm' in next)) throw new Error('nothing was given out')
    return next
  }
  const first = await given()
  const body = output(100)
  expect((await put(first.upload, body)).status).toBe(201)
  const second = await given()
  expect((await put(second.upload, body)).status).toBe(200)
  const third = await given()
  expect(third.round).toBe(2)
  expect((await put(third.upload, 'Nothing that a load generator prints.')).status).toBe(422)
  const fourth = await given()
  const { round, arm } = fourth
  expect((await post(`/tries/experiments/${id}/void`, { round, arm, reason: 'exit 137' })).status).toBe(204)
  const { rounds, ...ended } = await seen(id)
  expect(rounds.map(({ voidReason }) => voidReason)).toEqual([
    `${second.arm}: the same output as before`,
    `${third.arm}: its output could not be read`,
    `${arm}: exit 137`,
  ])
  expect(ended.state).toBe('stopped')
  expect(ended.sentence).toMatch(/^Stopped: three rounds in a row were void/)
})

it('its runs are candidates with the labels of their places, and only places that it has', async () => {
  const { id } = await planned()
  const answer = await put(`experiment=${id}&arm=head&round=1`, output(100))
  const { runs } = z.object({ runs: z.tuple([z.object({ id: z.string() })]) }).parse(await answer.json())
  expect(await (await call(`/tries/runs/${runs[0].id}`)).json()).toMatchObject({
    candidate: true,
    labels: { experiment: id, arm: 'head', round: '1' },
  })
  const refused = [
    [`experiment=${id}&arm=control&round=1`, 400],
    [`experiment=${id}&arm=head`, 400],
    [`experiment=${id}&arm=head&round=1&draft=1`, 400],
    [`experiment=${id}&arm=head&round=x`, 400],
    ['experiment=0123456789abcdefghijklmnop&arm=head&round=1', 404],
  ] as const
  for (const [query, status] of refused) expect((await put(query, output(100))).status, query).toBe(status)
})

it('says what the environment of its runs shows, and the gate refuses a threshold below that', async () => {
  await post('', { name: 'Bench', slug: 'bench' })
  let id = ''
  const send = (query: string, value: number) =>
    call(`/bench/uploads?${query}&environment=bench-1&again=1`, { method: 'PUT', body: output(value) })
  const minute = (at: number) => new Date(Date.UTC(2026, 9, 1) + at * 60_000).toISOString()
  for (let experiment = 0; experiment < 8; experiment += 1) {
    const { smallestRatio: _, ...asked } = plan
    id = madeSchema.parse(await (await post('/bench/experiments', { ...asked, control: true })).json()).id
    for (let round = 1; round <= 5; round += 1)
      for (const [at, arm] of (round % 2 === 0 ? ['base', 'control'] : ['control', 'base']).entries()) {
        const noise = 1 + 0.05 * Math.sin(7 * (experiment * 10 + round * 2 + at) ** 1.5)
        const startedAt = minute(experiment * 100 + round * 10 + at)
        await send(`experiment=${id}&arm=${arm}&round=${round}&startedAt=${startedAt}`, 100 * noise)
      }
  }
  expect(await (await call(`/bench/experiments/${id}`)).json()).toMatchObject({
    smallestRatio: 0.05,
    instrument: { environment: 'bench-1', falseAlarms: { total: 8 }, controls: 8 },
  })
  const first = await send(`scenario=S&startedAt=${minute(2_000)}`, 100)
  const { runs } = z.object({ runs: z.array(z.object({ id: z.string() })) }).parse(await first.json())
  const settings = { kind: 'baseline', metricIds: ['mean'], direction: 'worse', leastEffectRatio: 0.02, confirmRuns: 1 }
  await post('/bench/rules', { settings: { ...settings, runIds: runs.map((run) => run.id) }, scenario: 'S' })
  const judged = await send(`scenario=S&gate=1&startedAt=${minute(2_100)}`, 107)
  expect(judged.status).toBe(200)
  const verdict = z.object({ result: z.string(), sentence: z.string() }).parse(await judged.json())
  expect(verdict.result).toBe('passed')
  expect(verdict.sentence).toMatch(/A threshold of 2.% for mean is refused: 1 run on bench-1 shows [\d.]+.%, which is/)
  expect((await send(`scenario=S&gate=1&startedAt=${minute(2_200)}`, 160)).status).toBe(422)
})
