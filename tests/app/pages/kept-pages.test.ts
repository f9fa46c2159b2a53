import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepPages } from '@/app/_server/pages/kept-pages'
import { PageParts } from '@/app/_server/pages/page-parts'
import { inRequest, knownFrame } from '@/app/_server/observe/request-context'
import type { Frame, FrameProject } from '@/prisma/queries/projects/frames'

const project = (slug: string, own: Partial<FrameProject> = {}): FrameProject => ({
  ...{ id: `id-of-${slug}`, slug, name: slug, repositoryUrl: null, openAlerts: 0, hasDeadChannel: false },
  ...{ role: 'viewer', candidateRule: null, controlRule: null, version: '1', limits: [], ...own },
})

const member = (name: string, projects = [project('one'), project('two')], isOwner = false): Frame => ({
  viewer: { kind: 'member', sessionId: `session of ${name}`, accountId: `account of ${name}`, name, isOwner },
  projects,
})

/** By cookie: who asks. */
const frames = new Map<string, Frame>()
/** Addresses of the pages that were made. */
let made: string[] = []
let makeMs = 0

/** Next: a page that shows its viewer, and what it may run. */
async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  made.push(request.url ?? '')
  await sleep(makeMs)
  if (request.url?.includes('broken')) throw new Error('broken')
  const frame = knownFrame()
  const name = frame?.viewer.kind === 'member' ? frame.viewer.name : 'a stranger'
  const nonce = String(request.headers['x-nonce'])
  response.statusCode = request.url?.includes('none') ? 404 : 200
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('link', `</font>; rel=preload; nonce="${nonce}"`)
  response.flushHeaders()
  const roles = frame?.projects.map((one) => one.role).join()
  response.write(`<p>${name}</p><p>${roles} ${made.length}</p>`)
  response.end(`<script nonce="${nonce}">push("{\\"name\\":\\"${name}\\"}")</script>${'text '.repeat(2_000)}`)
}

const routes: Readonly<Record<string, string>> = { '/': '/', '/settings': '/p/[project]/settings' }
const keep = keepPages({
  find: (url) => {
    const [path = ''] = url.split('?')
    const [, , slug = ''] = path.split('/')
    const name = routes[path] ?? '/p/[project]/runs'
    return { name, params: () => ({ project: slug }) }
  },
  readFrame: async (headers) => frames.get(headers.get('cookie') ?? '') ?? null,
  handle,
})
let nonces = 0
const server = createServer((request, response) => {
  request.headers['x-nonce'] = `nonce/${(nonces += 1)}+==`
  response.setHeader('content-security-policy', `'nonce-${request.headers['x-nonce']}'`)
  inRequest(request, () => void keep(request, response).catch(() => response.writeHead(500).end()))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
})
afterAll(() => void server.close())
let tests = 0
let page = ''
beforeEach(() => {
  made = []
  makeMs = 0
  // Each test has pages of its own.
  page = `/p/one/runs?test=${(tests += 1)}`
  frames.clear()
  frames.set('ann', member('Ann'))
  frames.set('bob', member('Bob'))
})

const get = (cookie: string, path = page, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { cookie, ...headers } })
const textOf = async (cookie: string, path = page, headers = {}) => (await get(cookie, path, headers)).text()

