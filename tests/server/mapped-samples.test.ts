import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from './app'

let app: RunningApp
let folder: string
let samples: string
let mapping: string

beforeAll(async () => {
  const fixture = join(import.meta.dirname, '../fixtures/mapped/bad-own.csv')
  samples = await readFile(fixture, 'utf8')
  mapping = await readFile(`${fixture}.mapping.json`, 'utf8')
  folder = await makeDataFolder()
  app = await startApp({ dataFolder: folder })
})
afterAll(async () => {
  expect(await app.stop()).toBe(0)
  await rm(folder, { recursive: true })
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
  'reads samples of no known tool by a mapping of the project, and again by its copy',
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

    // What the project keeps may change or go: the upload is read as it was.
    expect((await fetch(api('/mappings/own'), { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(api(`/uploads/${upload.id}/reimport`), { method: 'POST' })).status).toBe(200)
    expect(await getRun(made.id)).toEqual(run)
  },
)
