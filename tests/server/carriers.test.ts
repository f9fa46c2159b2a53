import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'

const savedSchema = z.object({
  upload: z.object({ id: z.string(), sizeBytes: z.number(), sentSha256: z.string() }),
  runs: z.array(z.object({ id: z.string() })),
})
const runSchema = z.object({ figures: z.object({ requests: z.number().nullable() }) })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const curl = promisify(execFile)

/** `rows` different vegeta results as CSV. */
function results(rows: number): Buffer {
  const start = 1_700_000_000_000_000_000n
  return Buffer.from(
    Array.from(
      { length: rows },
      (_, index) =>
        `${start + BigInt(index) * 1_000_000n},200,${1_000_000 + index},12,34,,,a,${index},GET,http://127.0.0.1/,\n`,
    ).join(''),
  )
}

let app: SharedServer
let folder: string
let large: Buffer
const uploads = () => `${app.url}/api/v1/projects/carriers/uploads`
const put = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(uploads(), { method: 'PUT', body, headers: { accept: 'application/json', ...headers } })
const files = async () => {
  const found = await readdir(path.join(app.dataFolder, 'raw'), { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

beforeAll(async () => {
  app = await shareServer('plain')
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-carriers-'))
  const body = JSON.stringify({ name: 'Carriers', slug: 'carriers' })
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body })
  large = results(200_000)
})
afterAll(() => rm(folder, { recursive: true }))

describe('an upload of 11 MB and more', () => {
  const ways = [
    ['with its length', ['-T', 'large.csv']],
    ['in chunks, without a length', ['-T', '-']],
  ] as const
  it.each(ways)('arrives whole from curl, %s', async (_name, args) => {
    expect(large.length).toBeGreaterThan(11 * 1024 ** 2)
    await writeFile(path.join(folder, 'large.csv'), large)
    await sendWithCurl(args, sha256(large).toString('hex'), large.length, 200_000)
  })

  // `npm run test:large`
  if (process.env['TAILBOARD_LARGE'])
    it('400 MB arrive whole from curl, both ways', { timeout: 600_000 }, async () => {
      const hash = createHash('sha256')
      let size = 0
      await writeFile(path.join(folder, 'large.csv'), '')
      let rows = 0
      for (; size < 400e6; rows += 200_000) {
        const part = results(200_000)
        hash.update(part)
        size += part.length
        await appendFile(path.join(folder, 'large.csv'), part)
      }
      const expected = hash.digest('hex')
      for (const [, args] of ways) await sendWithCurl(args, expected, size, rows)
    })

  async function sendWithCurl(args: readonly string[], sha: string, size: number, rows: number): Promise<void> {
    const command = `curl -sS -H 'accept: application/json' ${args.join(' ')} '${uploads()}?again=1&name=large.csv' < large.csv`
    const { stdout } = await curl('sh', ['-c', command], { cwd: folder })
    const saved = savedSchema.parse(JSON.parse(stdout))
    expect(saved.upload).toMatchObject({ sizeBytes: size, sentSha256: sha })
    const raw = await fetch(`${uploads()}/${saved.upload.id}/raw`)
    const hash = createHash('sha256')
    for await (const chunk of raw.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(sha)
    const run = await fetch(`${app.url}/api/v1/projects/carriers/runs/${saved.runs[0]?.id ?? ''}`)
    expect(runSchema.parse(await run.json()).figures.requests).toBe(rows)
  }
})

describe('carriers', () => {
  it('a gzip is stored unchanged and read again', async () => {
    const text = await readFile('tests/fixtures/hey-text/crlf.txt')
    const packed = gzipSync(text)
    const answer = await put(packed, { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(201)
    const { upload, runs } = savedSchema.parse(await answer.json())
    const raw = await fetch(`${uploads()}/${upload.id}/raw`)
    expect(raw.headers.get('content-type')).toBe('application/octet-stream')
    const bytes = Buffer.from(await raw.arrayBuffer())
    expect(bytes.equals(packed)).toBe(true)
    const lines = await (await fetch(`${uploads()}/${upload.id}/raw?lines=1-3`)).text()
    expect(lines.split('\n').slice(0, 3)).toEqual(gunzipSync(bytes).toString().split(/\r\n/).slice(0, 3))
    const again = await fetch(`${uploads()}/${upload.id}/reimport`, { method: 'POST' })
    expect(z.object({ runs: z.array(z.object({ id: z.string() })) }).parse(await again.json()).runs[0]?.id).toBe(
      runs[0]?.id,
    )
  })
})

describe('what a sender states about the body', () => {
  const body = results(3)
  const right = sha256(body).toString('base64')
  const wrong = sha256(results(4)).toString('base64')
  it.each([
    ['repr-digest', `sha-256=:${right}:`, 201],
    ['content-digest', `sha-512=:AAAA:, sha-256=:${right}:`, 200],
    ['digest', `SHA-256=${right}`, 200],
    ['repr-digest', `sha-256=:${wrong}:`, 400],
    ['digest', `sha-256=${wrong}`, 400],
    ['content-digest', 'sha-256=:nonsense:', 400],
    ['content-encoding', 'br', 400],
    ['content-encoding', 'gzip', 400],
  ])('%s: %s → %i', async (name, value, status) => {
    const before = await files()
    const answer = await put(Buffer.from(body), { [name]: value })
    expect(answer.status).toBe(status)
    if (status === 400) expect(await files()).toEqual(before)
  })
})

describe('cancel', () => {
  it.each([
    ['while sending', 0.5],
    ['when all is sent', 1],
  ])('%s leaves no draft and no file', async (_name, share) => {
    const before = await files()
    const bytes = Buffer.concat([results(170_000), results(170_000)])
    const sending = request(`${uploads()}?draft=1`, {
      method: 'PUT',
      headers: { 'content-length': bytes.length, accept: 'application/json' },
    })
    sending.on('error', () => undefined) // it is ended on purpose
    await new Promise((resolve) => sending.write(bytes.subarray(0, bytes.length * share), resolve))
    await expect.poll(files, { timeout: 30_000 }).not.toEqual(before)
    sending.destroy()
    await expect.poll(files, { timeout: 30_000 }).toEqual(before)
  })
})