describe('a kept page', () => {
  it('is made once for those who may see the same, and shows each their own name', async () => {
    const [first, second, third] = [await textOf('ann'), await textOf('bob'), await textOf('ann')]
    expect(made).toHaveLength(1)
    expect(second).toBe(first.replaceAll('Ann', 'Bob').replace(/nonce\/\d+/, /nonce\/\d+/.exec(second)?.[0] ?? ''))
    expect(third.match(/Ann/g)).toHaveLength(2)
  })
  it('has a nonce of its own in each response, which its policy allows', async () => {
    const seen = new Set<string>()
    for (let at = 0; at < 3; at += 1) {
      const response = await get('ann')
      const nonce = /nonce="([^"]*)"/.exec(await response.text())?.[1] ?? ''
      expect(response.headers.get('content-security-policy')).toBe(`'nonce-${nonce}'`)
      expect(response.headers.get('link')).toContain(`nonce="${nonce}"`)
      seen.add(nonce)
    }
    expect(seen.size).toBe(3)
  })
  it('is the same compressed or not', async () => {
    const plain = await textOf('ann', page, { 'accept-encoding': 'identity' })
    for (const encoding of ['gzip', 'br, gzip;q=0.5']) {
      const response = await get('ann', page, { 'accept-encoding': encoding })
      expect(response.headers.get('content-encoding')).toBe('gzip')
      expect((await response.text()).replace(/nonce\/\d+/, '')).toBe(plain.replace(/nonce\/\d+/, ''))
    }
    for (const encoding of ['identity', 'gzip;q=0', 'br'])
      expect((await get('ann', page, { 'accept-encoding': encoding })).headers.has('content-encoding')).toBe(false)
  })
  it('is not sent again to who has it, unless the name differs', async () => {
    const first = await get('ann')
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const second = await get('ann', page, { 'if-none-match': tag })
    expect(second.status).toBe(304)
    // The page that the client has was sent with another nonce, which its policy then allowed.
    expect(second.headers.has('content-security-policy')).toBe(false)
    expect((await get('bob', page, { 'if-none-match': tag })).status).toBe(200)
  })
  it('is made again for another version of its project, and for no other project', async () => {
    await textOf('ann')
    frames.set('ann', member('Ann', [project('one'), project('two', { version: '2' })]))
    await textOf('ann')
    expect(made).toHaveLength(1)
    frames.set('ann', member('Ann', [project('one', { version: '2' }), project('two', { version: '2' })]))
    await textOf('ann')
    expect(made).toHaveLength(2)
  })
  it('is not kept beside its next version', async () => {
    await textOf('ann')
    for (const version of ['2', '1']) {
      frames.set('ann', member('Ann', [project('one', { version }), project('two')]))
      await textOf('ann')
    }
    expect(made).toHaveLength(3)
  })
  it.each([
    ['another role', member('Ann', [project('one', { role: 'editor' }), project('two')])],
    ['an owner', member('Ann', [project('one'), project('two')], true)],
    ['fewer projects', member('Ann', [project('one')])],
    ['an open alert', member('Ann', [project('one'), project('two', { openAlerts: 1 })])],
    ['no accounts', { ...member('Ann'), viewer: { kind: 'local' } } as Frame],
  ])('is made again for %s', async (_, other) => {
    await textOf('bob')
    frames.set('ann', other)
    await textOf('ann')
    expect(made).toHaveLength(2)
  })
  it('of all projects is made again when one of them changes', async () => {
    await textOf('ann', '/')
    frames.set('ann', member('Ann', [project('one'), project('two', { version: '2' })]))
    await textOf('ann', '/')
    expect(made).toHaveLength(2)
  })
  it('differs by what decides its content: address, host, and the part that a script asks for', async () => {
    for (const headers of [{}, { rsc: '1' }, { 'next-url': '/p/two' }]) await textOf('ann', page, headers)
    await textOf('ann', `${page}&more`)
    expect(made).toHaveLength(4)
  })
})

