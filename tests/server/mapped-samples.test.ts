import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'

let app: SharedServer
let samples: string
let mapping: string

beforeAll(async () => {
  const fixture = join(import.meta.dirname, '../fixtures/mapped/bad-own.csv')
  samples = await readFile(fixture, 'utf8')
  mapping = await readFile(`${fixture}.mapping.json`, 'utf8')
  app = await shareServer('plain')
})

const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string().nullable() })
const uploadedSchema = z.object({
  upload: z.object({ id: z.string() }),
  runs: z.array(z.object({ id: z.string() })),
})
const runSchema = z.object({
  tool: z.string(),
  form: z.string(),
  complete: z.boolean(),
  figures: z.object({ requests: z.number() }),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
})

const api = (path: string) => `${app.url}/api/v1/projects/own${path}`
const put = (path: string, body: string, type = 'text/csv') =>
  fetch(api(path), { method: 'PUT', body, headers: { accept: 'application/json', 'content-type': type } })
const getRun = async (id: string) => runSchema.parse(await (await fetch(api(`/runs/${id}`))).json())

it(
  "reads samples from an unknown tool through a project's mapping, and again through its copy",
  { timeout: 60_000 },
  async () => {
    const refused = await put('/uploads/own.csv?create=1&scenario=orders', samples)
    expect(refused.status).toBe(422)
    const problem = problemSchema.parse(await refused.json())
    expect(problem.hint).toContain('CSV with the columns started_at, endpoint, took_ms, code, err, size')
    expect(problem.hint).toContain('?mapping=')

    expect((await put('/uploads/own.csv?mapping=own', samples)).status).toBe(404)
    const wrong = await put('/mappings/own', '{"kind":"csv","latency":{"column":"took_ms"}}', 'application/json')
    expect(wrong.status).toBe(400)
    expect((await put('/mappings/own', mapping, 'application/json')).status).toBe(200)

    const sent = await put('/uploads/own.csv?mapping=own&scenario=orders', samples)
    expect(sent.status).toBe(201)
    const { upload, runs } = uploadedSchema.parse(await sent.json())
    const [made] = runs
    if (made === undefined) throw new Error('nothing was saved')
    const run = await getRun(made.id)
    expect(run).toMatchObject({ tool: 'mapped', form: 'mapped-csv', complete: true, figures: { requests: 7 } })
    const source = run.warnings.find(({ code }) => code === 'mapped')
    expect(source?.message).toContain(
      'Read by the mapping "own": latency: column "took_ms", ms; time: column "started_at"',
    )
    const page = await (await fetch(`${app.url}/p/own/runs/${made.id}`)).text()
    expect(page).toContain('Read by the mapping')

    // The project's mapping may change or disappear: the upload is read as it was.
    expect((await fetch(api('/mappings/own'), { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(api(`/uploads/${upload.id}/reimport`), { method: 'POST' })).status).toBe(200)
    expect(await getRun(made.id)).toEqual(run)
  },
)

it('reads a draft through a mapping, and through a corrected one', { timeout: 60_000 }, async () => {
  const draftSchema = z.object({
    upload: z.object({
      id: z.string(),
      mapping: z.object({ name: z.string() }).nullable(),
      draftRuns: z.array(z.object({ requests: z.number(), latencies: z.array(z.object({ maxMs: z.number() })) })),
    }),
  })
  const post = (path: string, body: unknown) =>
    fetch(api(path), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    })
  const sent = await put('/uploads/own.csv?create=1&draft=1', samples)
  const { upload } = draftSchema.parse(await sent.json())
  expect(upload).toMatchObject({ mapping: null, draftRuns: [] })
  expect(await (await fetch(`${app.url}/p/own/upload/${upload.id}`)).text()).toContain('Read by this mapping')

  expect((await post(`/uploads/${upload.id}/map`, { mapping: 'none' })).status).toBe(404)
  const wrong = mapping.replace('took_ms', 'took')
  expect((await put('/mappings/drafted', wrong, 'application/json')).status).toBe(200)
  const refused = await post(`/uploads/${upload.id}/map`, { mapping: 'drafted' })
  expect(refused.status).toBe(422)
  expect(problemSchema.parse(await refused.json()).detail).toContain('names columns that the file lacks: "took"')
  const after = await (await fetch(api(`/uploads/${upload.id}`))).json()
  expect(after).toMatchObject({ mapping: null, draftRuns: [] })

  expect((await put('/mappings/drafted', mapping, 'application/json')).status).toBe(200)
  const read = draftSchema.parse(await (await post(`/uploads/${upload.id}/map`, { mapping: 'drafted' })).json())
  expect(read.upload).toMatchObject({ mapping: { name: 'drafted' }, draftRuns: [{ requests: 7 }] })
  const inSeconds = mapping.replace('"ms" },', '"s" },')
  expect((await put('/mappings/drafted', inSeconds, 'application/json')).status).toBe(200)
  const again = draftSchema.parse(await (await post(`/uploads/${upload.id}/map`, { mapping: 'drafted' })).json())
  const [before, corrected] = [read, again].map((one) => one.upload.draftRuns[0]?.latencies[0]?.maxMs ?? 0)
  expect(corrected).toBeCloseTo((before ?? 0) * 1_000, 0)
  expect((await post(`/uploads/${upload.id}/save`, { edits: [] })).status).toBe(201)
  expect((await post(`/uploads/${upload.id}/map`, { mapping: 'drafted' })).status).toBe(409)
})
