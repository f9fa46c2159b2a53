import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { routesFile } from '../../../app/_server/settings'
import { copyOfBuilds } from '../../fault/copy-builds'
import { walkApi } from '../../fault/walk-api'
import { fillAddress, listAddresses } from '../../hostile/addresses'
import { makeDataFolder } from '../../shared-databases'
import { startApp, type RunningApp } from '../app'

/** Differ from request to request, by how a body is framed, or are of Next. */
const free = new Set(['date', 'x-request-id', 'content-length', 'transfer-encoding', 'vary', 'link'])
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

interface Asked {
  readonly method: string
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What changes nothing: every method of every address, of things that do not exist, and odd requests. */
const requests: readonly Asked[] = [
  ...listAddresses()
    .filter((address) => existsSync(`app${address}/route.ts`))
    .flatMap((pattern) => [
      { method: 'GET', address: fillAddress(pattern, () => '%C3%BC%20%22') },
      ...methods.map((method) => ({
        ...{ method, address: fillAddress(pattern, () => 'no-such') },
        ...(['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: '{"a":' }),
      })),
    ]),
  ...[
    '/healthz',
    '/healthz/',
    '/healthz?a=b/',
    '/api',
    '/api/v1',
    '/api/v1/none',
    '/mcp/none',
    '/badge/',
    '/badge/a/b',
  ].map((address) => ({ method: 'GET', address })),
  ...[
    '/api/v1/projects/smithy',
    '/api/v1/projects/smithy/runs/',
    '/api/v1/projects/smithy/runs?limit=2&sort=p99',
  ].flatMap((address) => methods.slice(0, 3).map((method) => ({ method, address }))),
  ...['text/html', 'application/json', '*/*'].map((accept) => ({
    ...{ method: 'GET', address: '/api/v1/projects/smithy/runs?limit=x' },
    headers: { accept },
  })),
  { method: 'POST', address: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
  { method: 'POST', address: '/mcp', headers: { accept: 'text/plain' }, body: '{}' },
  { method: 'POST', address: '/api/v1/projects', headers: { 'sec-fetch-site': 'cross-site' }, body: '{}' },
  { method: 'POST', address: '/api/v1/projects', body: `"${'x'.repeat(2 << 20)}"` },
  { method: 'GET', address: `/s/oembed?url=${encodeURIComponent('http://127.0.0.1/s/x')}`, headers: { accept: '*/*' } },
]

/** Status, headers and body, without what is of this request or server. */
async function answerTo(app: RunningApp, { method, address, headers = {}, body }: Asked): Promise<string> {
  const accept = 'application/json, text/event-stream'
  const all = { accept, 'content-type': 'application/json', ...headers }
  const response = await fetch(app.url + address, {
    ...{ method, headers: all, redirect: 'manual' },
    ...(body === undefined ? {} : { body }),
  })
  const text = (await response.text()).replace(/"requestId":"[^"]*"/, '').replaceAll(app.url, '')
  const said = [...response.headers]
    // Next does not say which methods there are when it refuses one.
    .filter(([name]) => !free.has(name) && !(name === 'allow' && response.status === 405))
    .map(([name, value]) => `${name}: ${value.replace(/nonce-[^']*/, 'nonce')}`)
  const isOfNext = text.includes('/_next/static/')
  const shown = text.length < 500 ? text : createHash('sha256').update(text).digest('hex')
  return [response.status, ...said, isOfNext ? 'a page' : shown].join('\n')
}

const walkedProjects: readonly string[] = ['smithy', 'zlib-gzip']

/** Pictures and pages, which a walk leaves out. */
const drawn = ['chart.svg', 'chart.png', 'preview.png', 'comparison.html']

/** Until the samples are judged: an answer that changes meanwhile would be unlike itself. */
const untilJudged = (app: RunningApp) =>
  expect
    .poll(
      async () => {
        const lists = walkedProjects.map(async (slug) =>
          (await fetch(`${app.url}/api/v1/projects/${slug}/runs`)).text(),
        )
        return (await Promise.all(lists)).some((text) => text.includes('"judged":null'))
      },
      { timeout: 60_000, interval: 250 },
    )
    .toBe(false)

async function answersOf(app: RunningApp) {
  await untilJudged(app)
  const walked = await walkApi(app, (slug) => walkedProjects.includes(slug))
  const compared = [...walked.keys()].find((address) => address.endsWith('/comparison.md')) ?? ''
  const files = drawn.map((name) => compared.replace('comparison.md', name))
  const answers = new Map<string, string>()
  for (const asked of [...requests, ...files.map((address) => ({ method: 'GET', address }))])
    answers.set(JSON.stringify(asked).slice(0, 200), await answerTo(app, asked))
  const isByNext = (await fetch(`${app.url}/healthz`)).headers.get('vary')?.includes('rsc') === true
  return { isByNext, answers, walked }
}

type Answers = ReadonlyMap<string, string>

/** What was answered in two ways, with both. */
const unlike = (some: Answers, others: Answers) =>
  [...new Set([...some.keys(), ...others.keys()])]
    .map((asked) => ({ asked, direct: some.get(asked), byNext: others.get(asked) }))
    .filter(({ direct, byNext }) => direct !== byNext)

it('a request gets the same answer from the server itself as through Next', async () => {
  const dataFolder = await makeDataFolder()
  const run = async (env: Readonly<Record<string, string>>) => {
    const app = await startApp({ dataFolder, env })
    try {
      return await answersOf(app)
    } finally {
      expect(await app.stop()).toBe(0)
    }
  }
  const direct = await run({})
  // The same build, with no route that the server answers itself.
  const builds = await copyOfBuilds()
  const file = path.join(builds, 'current', routesFile)
  await rename(file, path.join(builds, 'current', 'all-routes.mjs'))
  await writeFile(file, "export { openOnce } from './all-routes.mjs'\nexport const routes = new Map()\n")
  const byNext = await run({ TAILBOARD_NEXT_DIR: builds })
  expect([direct.isByNext, byNext.isByNext]).toEqual([false, true])
  expect(unlike(direct.answers, byNext.answers)).toEqual([])
  expect(unlike(direct.walked, byNext.walked)).toEqual([])
  expect(direct.answers.size).toBeGreaterThan(500)
  expect(direct.walked.size).toBeGreaterThan(100)
})