describe('a page', () => {
  it('that fifty people want at once is made once', async () => {
    makeMs = 100
    const texts = await Promise.all(Array.from({ length: 50 }, (_, at) => textOf(at % 2 === 0 ? 'ann' : 'bob')))
    expect(made).toHaveLength(1)
    expect(texts.filter((text) => text.includes('<p>Ann</p>'))).toHaveLength(25)
  })
  it('whose first client goes away is made for the next', async () => {
    makeMs = 200
    const gone = new AbortController()
    const first = fetch(url + page, { headers: { cookie: 'ann' }, signal: gone.signal })
    await sleep(50)
    const second = textOf('bob')
    await sleep(50)
    gone.abort()
    await expect(first).rejects.toThrow()
    expect(await second).toContain('Bob')
    expect(made).toHaveLength(2)
  })
  it('that is not found, or fails, is made each time', async () => {
    for (const path of [`${page}&none`, `${page}&broken`]) {
      const statuses = [await get('ann', path), await get('bob', path)].map(({ status }) => status)
      expect(new Set(statuses).size).toBe(1)
      expect(statuses[0]).toBeGreaterThan(399)
    }
    expect(made).toHaveLength(4)
    expect(await textOf('bob', `${page}&none`)).toContain('<p>Bob</p>')
  })
  it('of who is not signed in, and one that shows more of a person, is made by Next alone', async () => {
    expect(await textOf('nobody')).toContain('a stranger')
    for (let at = 0; at < 2; at += 1) await textOf('ann', '/settings')
    expect(made).toHaveLength(3)
  })
})

describe('a name in a page', () => {
  const hole = 'HOLE'
  const text = `<p title="${hole}">${hole}</p><script nonce="N">push([1,"3:{\\"name\\":\\"${hole}\\"}\\n"])</script>`
  it.each(['Ann', '"><script>alert(1)</script>', "$1 & 'you' \\ \u2028 </script>", '$F1', 'Ünï 💩', '\\"'])(
    'is %j in HTML and in the data of React',
    async (name) => {
      const page = await PageParts.of(text, { nonce: 'N', name: hole }, true)
      const shown = page.plain({ nonce: 'M', name }).toString()
      expect(gunzipSync(page.gzip({ nonce: 'M', name })).toString()).toBe(shown)
      const [, title = '', own = ''] = /^<p title="([^"]*)">([^<]*)<\/p><script nonce="M">/.exec(shown) ?? []
      const read = (html: string) =>
        html
          .replace(/&lt;/g, '<')
          .replace(/&gt;/g, '>')
          .replace(/&quot;/g, '"')
          .replace(/&#x27;/g, "'")
          .replace(/&amp;/g, '&')
      expect([read(title), read(own)]).toEqual([name, name])
      const script = shown.slice(shown.indexOf('push(') + 5, shown.lastIndexOf(')</script>'))
      expect(script).not.toMatch(/[<>&\u2028]/)
      const [, row = ''] = JSON.parse(script) as [number, string]
      const data = JSON.parse(row.slice(2)) as { name: string }
      // React reads $$ as $.
      expect(data.name).toBe(name.startsWith('$') ? `$${name}` : name)
      const alone = await PageParts.of(`{"name":"${hole}"}`, { nonce: 'N', name: hole }, false)
      expect(JSON.parse(alone.plain({ nonce: 'M', name }).toString())).toEqual(data)
    },
  )
  it('holds no more memory than its text takes, plain and compressed', async () => {
    const pieces = Array.from({ length: 60 }, (_, at) => `N${'a piece of a page '.repeat(20 + at)}`)
    const page = await PageParts.of(pieces.join(''), { nonce: 'N', name: hole }, true)
    const buffers = page['parts'].flatMap(({ bytes, packed }) => [bytes.buffer, packed.buffer])
    const heldBytes = [...new Set(buffers)].reduce((sum, { byteLength }) => sum + byteLength, 0)
    // Node cuts small buffers from pools of 8 kB, which other code uses, too.
    expect(heldBytes).toBeLessThan(4 * page.size)
  })
  it('leaves nothing of the page out, however large', async () => {
    const long = `${'x'.repeat(200_000)}${hole}${'é'.repeat(70_000)}N`
    const page = await PageParts.of(long, { nonce: 'N', name: hole }, true)
    const holes = { nonce: 'n'.repeat(70_000), name: 'Ann' }
    expect(page.plain(holes).toString()).toBe(long.replace(hole, 'Ann').replace(/N$/, holes.nonce))
    expect(gunzipSync(page.gzip({ nonce: 'M', name: 'Ann' })).toString()).toBe(
      long.replace(hole, 'Ann').replace(/N$/, 'M'),
    )
  })
})
