import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { readFile } from 'node:fs/promises'
import { tarOf } from '../tar'
import { steadyRows, vegetaCsv } from '../vegeta-csv'
import { shareServer, type SharedServer } from '../shared-servers'

let app: SharedServer

beforeAll(async () => {
  app = await shareServer('plain')
})

const figuresSchema = z.object({ requests: z.number(), requestsPerSecond: z.number(), p99Ms: z.number() })
const runSchema = z.object({ id: z.string(), uploadId: z.string(), form: z.string(), figures: figuresSchema })
const uploadedSchema = z.object({
  upload: z.object({ id: z.string() }),
  runs: z.array(z.object({ id: z.string() })),
})
const partsSchema = runSchema.extend({ parts: z.array(z.object({ id: z.string(), uploadName: z.string() })) })
const listSchema = z.object({ rows: z.array(z.object({ id: z.string() })) })
const problemSchema = z.object({ detail: z.string(), hint: z.string().nullable() })

const api = (path: string) => `${app.url}/api/v1/projects/generators${path}`
const post = (path: string, body: unknown) =>
  fetch(api(path), { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

async function upload(name: string, body: string, project = 'generators') {
  const url = `${app.url}/api/v1/projects/${project}/uploads?name=${name}&scenario=GET+/ping&create=1`
  const response = await fetch(url, { method: 'PUT', body, headers: { accept: 'application/json' } })
  const { upload: made, runs } = uploadedSchema.parse(await response.json())
  const [run] = runs
  if (run === undefined) throw new Error('nothing was saved')
  return { id: run.id, uploadId: made.id }
}

const listed = async () => listSchema.parse(await (await fetch(api('/runs'))).json()).rows.map(({ id }) => id)

it('merges three generators into one run, shows its parts, and restores them', { timeout: 60_000 }, async () => {
  const parts = []
  for (const at of [1, 2, 3]) {
    const rows = steadyRows(1_000 * at, 20_000, at * 100, at * 4_000_000)
    parts.push(await upload(`generator-${at}.csv`, vegetaCsv(rows)))
  }
  const ids = parts.map(({ id }) => id)
  const query = ids.map((id) => `run=${id}`).join('&')
  const plan = z
    .object({ kind: z.literal('merged'), remarks: z.array(z.string()), figures: figuresSchema })
    .parse(await (await fetch(api(`/runs/merge?${query}`))).json())
  expect(plan.figures.requests).toBe(6_000)
  expect((await listed()).sort()).toEqual([...ids].sort())

  const response = await post('/runs/merge', { runs: ids })
  expect(response.status).toBe(201)
  const made = runSchema.parse(await response.json())
  expect(made).toMatchObject({ form: 'merged-runs', figures: plan.figures })
  expect(await listed()).toEqual([made.id])
  const stored = partsSchema.parse(await (await fetch(api(`/runs/${made.id}`))).json())
  expect(stored.parts.map(({ uploadName }) => uploadName)).toEqual([1, 2, 3].map((at) => `generator-${at}.csv`))
  const page = await fetch(`${app.url}/p/generators/runs/${made.id}`)
  expect(await page.text()).toContain('Made of 3 runs')
  // The address of a part redirects to the merged run.
  const old = await fetch(`${app.url}/p/generators/runs/${ids[0]}`, { redirect: 'manual' })
  const leads = old.headers.get('location') ?? (await old.text())
  expect(leads).toContain(`/p/generators/runs/${made.id}`)

  // Any Tailboard reads its document as a run; the files of its parts are still there.
  const document = await (await fetch(api(`/uploads/${made.uploadId}/raw`))).text()
  const elsewhere = await upload('merged.md', document, 'elsewhere')
  const copy = await fetch(`${app.url}/api/v1/projects/elsewhere/runs/${elsewhere.id}`)
  expect(runSchema.parse(await copy.json()).figures).toEqual(made.figures)
  const [first] = parts
  expect(await (await fetch(api(`/uploads/${first?.uploadId}/raw`))).text()).toBe(
    vegetaCsv(steadyRows(1_000, 20_000, 100, 4_000_000)),
  )
  expect((await post(`/uploads/${first?.uploadId}/reimport`, {})).status).toBe(409)

  const split = await post(`/runs/${made.id}/split`, {})
  expect(await split.json()).toEqual({ runs: [...ids].sort() })
  expect((await listed()).sort()).toEqual([...ids].sort())
  expect((await fetch(api(`/runs/${made.id}`))).status).toBe(404)
  expect((await post(`/runs/${ids[0]}/split`, {})).status).toBe(409)
})

it('says why runs cannot be merged, and changes nothing', { timeout: 60_000 }, async () => {
  const wrk = await readFile('tests/fixtures/wrk-text/latency.txt', 'utf8')
  const one = await upload('wrk-1.txt', wrk)
  const other = await upload('wrk-2.txt', wrk.replace(/(\d+) requests in/, '1234 requests in'))
  const before = await listed()
  const runs = [one.id, other.id]
  const response = await post('/runs/merge', { runs })
  expect(response.status).toBe(409)
  const { detail, hint } = problemSchema.parse(await response.json())
  expect(detail).toBe('wrk-1.txt has percentiles only: there is no histogram that could be added.')
  expect(hint).toContain('Percentiles of several runs cannot be averaged')
  const plan = await (await fetch(api(`/runs/merge?run=${one.id}&run=${other.id}`))).json()
  expect(plan).toMatchObject({ kind: 'refused', reason: detail })
  expect(await listed()).toEqual(before)
  expect((await post('/runs/merge', { runs: [one.id] })).status).toBe(400)
})

const planSchema = z.object({ kind: z.literal('merged'), remarks: z.array(z.string()), figures: figuresSchema })
const refusedSchema = z.object({ kind: z.literal('refused'), reason: z.string(), hint: z.string() })
const savedSchema = z.object({ runs: z.array(z.object({ id: z.string() })), merged: z.string().nullable() })
const draftSchema = z.object({ upload: z.object({ id: z.string() }) })

/** The output of three generators of one test, and a run of another test an hour later, in one archive. */
const outputs = {
  'machine-1.csv': vegetaCsv(steadyRows(1_000, 20_000, 100, 4_000_000)),
  'machine-2.csv': vegetaCsv(steadyRows(2_000, 20_000, 200, 8_000_000)),
  'machine-3.csv': vegetaCsv(steadyRows(3_000, 20_000, 300, 12_000_000)),
  'later.csv': vegetaCsv(steadyRows(500, 20_000, 3_600_000)),
}

async function put(project: string, query: string, body: string | Buffer<ArrayBuffer>, headers = {}) {
  const url = `${app.url}/api/v1/projects/${project}/uploads?create=1&${query}`
  return fetch(url, { method: 'PUT', body, headers: { accept: 'application/json', ...headers } })
}

it('saves a draft with some of its runs merged, both or neither', { timeout: 60_000 }, async () => {
  const sent = await put('drafted', 'draft=1&name=test.tar', await tarOf(outputs))
  const { upload: draft } = draftSchema.parse(await sent.json())
  const own = `${app.url}/api/v1/projects/drafted`
  const ask = (path: string, body: unknown) =>
    fetch(`${own}/uploads/${draft.id}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const html = await (await fetch(`${app.url}/p/drafted/upload/${draft.id}`)).text()
  expect(html).toMatch(/Merge into one run/)
  expect(html).toContain('runs 1, 2 and 3 may be such')
  // Without JavaScript too.
  expect(html).toMatch(/<noscript>.*&quot;merge&quot;:\[0,1,2\]/s)

  // With the run from an hour later they cannot be merged, and nothing is saved.
  const refused = refusedSchema.parse(await (await ask('merge', { edits: [], merge: [0, 1, 3] })).json())
  expect(refused.reason).toContain('machine-1.csv and later.csv did not run at the same time')
  const failed = await ask('save', { edits: [], merge: [0, 1, 3] })
  expect([failed.status, problemSchema.parse(await failed.json()).detail]).toEqual([409, refused.reason])
  for (const body of [
    { edits: [], merge: [0, 4] },
    { edits: [{ include: false }], merge: [0, 1] },
  ])
    expect((await ask('save', body)).status, JSON.stringify(body)).toBe(400)
  expect(listSchema.parse(await (await fetch(`${own}/runs`)).json()).rows).toEqual([])
  // A start corrected by the user counts.
  const edits = [{}, {}, {}, { startedAt: '2026-11-21T10:00:00.000Z' }]
  expect(planSchema.parse(await (await ask('merge', { edits, merge: [0, 3] })).json()).figures.requests).toBe(1_500)

  const named = [1, 2, 3].map(() => ({ scenario: 'GET /ping' }))
  const plan = planSchema.parse(await (await ask('merge', { edits: named, merge: [0, 1, 2] })).json())
  expect(plan.figures.requests).toBe(6_000)
  const response = await ask('save', { edits: named, merge: [2, 0, 1] })
  expect(response.status).toBe(201)
  const { runs, merged } = savedSchema.parse(await response.json())
  expect(runs).toHaveLength(2)
  expect(runs[0]?.id).toBe(merged)
  const stored = partsSchema
    .extend({ scenario: z.string(), notes: z.string() })
    .parse(await (await fetch(`${own}/runs/${merged}`)).json())
  expect(stored).toMatchObject({ form: 'merged-runs', scenario: 'GET /ping', figures: plan.figures })
  expect(stored.parts).toHaveLength(3)
  const rows = listSchema.parse(await (await fetch(`${own}/runs`)).json()).rows.map(({ id }) => id)
  expect(rows.sort()).toEqual(runs.map(({ id }) => id).sort())
  expect((await ask('save', { edits: [], merge: [0, 1] })).status).toBe(409)
  // The page of the upload shows what became of its runs.
  const saved = await (await fetch(`${app.url}/p/drafted/upload/${draft.id}`)).text()
  expect(saved).toContain(`/p/drafted/runs/${merged}`)

  const split = await fetch(`${own}/runs/${merged}/split`, { method: 'POST' })
  expect(z.object({ runs: z.array(z.string()) }).parse(await split.json()).runs).toHaveLength(3)
  expect(listSchema.parse(await (await fetch(`${own}/runs`)).json()).rows).toHaveLength(4)
})

it('merges the runs of an upload that requests it, once', { timeout: 60_000 }, async () => {
  const { 'later.csv': _later, ...three } = outputs
  const bytes = await tarOf(three)
  const own = `${app.url}/api/v1/projects/at-once`
  const query = 'merge=1&name=test.tar&scenario=GET+/ping'
  const headers = { 'idempotency-key': 'one-test' }
  const first = await put('at-once', query, bytes, headers)
  expect(first.status).toBe(201)
  const { upload: made, runs } = uploadedSchema.parse(await first.json())
  expect(runs).toHaveLength(1)
  const stored = partsSchema.parse(await (await fetch(`${own}/runs/${runs[0]?.id}`)).json())
  expect(stored.figures.requests).toBe(6_000)
  expect(stored.parts.map(({ uploadName }) => uploadName)).toEqual(['test.tar', 'test.tar', 'test.tar'])
  for (const again of [await put('at-once', query, bytes, headers), await put('at-once', query, bytes)]) {
    expect(again.status).toBe(200)
    expect(uploadedSchema.parse(await again.json())).toMatchObject({
      upload: { id: made.id },
      runs: [{ id: runs[0]?.id }],
    })
  }
  expect(listSchema.parse(await (await fetch(`${own}/runs`)).json()).rows).toHaveLength(1)

  // Runs that cannot be merged become a draft, neither lost nor saved.
  const wrk = await readFile('tests/fixtures/wrk-text/latency.txt', 'utf8')
  const texts = { 'a.txt': wrk, 'b.txt': wrk.replace(/(\d+) requests in/, '1234 requests in') }
  const refused = await put('at-once', 'merge=1&name=wrk.tar', await tarOf(texts))
  expect(refused.status).toBe(409)
  const problem = problemSchema.extend({ url: z.string() }).parse(await refused.json())
  expect(problem.detail).toBe('a.txt has percentiles only: there is no histogram that could be added.')
  expect((await fetch(problem.url)).status).toBe(200)
  expect(listSchema.parse(await (await fetch(`${own}/runs`)).json()).rows).toHaveLength(1)
  expect((await put('at-once', 'merge=1&draft=1', wrk)).status).toBe(400)
  const alone = await put('at-once', 'merge=1', outputs['later.csv'])
  expect([alone.status, problemSchema.parse(await alone.json()).detail]).toEqual([
    409,
    'There are fewer than two runs.',
  ])
})
