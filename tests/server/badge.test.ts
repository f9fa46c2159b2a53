import { request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { heyText } from './feed-series'
import { publicUrl, shareServer, type SharedServer } from '../shared-servers'

let app: SharedServer

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Requests like an outsider, through the public name. */
function ask(target: string, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path: target, method, headers: { host: new URL(publicUrl).host } },
      (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

const post = async (target: string, body: unknown) =>
  fetch(`${app.url}/api/v1${target}`, { method: 'POST', body: JSON.stringify(body) })

const upload = (value: number) =>
  fetch(`${app.url}/api/v1/projects/badges/uploads?scenario=GET+%2F&gate=1&again=1`, {
    method: 'PUT',
    body: heyText(value),
  })

beforeAll(async () => {
  app = await shareServer('plain')
  await post('/projects', { name: 'Badges', slug: 'badges' })
})

it('shows anyone the newest figure and its state, until it is revoked', async () => {
  for (const value of [100, 101, 99]) expect((await upload(value)).status).toBe(200)
  const runs: unknown = await (await fetch(`${app.url}/api/v1/projects/badges/runs`)).json()
  const [newest] = z.object({ rows: z.array(z.object({ seriesId: z.string() })) }).parse(runs).rows
  const seriesId = newest?.seriesId ?? ''
  const answer = await post(`/projects/badges/series/${seriesId}/badges`, { metric: 'p99', label: 'GET / <p99>' })
  expect(answer.status).toBe(201)
  const made = z.object({ id: z.string(), url: z.string(), markdown: z.string() }).parse(await answer.json())
  expect(made.url).toMatch(/^https:\/\/bench\.example\.com\/badge\/[\w-]{43}\.svg$/)
  expect(made.markdown).toBe(`![GET / <p99>](${made.url})`)
  const target = new URL(made.url).pathname

  const first = await ask(target)
  expect(first.status).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  expect(first.body).toMatch(/<title>GET \/ &lt;p99&gt;: 2\.08\ss · no history</)
  expect((await ask(target, 'HEAD')).status).toBe(200)

  for (let at = 0; at < 8; at += 1) await upload(100 + (at % 3))
  expect((await ask(target)).body).toMatch(/ · as expected</)
  for (let at = 0; at < 5; at += 1) await upload(150 + (at % 3))
  expect((await ask(target)).body).toMatch(/ · worse</)

  const listed: unknown = await (await fetch(`${app.url}/api/v1/projects/badges/series/${seriesId}/badges`)).json()
  expect(listed).toMatchObject({ badges: [{ id: made.id, label: 'GET / <p99>', metricId: 'p99' }] })
  expect(JSON.stringify(listed)).not.toMatch(/token|sha256/i)
  const revoke = () => fetch(`${app.url}/api/v1/projects/badges/badges/${made.id}`, { method: 'DELETE' })
  expect((await revoke()).status).toBe(204)
  expect((await revoke()).status).toBe(404)
  const gone = await ask(target)
  expect([gone.status, gone.body]).toEqual([404, 'Not found.\n'])
  const unknown = await ask(`/badge/${'A'.repeat(43)}.svg`)
  expect([unknown.status, unknown.body]).toEqual([404, 'Not found.\n'])
  expect((await ask('/api/v1/projects/badges/runs')).status).toBe(404)
})

it('refuses unknown metrics and series, and labels that are too long', async () => {
  const nowhere = '0'.repeat(26)
  const wanted = { metric: 'p99', label: 'p99' }
  expect((await post(`/projects/badges/series/${nowhere}/badges`, wanted)).status).toBe(404)
  expect((await post(`/projects/badges/series/${nowhere}/badges`, { ...wanted, metric: 'p98.5' })).status).toBe(400)
  expect((await post(`/projects/badges/series/${nowhere}/badges`, { ...wanted, label: 'x'.repeat(61) })).status).toBe(
    400,
  )
})
