import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { runCli } from './run-cli'

interface Seen {
  readonly method: string
  readonly url: URL
  readonly token: string | undefined
  readonly bytes: number
}

type Answer = (response: ServerResponse) => void

/** A server that answers as it is asked to. */
let seen: Seen[] = []
let answers: Answer[] = []
let origin = ''
const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length
  const url = new URL(request.url ?? '', origin)
  seen.push({ method: request.method ?? '', url, token: request.headers.authorization, bytes })
  answers.shift()?.(response)
}

const says =
  (status: number, text: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(text)

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  seen = []
  answers = []
})

const file = 'tests/fixtures/wrk-text/latency.txt'
const upload = (args: readonly string[], env: Record<string, string> = {}) =>
  runCli(['upload', file, '--to', origin, ...args], { env })

it('sends a file with its names, labels and the token', async () => {
  answers = [says(201, 'http://x/p/mine/runs/1\n')]
  const args = ['--project', 'mine', '--label', 'commit=abc', '--label', 'a=b', '--variant', 'gzip']
  expect(await upload(args, { TAILBOARD_TOKEN: 'secret' })).toEqual({
    exit: 0,
    out: 'http://x/p/mine/runs/1\n',
    err: '',
  })
  const [{ method, url, token, bytes } = { method: '', url: new URL(origin), token: '', bytes: 0 }] = seen
  expect([method, url.pathname, token]).toEqual(['POST', '/api/v1/projects/mine/uploads', 'Bearer secret'])
  expect(url.search).toBe('?create=1&label=commit%3Dabc&label=a%3Db&variant=gzip&name=latency.txt')
  expect(bytes).toBeGreaterThan(100)
})

it('waits for a verdict, and exits with 1 if something is worse', async () => {
  answers = [
    says(202, 'pending\n# ask again: x\n', { location: '/again', 'retry-after': '0' }),
    says(422, 'Failed: p99 is worse.\n\n# ask again: x\n'),
  ]
  const { exit, out, err } = await upload(['--project', 'mine', '--gate'])
  expect([exit, out, err]).toEqual([1, 'Failed: p99 is worse.\n\n# ask again: x\n', ''])
  expect(seen.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'POST /api/v1/projects/mine/uploads',
    'GET /again',
  ])
})

it('exits with 75 if the commit must be run again, unless another file is worse', async () => {
  const repeat = says(202, 'Run it again: p99 is off.\n\n# ask again: x\n', { 'tailboard-repeat': '3' })
  answers = [repeat]
  const args = ['--project', 'mine', '--gate', '--repeat', 'auto:6']
  expect(await upload(args)).toEqual({ exit: 75, out: 'Run it again: p99 is off.\n\n# ask again: x\n', err: '' })
  expect(seen.map(({ url }) => url.searchParams.get('repeat'))).toEqual(['auto:6'])
  answers = [says(422, 'Failed.\n\n# ask again: x\n'), repeat]
  expect((await upload([file, ...args])).exit).toBe(1)
})

it('exits with 2 for what the server refuses, and for a server that is not there', async () => {
  answers = [says(422, 'Nothing in it.\n')]
  expect(await upload(['--project', 'mine'])).toEqual({ exit: 2, out: '', err: `${file}: Nothing in it.\n` })
  const { exit, err } = await runCli(['upload', file, '--to', 'http://127.0.0.1:1', '--project', 'mine'])
  expect(exit).toBe(2)
  expect(err).toMatch(/^tests\S+: http:\/\/127\.0\.0\.1:1 cannot be reached: .+\n$/)
})

it.each([
  [[], 'upload needs --project NAME'],
  [['--project', 'mine', '--repeat', 'auto'], '--repeat needs --gate'],
  [['--project', 'mine', '--gate', '--repeat', 'three'], '--repeat takes auto or auto:N, not three'],
  [['--project', 'mine', '--label', 'abc'], '--label takes KEY=VALUE, not abc'],
])('%j is refused in one line', async (args, said) => {
  expect(await upload(args)).toEqual({ exit: 2, out: '', err: `tailboard: ${said}. See: tailboard help upload\n` })
})
