import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { directRoutes, type DirectRoutes } from '@/app/_server/http/direct-routes'
import { readRoutePatterns } from '@/app/_server/observe/route-patterns'

type Context = { readonly params: Promise<Readonly<Record<string, string>>> }

let loads = 0
const modules: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
  '/healthz': async () => ({ dynamic: 'force-dynamic', GET: () => Response.json({ status: 'ok' }) }),
  '/api/[project]/runs/[run]': async () => {
    loads += 1
    const GET = async (_request: Request, { params }: Context) => Response.json(await params)
    return { GET, DELETE: () => new Response(null, { status: 204 }) }
  },
  '/api/[project]/runs/merge': async () => ({ POST: () => new Response('merged') }),
  '/broken': async () => ({ GET: () => Promise.reject(new Error('a defect')) }),
}
const routes: DirectRoutes = new Map(Object.entries(modules))

/** As Next writes it: pages are among the routes. */
const manifest = {
  staticRoutes: ['/healthz', '/broken', '/page'].map((page) => ({ page, regex: `^${page}(?:/)?$` })),
  dynamicRoutes: [
    { page: '/api/[project]/runs/merge', regex: '^/api/([^/]+?)/runs/merge(?:/)?$' },
    { page: '/api/[project]/runs/[run]', regex: '^/api/([^/]+?)/runs/([^/]+?)(?:/)?$' },
  ],
}

let url = ''
const server = createServer()
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-routes-'))
  await writeFile(path.join(folder, 'routes-manifest.json'), JSON.stringify(manifest))
  const direct = directRoutes(await readRoutePatterns(folder), routes)
  await rm(folder, { recursive: true })
  server.on('request', (request, response) => {
    void direct(request, response).then((isDone) => isDone || response.writeHead(299).end('Next'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterAll(() => void server.close())
beforeEach(() => void (loads = 0))

const ask = async (address: string, method = 'GET') => {
  const response = await fetch(url + address, { method })
  return { status: response.status, allow: response.headers.get('allow'), text: await response.text() }
}

it('answers its own routes, with the decoded parts of the address; Next answers the others', async () => {
  expect(await ask('/healthz?a=b/')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  const { text } = await ask('/api/a%20b/runs/%C3%BC')
  expect(JSON.parse(text)).toEqual({ project: 'a b', run: 'ü' })
  for (const address of ['/page', '/healthz/', '/none', '/api/x/runs', '/api/x/runs/y/z', '/_next/x', '/'])
    expect([address, await ask(address)]).toEqual([address, { status: 299, allow: null, text: 'Next' }])
})

it('takes the first of two patterns that match, as Next does', async () => {
  expect(await ask('/api/x/runs/merge', 'POST')).toMatchObject({ status: 200, text: 'merged' })
  expect(await ask('/api/x/runs/merge')).toMatchObject({ status: 405, allow: 'OPTIONS, POST' })
})

it('every route with GET has HEAD, all have OPTIONS, and other methods are refused with those that there are', async () => {
  const allow = 'DELETE, GET, HEAD, OPTIONS'
  expect(await ask('/api/x/runs/y', 'HEAD')).toMatchObject({ status: 200, text: '' })
  expect(await ask('/api/x/runs/y', 'OPTIONS')).toEqual({ status: 204, allow, text: '' })
  for (const method of ['POST', 'PUT', 'PATCH'])
    expect(await ask('/api/x/runs/y', method)).toEqual({ status: 405, allow, text: '' })
})

it('a route is loaded when it is first requested, once', async () => {
  const direct = directRoutes(() => ({ name: '/api/[project]/runs/[run]', params: () => ({}) }), routes)
  const own = createServer((request, response) => void direct(request, response))
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  const address = own.address()
  expect(loads).toBe(0)
  for (let at = 0; at < 3; at += 1)
    await fetch(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/x`)
  expect(loads).toBe(1)
  own.closeAllConnections()
  own.close()
})

it('a defect is logged, and answered with 500 and nothing else', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    expect(await ask('/broken')).toMatchObject({ status: 500, text: '' })
    expect(written.mock.calls.join('')).toContain('a defect')
  } finally {
    written.mockRestore()
  }
})
