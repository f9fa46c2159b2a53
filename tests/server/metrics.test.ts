import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeDataFolder } from '../shared-databases'
import { startRefused } from './app'
import { metricsToken, shareServer, type SharedServer } from '../shared-servers'

const authorization = `Bearer ${metricsToken}`

let app: SharedServer
beforeAll(async () => {
  app = await shareServer('strict')
})

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Prometheus' text format 0.0.4; throws if a line is invalid, or a sample has no type. */
function parse(text: string): readonly Sample[] {
  expect(text.endsWith('\n')).toBe(true)
  const types = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || /^# HELP [a-zA-Z_:][\w:]* .*$/.test(line)) continue
    const [, typed, type] = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (typed !== undefined && type !== undefined) {
      if (types.has(typed)) throw new Error(`two types: ${line}`)
      types.set(typed, type)
      continue
    }
    const [, name, inner = '', number] =
      /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)$/i.exec(line) ?? []
    if (name === undefined || number === undefined) throw new Error(`not a sample: ${line}`)
    const labels: Record<string, string> = {}
    const rest = inner.replace(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)",?/g, (_whole, key: string, value: string) => {
      labels[key] = value
      return ''
    })
    if (rest !== '') throw new Error(`not labels: ${line}`)
    const family = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
    if (!types.has(family)) throw new Error(`no type: ${line}`)
    samples.push({ name, labels, value: Number(number.replace('Inf', 'Infinity')) })
  }
  return samples
}

async function scrape(): Promise<readonly Sample[]> {
  const response = await fetch(`${app.url}/metrics`, { headers: { authorization } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return parse(await response.text())
}

/** The sum of a metric over the samples with these labels; null: it has none. */
function sum(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number | null {
  const fits = (one: Sample) =>
    one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value)
  const found = samples.filter(fits)
  return found.length === 0 ? null : found.reduce((total, one) => total + one.value, 0)
}

describe('/metrics', () => {
  it('requires its token', async () => {
    const status = async (headers: Record<string, string>) => {
      const response = await fetch(`${app.url}/metrics`, { headers })
      return [response.status, (await response.text()).includes('process_cpu')]
    }
    expect(await status({})).toEqual([401, false])
    for (const wrong of [
      'Bearer',
      `Bearer ${metricsToken}x`,
      `Bearer ${metricsToken.slice(1)}`,
      `Basic ${metricsToken}`,
      metricsToken,
    ])
      expect(await status({ authorization: wrong })).toEqual([401, false])
    expect(await status({ authorization })).toEqual([200, true])
  })

  it('counts requests by route and class, and uploads by outcome', async () => {
    const api = `${app.url}/api/v1/projects`
    const before = await scrape()
    const route = '/api/v1/projects/[project]'
    for (const slug of ['nobody', 'nothing', 'never']) expect((await fetch(`${api}/${slug}`)).status).toBe(404)
    const nonsense = 'nothing that a load generator prints\n'
    const put = (name: string, body: string) =>
      fetch(`${api}/metered/uploads/${name}?create=1`, { method: 'PUT', body })
    const csv = `response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n${'0.01,0,0,0,0.01,0,200,0.1\n'.repeat(50)}`
    expect((await put('a.csv', csv)).status).toBe(201)
    expect((await put('a.csv', csv)).status).toBe(200)
    expect((await put('b.txt', nonsense)).status).toBe(422)
    const wrong = { 'content-sha256': '0'.repeat(64) }
    const refused = await fetch(`${api}/metered/uploads/c.csv`, { method: 'PUT', body: `${csv}\n`, headers: wrong })
    expect(refused.status).toBe(400)
    const after = await scrape()
    const moved = (name: string, labels: Readonly<Record<string, string>>) =>
      (sum(after, name, labels) ?? 0) - (sum(before, name, labels) ?? 0)
    expect(moved('tailboard_http_requests_total', { method: 'GET', route, status: '4xx' })).toBe(3)
    expect(moved('tailboard_http_request_duration_seconds_count', { method: 'GET', route })).toBe(3)
    const uploads = `${route}/uploads/[upload]`
    expect(moved('tailboard_http_requests_total', { method: 'PUT', route: uploads, status: '2xx' })).toBe(2)
    expect(moved('tailboard_uploads_total', { outcome: 'saved' })).toBe(1)
    expect(moved('tailboard_uploads_total', { outcome: 'duplicate' })).toBe(1)
    expect(moved('tailboard_uploads_total', { outcome: 'unreadable' })).toBe(1)
    expect(moved('tailboard_uploads_total', { outcome: 'refused' })).toBe(1)
    expect(moved('tailboard_upload_bytes_total', {})).toBe(csv.length + nonsense.length)
    expect(moved('tailboard_import_duration_seconds_count', {})).toBe(4)
    expect(sum(after, 'tailboard_import_threads_busy')).toBe(0)
    expect(sum(after, 'tailboard_database_away')).toBe(0)
    expect(sum(after, 'tailboard_queue_depth', { queue: 'deliveries' })).toBe(0)
    expect(sum(after, 'tailboard_queue_oldest_seconds', { queue: 'deliveries' })).toBe(null)
    expect(sum(after, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  })

  it('reports the age of the last background round, once there was one', async () => {
    await vi.waitFor(async () => {
      const age = sum(await scrape(), 'tailboard_background_round_age_seconds')
      expect(age).not.toBeNull()
      expect(age).toBeLessThan(60)
    }, 30_000)
  })

  it('has as many labels after 200 unknown addresses as after one of each kind', async () => {
    const random = () => randomUUID()
    const kinds = [() => `/${random()}`, () => `/s/${random()}`, () => `/p/${random()}/runs/${random()}?${random()}=1`]
    const askAll = (addresses: readonly string[]) =>
      Promise.all(addresses.map(async (address) => (await fetch(`${app.url}${address}`)).text()))
    await askAll(kinds.map((make) => make()))
    await fetch(`${app.url}/${random()}`, { method: 'PROPFIND' })
    const routes = async () =>
      new Set((await scrape()).flatMap(({ labels }) => [labels['route'] ?? '', labels['method'] ?? '']))
    const before = await routes()
    expect(before).toContain('/s/[token]')
    for (let round = 0; round < 10; round += 1)
      await askAll(Array.from({ length: 20 }, (_, at) => kinds[at % 3]?.() ?? ''))
    await fetch(`${app.url}/${random()}`, { method: 'MKCOL' })
    expect(await routes()).toEqual(before)
  })

  it('does not exist where no token is set', async () => {
    const other = await shareServer('plain')
    for (const headers of [{}, { authorization }, { authorization: 'Bearer ' }])
      expect((await fetch(`${other.url}/metrics`, { headers })).status).toBe(404)
  })

  it('refuses to start with a short token', async () => {
    const env = { TAILBOARD_METRICS_TOKEN: 'fifteen-letters' }
    const { code, output } = await startRefused({ dataFolder: await makeDataFolder(), env })
    expect({ code, names: output.includes('TAILBOARD_METRICS_TOKEN') }).toEqual({ code: 78, names: true })
  })
})
