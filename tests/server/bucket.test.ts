import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { startBucket, type TestBucket } from '../s3-server'
import { makeDataFolder } from '../shared-databases'
import { startApp, startRefused, type RunningApp } from './app'

/** The real server's raw uploads in a bucket, on another vendor's server. */
let app: RunningApp
let bucket: TestBucket
let dataFolder: string
let csv: string

beforeAll(async () => {
  bucket = await startBucket()
  dataFolder = await makeDataFolder()
  csv = await readFile('tests/fixtures/hey-csv/http-errors.csv', 'utf8')
  app = await startApp({ dataFolder, env: bucket.env })
  await vi.waitFor(async () => expect(await ready()).toBe(200), 30_000) // the first background round is over
}, 60_000)
afterAll(async () => {
  await app.stop()
  await bucket.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

const uploads = () => `${app.url}/api/v1/projects/in-bucket/uploads`
const put = (body: string) =>
  fetch(`${uploads()}/results.csv?create=1&keepSecrets=1`, {
    method: 'PUT',
    body,
    headers: { accept: 'application/json' },
  })
const savedSchema = z.object({ upload: z.object({ id: z.string() }), runs: z.tuple([z.object({ id: z.string() })]) })
const ready = async () => (await fetch(`${app.url}/readyz`)).status
const sha256Of = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const rawOf = async (uploadId: string) => Buffer.from(await (await fetch(`${uploads()}/${uploadId}/raw`)).arrayBuffer())

describe('raw uploads in a bucket', () => {
  it('are returned as sent, in parts too, and no part of them is in the folder', async () => {
    const [head = '', ...rows] = csv.trimEnd().split('\n')
    const many = [head, ...Array.from({ length: Math.ceil(11e6 / rows.join('\n').length) }, () => rows).flat(), '']
    const before = await readdir(dataFolder + '/raw', { recursive: true })
    for (const body of [csv, many.join('\n')]) {
      const response = await put(body)
      expect(response.status).toBe(201)
      const { upload } = savedSchema.parse(await response.json())
      expect(sha256Of(await rawOf(upload.id))).toBe(sha256Of(body))
    }
    expect(await readdir(dataFolder + '/raw', { recursive: true })).toEqual(before)
    expect(await ready()).toBe(200)
  })

  it('are refused with Retry-After while it is unavailable; everything else works', async () => {
    const { upload, runs } = savedSchema.parse(await (await put(`${csv}\n`)).json())
    bucket.goAway()
    expect(await ready()).toBe(503)
    const refused = await put(`${csv}\n\n`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ code: 'store-unavailable' })
    expect((await fetch(`${uploads()}/${upload.id}/raw`)).status).toBe(503)
    const page = await fetch(`${app.url}/p/in-bucket/runs/${runs[0].id}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('does not respond at the moment')])
    bucket.comeBack()
    expect(await ready()).toBe(200)
    expect((await put(`${csv}\n\n`)).status).toBe(201)
    expect(app.output().match(/The bucket (cannot be used|is back)/g)).toEqual([
      'The bucket cannot be used',
      'The bucket is back',
    ])
  })

  it('require an existing bucket', async () => {
    bucket.comeBack()
    const env = { ...bucket.env, TAILBOARD_S3_BUCKET: 'no-such-bucket' }
    const { code, output } = await startRefused({ dataFolder: `${dataFolder}-other`, env })
    await rm(`${dataFolder}-other`, { recursive: true, force: true })
    expect([code, output]).toEqual([78, expect.stringContaining('there is no bucket no-such-bucket')])
  })
})
