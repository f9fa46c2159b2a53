import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { encodingFor, staticFiles } from '@/app/_server/http/static-files'
import { packStatic } from '@/scripts/pack-static'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-static-'))
const script = 'console.log("a chunk");\n'.repeat(400)
mkdirSync(path.join(folder, 'static/chunks'), { recursive: true })
writeFileSync(path.join(folder, 'static/chunks/a-1_x~.js'), script)
writeFileSync(path.join(folder, 'static/chunks/font.woff2'), Buffer.from([1, 2, 3]))
writeFileSync(path.join(folder, 'secret.js'), 'secret')
const answer = staticFiles(path.join(folder, 'static'))
const server = createServer((request, response) => {
  void answer(request, response).then((isAnswered) => {
    if (!isAnswered) response.writeHead(404).end('not ours')
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The raw response: fetch would unpack bodies and normalise paths. */
async function get(place: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const sent = ask({ host: '127.0.0.1', port, path: place, headers, method }).end()
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}

const chunk = '/_next/static/chunks/a-1_x~.js'

it("sends the build's files compressed as the client accepts, the same every time", async () => {
  const encodings = [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ] as const
  for (const [accepted, encoding, unpack] of [...encodings, ...encodings]) {
    const { status, headers, body } = await get(`${chunk}?v=1`, { 'accept-encoding': accepted })
    expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, encoding, 'accept-encoding'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toBe('application/javascript; charset=UTF-8')
    expect(Number(headers['content-length'])).toBe(body.length)
    expect(unpack(body).toString()).toBe(script)
  }
  const head = await get(chunk, {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(script.length), 0])
  const font = await get('/_next/static/chunks/font.woff2', { 'accept-encoding': 'br, gzip' })
  expect([font.headers['content-encoding'], [...font.body]]).toEqual([undefined, [1, 2, 3]])
})

it('sends files that the build compressed, and compresses them in other encodings', async () => {
  const packed = '/_next/static/chunks/packed.js'
  writeFileSync(path.join(folder, 'static/chunks/packed.js'), script)
  await packStatic(path.join(folder, 'static'))
  expect(readFileSync(path.join(folder, 'static/chunks/packed.js.br')).length).toBeLessThan(script.length)
  expect(brotliDecompressSync((await get(packed, { 'accept-encoding': 'br' })).body).toString()).toBe(script)
  writeFileSync(path.join(folder, 'static/chunks/other.js'), script)
  writeFileSync(path.join(folder, 'static/chunks/other.js.br'), brotliCompressSync('by the build'))
  const other = await get('/_next/static/chunks/other.js', { 'accept-encoding': 'br' })
  expect([other.headers['content-encoding'], brotliDecompressSync(other.body).toString()]).toEqual([
    'br',
    'by the build',
  ])
  expect((await get('/_next/static/chunks/other.js')).body.toString()).toBe(script)
})

it('leaves everything else to Next: missing files, other folders, other methods, ranges', async () => {
  const others = ['/_next/static/chunks/b.js', '/_next/static/../secret.js', '/_next/static/chunks/..%2f..%2fsecret.js']
  for (const place of [...others, '/_next/static/chunks/.a.js', '/_next/static//chunks/a-1_x~.js', '/secret.js']) {
    const { status, body } = await get(place)
    expect([place, status, body.toString()]).toEqual([place, 404, 'not ours'])
  }
  expect((await get(chunk, {}, 'POST')).status).toBe(404)
  expect((await get(chunk, { range: 'bytes=0-3' })).status).toBe(404)
})

it('uses no encoding that the client weights with 0', () => {
  expect(encodingFor('br;q=0, gzip;q=0.5')).toBe('gzip')
  expect(encodingFor('br;q=0.000,gzip; q=0.0')).toBe('identity')
  expect(encodingFor('BR;q=0.1')).toBe('br')
  expect(encodingFor(undefined)).toBe('identity')
})
