import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json'
import { startPostgres } from '../postgres'
import { startApp, startRefused } from './app'
import { shareServer, type SharedServer } from '../shared-servers'

const postgres = await startPostgres()
if (postgres.kind === 'missing') process.stdout.write(`${postgres.reason}\n`)
const databaseUrl = () => (postgres.kind === 'running' ? postgres.createDatabase() : Promise.resolve(undefined))
afterAll(() => (postgres.kind === 'running' ? postgres.stop() : undefined))
const temporary = () => mkdtemp(path.join(os.tmpdir(), 'tailboard-start-'))
const api = (app: { readonly url: string }) => `${app.url}/api/v1/projects`
const json = async (url: string): Promise<unknown> => (await fetch(url)).json()

/** A request with headers that fetch does not let one set. */
function status(
  app: { readonly url: string },
  method: string,
  target: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    request({ hostname, port, method, path: target, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

async function startUploadRestart(databaseUrl: string | undefined): Promise<void> {
  const dataFolder = path.join(await temporary(), 'deep', 'folder')
  const app = await startApp({ dataFolder, databaseUrl })
  expect((await stat(dataFolder)).mode & 0o777).toBe(0o700)
  const samples = await json(api(app))
  expect(samples).toMatchObject({ projects: { length: 5 } })
  await fetch(api(app), { method: 'POST', body: JSON.stringify({ name: 'Mine', slug: 'mine' }) })
  const body = await readFile('tests/fixtures/documents/zlib-gzip.md')
  const answer = await fetch(`${api(app)}/mine/uploads?label=commit=abc&name=zlib.md`, { method: 'PUT', body })
  expect(answer.status).toBe(201)
  const urls = (await answer.text()).trim().split('\n')
  expect(urls).toHaveLength(4)
  // Runs are judged after the upload: their judgements must survive, too.
  const isWaiting = async () => JSON.stringify(await json(`${api(app)}/mine/runs`)).includes('"judged":null')
  await expect.poll(isWaiting, { timeout: 15_000 }).toBe(false)
  const before = await json(`${api(app)}/mine/runs`)
  expect(await app.stop()).toBe(0)

  const again = await startApp({ dataFolder, databaseUrl })
  try {
    expect(await json(api(again))).toMatchObject({ projects: { length: 6 } })
    expect(await json(`${api(again)}/mine/runs`)).toEqual(before)
    const duplicate = await fetch(`${api(again)}/mine/uploads?name=zlib.md`, { method: 'PUT', body })
    expect(duplicate.status).toBe(200)
    expect(await duplicate.text()).toContain('# duplicate')
  } finally {
    expect(await again.stop()).toBe(0)
  }
  if (databaseUrl !== undefined) return
  // Plain text, no line for a request. The build tool has a line of its own.
  expect(again.output().replace(/^✓ .*\n/gm, '')).toBe(
    `Tailboard is at ${again.url}\nSIGTERM: finishing open requests …\n`,
  )
}

describe('start', () => {
  it('keeps everything over a restart (embedded database)', async () => {
    await startUploadRestart(undefined)
  })
  // `npm run test:faults` sets it: here, tests/fault/outage starts one on PostgreSQL and instances three.
  const isWhole = process.env.TAILBOARD_KILLS !== undefined
  it.skipIf(!isWhole || postgres.kind === 'missing')('keeps everything over a restart (PostgreSQL)', async () => {
    await startUploadRestart(await databaseUrl())
  })
  it('refuses an address that others can reach, unless people can sign in there', async () => {
    const refused = await startRefused({ dataFolder: await temporary(), env: { HOST: '0.0.0.0' } })
    expect(refused).toMatchObject({ code: 78, output: expect.stringContaining('needs TAILBOARD_SECRET_KEY') as string })
  })
})

describe('a server that runs', () => {
  let app: SharedServer
  beforeAll(async () => {
    app = await shareServer('plain')
  })

  it('refuses a second process on the same data folder, with a sentence', async () => {
    const second = await startRefused({ dataFolder: app.dataFolder })
    expect(second.code).toBe(78)
    expect(second.output).toContain(String(app.pid))
    expect(await json(`${app.url}/healthz`)).toEqual({ status: 'ok', version: packageJson.version })
  })
  it('refuses foreign hosts, foreign pages and truncated bodies', async () => {
    expect(await status(app, 'GET', '/', { host: 'evil.example' })).toBe(403)
    expect(await status(app, 'POST', '/api/v1/projects', { origin: 'http://evil.example' })).toBe(403)
    expect(await status(app, 'POST', '/api/v1/projects', { 'sec-fetch-site': 'cross-site' })).toBe(403)
    const unknown = await fetch(`${api(app)}/nobody/uploads`, { method: 'PUT', body: 'x' })
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('curl')
    const wrongHash = await fetch(`${api(app)}/smithy/uploads`, {
      method: 'PUT',
      body: await readFile('tests/fixtures/documents/smithy-wrk.md'),
      headers: { 'content-sha256': '0'.repeat(64) },
    })
    expect(wrongHash.status).toBe(400)
  })
})
