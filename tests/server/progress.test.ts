import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { zipFile } from '../app/zip-file'
import { shareServer, type SharedServer } from '../shared-servers'

const progressSchema = z.object({ receivedBytes: z.number(), readBytes: z.number(), isStoring: z.boolean() })
let app: SharedServer
let csv: Buffer<ArrayBuffer>

const uploads = () => `${app.url}/api/v1/projects/progress/uploads`
const progressOf = (id: string) => `${uploads()}/progress/${id}`
const put = (body: BodyInit, id: string) =>
  fetch(`${uploads()}?draft=1&name=results.csv`, {
    method: 'PUT',
    body,
    headers: { accept: 'application/json', 'upload-progress': id },
  })
const draftSchema = z.object({ upload: z.object({ id: z.string(), draftRuns: z.array(z.unknown()) }) })
/** What lies in the raw store: files under way, and those that are kept. A draft has one of them. */
const kept = async () => (await readdir(path.join(app.dataFolder, 'raw'), { recursive: true })).sort()
const statusOf = async (uploadId: string) => (await fetch(`${uploads()}/${uploadId}`)).status
/** The first results only: bytes that no other test sends. */
const results = (count: number): Buffer<ArrayBuffer> =>
  Buffer.from(
    csv
      .toString()
      .split('\n')
      .slice(0, count + 1)
      .join('\n') + '\n',
  )

/** Sends the bytes of a chunked body, but not its end. */
function openUpload(bytes: Buffer, id: string): { socket: Socket; answer: Promise<string> } {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const head = [
    'PUT /api/v1/projects/progress/uploads?draft=1&name=results.csv HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Accept: application/json',
    'Connection: close',
    `Upload-Progress: ${id}`,
    'Transfer-Encoding: chunked',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${bytes.length.toString(16)}\r\n`)
  socket.write(bytes)
  socket.write('\r\n')
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('error', () => undefined) // a reset after the response: 'close' follows
    socket.on('close', () => resolve(text))
  })
  return { socket, answer }
}

/** Polls until the response is as expected. */
async function untilProgress(id: string, isThere: (progress: z.infer<typeof progressSchema>) => boolean) {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
    const response = await fetch(progressOf(id))
    const progress = response.ok ? progressSchema.parse(await response.json()) : null
    if (progress && isThere(progress)) return progress
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The progress expected was never told')
}

beforeAll(async () => {
  csv = await readFile('tests/fixtures/vegeta-csv/heading.csv')
  app = await shareServer('plain')
  for (const slug of ['progress', 'progress-other'])
    await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name: slug, slug }) })
  expect((await put(csv, randomUUID())).status).toBe(201)
})

describe('the progress of an upload', () => {
  it('reports the bytes received and read, then the end', async () => {
    const id = randomUUID()
    const { socket, answer } = openUpload(csv, id)
    const progress = await untilProgress(id, ({ readBytes }) => readBytes === csv.length)
    expect(progress).toEqual({ receivedBytes: csv.length, readBytes: csv.length, isStoring: false })
    expect((await fetch(progressOf(id).replace('/progress/', '/progress-other/'))).status).toBe(404)
    socket.write('0\r\n\r\n')
    await untilProgress(id, ({ isStoring }) => isStoring)
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('for a zip: nothing is read before all of it has arrived, then the bytes read so far', async () => {
    const zip = zipFile([{ name: 'results.csv', content: csv }])
    const id = randomUUID()
    const { socket, answer } = openUpload(zip, id)
    const before = await untilProgress(id, ({ receivedBytes }) => receivedBytes === zip.length)
    expect(before.readBytes).toBe(0)
    socket.write('0\r\n\r\n')
    const after = await untilProgress(id, ({ isStoring }) => isStoring)
    expect(after.readBytes).toBeGreaterThan(zip.length / 2)
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('is unknown for an upload that named no id', async () => {
    expect((await fetch(progressOf(randomUUID()))).status).toBe(404)
    expect((await fetch(progressOf('nonsense'))).status).toBe(400)
    expect((await put(csv, 'nonsense')).status).toBe(400)
  })
})

describe('cancel leaves nothing', () => {
  it('while it is being read', async () => {
    const bytes = results(50)
    const before = await kept()
    const id = randomUUID()
    const { socket, answer } = openUpload(bytes, id)
    await untilProgress(id, ({ readBytes }) => readBytes === bytes.length)
    expect(await kept()).toHaveLength(before.length + 1)
    const cancelledMs = performance.now()
    expect((await fetch(progressOf(id), { method: 'DELETE' })).status).toBe(204)
    // Without another byte of its body.
    expect(await answer).toMatch(/^HTTP\/1\.1 409 [^]*cancelled/)
    expect(performance.now() - cancelledMs).toBeLessThan(1_000)
    socket.destroy()
    expect(await kept()).toEqual(before)
  })

  it('when its draft was just made', async () => {
    const id = randomUUID()
    const { upload } = draftSchema.parse(await (await put(results(51), id)).json())
    expect(upload.draftRuns).toHaveLength(1)
    expect(await statusOf(upload.id)).toBe(200)
    expect((await fetch(progressOf(id), { method: 'DELETE' })).status).toBe(204)
    expect(await statusOf(upload.id)).toBe(404)
  })

  it('if it arrives before the bytes', async () => {
    const before = await kept()
    const id = randomUUID()
    expect((await fetch(progressOf(id), { method: 'DELETE' })).status).toBe(204)
    // Nothing of it is in progress, as any other instance confirms.
    expect((await fetch(progressOf(id))).status).toBe(404)
    expect((await put(results(52), id)).status).toBe(409)
    expect((await fetch(progressOf(id))).status).toBe(404)
    expect(await kept()).toEqual(before)
  })
})
