import { readdir, readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, strictLimits, type SharedServer } from '../shared-servers'

const { uploadSlowMs: slowMs, uploadIdleMs: idleMs } = strictLimits
let app: SharedServer
let report: Buffer

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const listSchema = z.object({ uploads: z.array(z.unknown()) })
const uploadCount = async () =>
  listSchema.parse(await (await fetch(`${app.url}/api/v1/projects/limits/uploads`)).json()).uploads.length
const storedFiles = async () => (await readdir(path.join(app.dataFolder, 'raw'), { recursive: true })).sort()

interface Sender {
  readonly socket: Socket
  /** The status line and everything after it, once the server has closed the connection; with the time it took. */
  readonly answer: Promise<{ readonly text: string; readonly tookMs: number }>
}

/** A PUT with manually written bytes. */
function openUpload(length: string): Sender {
  const { hostname, port } = new URL(app.url)
  const startedMs = Date.now()
  const socket = connect(Number(port), hostname)
  socket.write(
    `PUT /api/v1/projects/limits/uploads?name=slow.txt HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: application/json\r\n${length}\r\n\r\n`,
  )
  const answer = new Promise<{ text: string; tookMs: number }>((resolve) => {
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('error', () => undefined) // a reset after the response: 'close' follows
    socket.on('close', () => resolve({ text, tookMs: Date.now() - startedMs }))
  })
  return { socket, answer }
}

const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

beforeAll(async () => {
  report = await readFile('tests/fixtures/documents/cascade-load-test.md')
  app = await shareServer('strict')
  await fetch(`${app.url}/api/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Limits', slug: 'limits' }),
  })
})

describe('an upload that trickles', () => {
  it('with a length is ended with 408, and nothing of it is stored', async () => {
    const before = [await uploadCount(), await storedFiles()]
    const { socket, answer } = openUpload(`Content-Length: ${report.length}`)
    let at = 0
    const trickle = setInterval(() => socket.write(report.subarray(at, (at += 20))), 100)
    const { text, tookMs } = await answer
    clearInterval(trickle)
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('"code":"too-slow"')
    expect(text).toMatch(/Only \d+ bytes arrived in 1\.5 s/)
    expect(tookMs).toBeGreaterThanOrEqual(slowMs)
    expect(tookMs).toBeLessThan(idleMs)
    expect([await uploadCount(), await storedFiles()]).toEqual(before)
  })

  it('with a length, fast at first and then silent, is ended too', async () => {
    const before = [await uploadCount(), await storedFiles()]
    const { socket, answer } = openUpload('Content-Length: 1000000')
    socket.write(Buffer.alloc(500_000, 'some words of a log\n'))
    expect((await answer).text).toMatch(/^HTTP\/1\.1 408 /)
    expect([await uploadCount(), await storedFiles()]).toEqual(before)
  })

  it('at more than 1 kB/s arrives', async () => {
    const { socket, answer } = openUpload(`Content-Length: ${report.length}\r\nConnection: close`)
    const step = Math.ceil(report.length / 20)
    for (let at = 0; at < report.length; at += step) {
      socket.write(report.subarray(at, at + step))
      await pause(125)
    }
    const { text, tookMs } = await answer
    expect(report.length / 2.5).toBeGreaterThan(1_000) // otherwise this test would prove nothing
    expect(tookMs).toBeGreaterThan(slowMs)
    expect(text).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('without a length may be silent for longer, since a tool is piped in', async () => {
    const { socket, answer } = openUpload('Transfer-Encoding: chunked\r\nConnection: close')
    socket.write(chunkOf(report.subarray(0, 100)))
    await pause(slowMs * 2)
    socket.write(chunkOf(Buffer.concat([report.subarray(100), Buffer.from('\nlater\n')])))
    socket.write('0\r\n\r\n')
    expect((await answer).text).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('without a length is ended if it stays silent', async () => {
    const before = [await uploadCount(), await storedFiles()]
    const { socket, answer } = openUpload('Transfer-Encoding: chunked')
    socket.write(chunkOf(report.subarray(0, 100)))
    const { text, tookMs } = await answer
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('No byte arrived for 4 s.')
    expect(tookMs).toBeGreaterThanOrEqual(idleMs)
    expect([await uploadCount(), await storedFiles()]).toEqual(before)
  })
})

it('an upload of more bytes than the limit is refused', async () => {
  const line = `${'a log line that is as long as most lines of a log are, with words in it '.repeat(3)}\n`
  const body = Buffer.alloc(21 * 1024 * 1024, line)
  const address = `${app.url}/api/v1/projects/limits/uploads`
  expect((await fetch(address, { method: 'PUT', body, headers: { accept: 'application/json' } })).status).toBe(413)
})
