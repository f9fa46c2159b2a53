import { rmSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { boxAnswer } from '@/app/_server/answers/why-answer'
import { boxedText, homogeneousRows } from '../../lib/explain/boxed-rows'
import { shareServer, type SharedServer } from '../../shared-servers'

let app: SharedServer

const call = (address: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/v1/projects${address}`, { headers: { accept: 'application/json' }, ...init })
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const problem = z.object({ code: z.string(), detail: z.string(), field: z.string().nullish() })
const saved = z.object({
  runs: z.tuple([z.object({ id: z.string() })]),
  upload: z.object({ storedSha256: z.string() }),
})
const put = async (name: string, body: string | Uint8Array<ArrayBuffer>) => {
  const answer = await call(`/boxes/uploads/${name}?scenario=box`, { method: 'PUT', body })
  expect(answer.status).toBe(201)
  const { runs, upload } = saved.parse(await answer.json())
  return { id: runs[0].id, sha256: upload.storedSha256 }
}
const boxOf = async (run: string, query: string) => {
  const answer = await call(`/boxes/runs/${run}/why?${query}`)
  expect(answer.status).toBe(200)
  return boxAnswer.parse(await answer.json())
}
const pageOf = async (run: string, query: string) => {
  const text = await (await fetch(`${app.url}/p/boxes/runs/${run}/why?${query}`)).text()
  return plain(text.replaceAll('<!-- -->', ''))
}
const headingOf = (html: string) => /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1] ?? ''

const planted = 'from=12&to=15&above=100&below=400'

beforeAll(async () => {
  app = await shareServer('plain')
  await call('', { method: 'POST', body: JSON.stringify({ name: 'Boxes', slug: 'boxes' }) })
})

it('vegeta: requests of one target in a box name it, in the API and on its page', async () => {
  const { id } = await put('target.csv', boxedText(homogeneousRows(21, 'target')))
  const answer = await boxOf(id, planted)
  expect(answer).toMatchObject({ kind: 'stands-out', box: { from: 12, to: 15, above: 100, below: 400 } })
  expect(answer.values[0]).toMatchObject({ attribute: 'target', value: 'GET /search', inside: 1, stands_out: true })
  expect(answer.inside_requests + answer.outside_requests).toBe(3_000)
  const page = await pageOf(id, planted)
  expect(headingOf(page)).toBe(plain(answer.sentence))
  expect(page).toContain(`In the box`)
  // The run leads there.
  expect(await (await fetch(`${app.url}/p/boxes/runs/${id}`)).text()).toContain(`/p/boxes/runs/${id}/why`)
})

it('hey, packed: new connections in a box are named', async () => {
  const rows = homogeneousRows(22, 'connection', 400)
  const { id } = await put('hey.csv.gz', Uint8Array.from(gzipSync(boxedText(rows, 'hey'))))
  const answer = await boxOf(id, planted)
  expect(answer.values[0]).toMatchObject({ attribute: 'connection', value: 'new', inside: 1 })
  const times = await boxOf(id, 'from=12&to=15')
  expect(times.parts.length).toBeGreaterThan(3)
  for (const { base_share, head_share, parts, remainder } of times.parts) {
    const sum = parts.reduce((all, { value }) => all + value, 0)
    expect(Math.abs(head_share - base_share - sum - remainder)).toBeLessThan(1e-9)
  }
})

it('few requests are not ranked, and bounds that hold nothing are refused', async () => {
  const { id } = await put('few.csv', boxedText(homogeneousRows(23, 'target')))
  const few = await boxOf(id, 'from=12&to=13&above=100')
  expect(few).toMatchObject({ kind: 'too-few', values: [] })
  expect(few.sentence).toBe(`${few.inside_requests} requests are in the box: too few to rank, 50 are needed`)
  for (const [query, field, words] of [
    ['', null, 'has no bound'],
    ['from=15&to=12', 'to', 'ends before it begins'],
    ['above=80&below=80', 'below', 'No latency'],
    ['from=x', 'from', ''],
    ['above=-1', 'above', ''],
    ['to=Infinity', 'to', ''],
  ] as const) {
    const answer = await call(`/boxes/runs/${id}/why?${query}`)
    expect(answer.status, query).toBe(400)
    const said = problem.parse(await answer.json())
    expect(said.code).toBe('invalid-input')
    expect(said.detail).toContain(words)
    if (field !== null) expect(JSON.stringify(said)).toContain(field)
  }
  expect(headingOf(await pageOf(id, 'from=15&to=12'))).toContain('The box ends before it begins')
  expect(headingOf(await pageOf(id, 'from=x'))).toContain('numbers from 0')
  expect(headingOf(await pageOf(id, ''))).toBe('What is in a box of the heat map?')
  // A form sends empty fields, which are open.
  expect(headingOf(await pageOf(id, 'from=12&to=13&above=100&below='))).toBe(few.sentence)
  expect((await call(`/boxes/runs/none/why?${planted}`)).status).toBe(404)
})

it('names are masked as those of the run are', async () => {
  const key = ['AKIA', 'QWERTYUIOPASDFGH'].join('')
  const rows = homogeneousRows(24, 'target').map((row) =>
    row.target === 'GET /search' ? { ...row, target: `GET /keys/${key}` } : row,
  )
  const { id } = await put('secret.csv', boxedText(rows))
  const answer = await boxOf(id, planted)
  expect(answer.values[0]).toMatchObject({ attribute: 'target', inside: 1 })
  expect(JSON.stringify(answer)).not.toContain(key)
  expect(await pageOf(id, planted)).not.toContain(key)
})

it('what has no rows says why', async () => {
  const report = 'Requests      [total, rate, throughput]         100, 100.98, 100.95\n'
  const printed = await put(
    'report.txt',
    `${report}Duration      [total, attack, wait]             990.6ms, 990.3ms, 312.9µs\nLatencies     [min, mean, 50, 90, 95, 99, max]  1ms, 2ms, 2ms, 3ms, 3ms, 4ms, 5ms\nBytes In      [total, mean]                     900, 9.00\nBytes Out     [total, mean]                     0, 0.00\nSuccess       [ratio]                           100.00%\nStatus Codes  [code:count]                      200:100  \nError Set:\n`,
  )
  const answer = await boxOf(printed.id, planted)
  expect(answer).toMatchObject({ kind: 'refused', values: [] })
  expect(answer.sentence).toContain('no row for each request')
  expect(headingOf(await pageOf(printed.id, planted))).toBe(answer.sentence)
  expect(headingOf(await pageOf(printed.id, ''))).toBe(answer.sentence)

  const lost = await put('lost.csv', boxedText(homogeneousRows(25, 'target')))
  const raw = path.join(app.dataFolder, 'raw', lost.sha256.slice(0, 2), lost.sha256)
  rmSync(raw)
  expect(await boxOf(lost.id, planted)).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('missing') })

  const trashed = await put('trashed.csv', boxedText(homogeneousRows(26, 'target')))
  expect((await call(`/boxes/runs/${trashed.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await call(`/boxes/runs/${trashed.id}/why?${planted}`)).status).toBe(404)
})

it('many boxes at once hold nobody up', async () => {
  const { id } = await put('many.csv', boxedText(homogeneousRows(27, 'target', 4_000)))
  const asked = Array.from({ length: 12 }, (_, at) => call(`/boxes/runs/${id}/why?from=${at}&to=${at + 3}&above=20`))
  let longestMs = 0
  const until = Promise.allSettled(asked).then(() => true)
  for (let isOver = false; !isOver;) {
    const began = performance.now()
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    longestMs = Math.max(longestMs, performance.now() - began)
    isOver = await Promise.race([until, new Promise<false>((resolve) => setTimeout(() => resolve(false), 50))])
  }
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
  expect(statuses).toContain(200)
  expect(longestMs).toBeLessThan(1_500)
}, 60_000)
