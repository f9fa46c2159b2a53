import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { readFile } from 'node:fs/promises'
import { makeDataFolder } from '../shared-databases'
import { steadyRows, vegetaCsv } from '../vegeta-csv'
import { startApp, type RunningApp } from './app'

let app: RunningApp
let folder: string

beforeAll(async () => {
  folder = await makeDataFolder()
  app = await startApp({ dataFolder: folder })
})
afterAll(async () => {
  expect(await app.stop()).toBe(0)
  await rm(folder, { recursive: true })
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

it('makes one run of three generators, shows its parts, and gives them back', { timeout: 60_000 }, async () => {
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
  // The address of a part leads to the whole.
  const old = await fetch(`${app.url}/p/generators/runs/${ids[0]}`, { redirect: 'manual' })
  const leads = old.headers.get('location') ?? (await old.text())
  expect(leads).toContain(`/p/generators/runs/${made.id}`)

  // Its document is a run for any Tailboard; the files of its parts are still there.
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

it('says why runs cannot be one, and changes nothing', { timeout: 60_000 }, async () => {
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
