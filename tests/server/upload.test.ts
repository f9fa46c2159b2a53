import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'

const fixture = (name: string) => readFile(path.join('tests/fixtures', name))
const savedSchema = z.object({
  duplicate: z.boolean(),
  labelsDiffer: z.boolean(),
  candidateDiffers: z.boolean(),
  upload: z.object({ id: z.string(), sizeBytes: z.number(), sentSha256: z.string() }),
  runs: z.array(z.object({ id: z.string(), url: z.string(), scenario: z.string(), variant: z.string().nullable() })),
})
const problemSchema = z.object({
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  hint: z.string().nullable(),
})

let app: SharedServer
const uploads = (project = 'uploads') => `${app.url}/api/v1/projects/${project}/uploads`
const put = (body: BodyInit, query = '', headers: Record<string, string> = { accept: 'application/json' }) =>
  fetch(`${uploads()}${query}`, {
    method: 'PUT',
    body,
    headers,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
const readRun = async (id = 'none'): Promise<unknown> =>
  (await fetch(`${app.url}/api/v1/projects/uploads/runs/${id}`)).json()
const postForm = (fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return fetch(`${app.url}/p/uploads/upload/form`, { method: 'POST', body, headers, redirect: 'manual' })
}
const runCount = async () =>
  z
    .object({ rows: z.array(z.unknown()) })
    .parse(await (await fetch(`${app.url}/api/v1/projects/uploads/runs?limit=200`)).json()).rows.length

beforeAll(async () => {
  app = await shareServer('plain')
  for (const slug of ['uploads', 'uploads-moved'])
    await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body: JSON.stringify({ name: slug, slug }) })
})

describe('the plain form', () => {
  it('saves a text at once and redirects to its run', async () => {
    const text = await readFile('tests/fixtures/documents/zlib-gzip.md', 'utf8')
    const answer = await postForm({ text })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^\/p\/uploads\/runs\?upload=\w+$/)
    const before = await runCount()
    // The same bytes again lead to the same runs.
    expect((await postForm({ text })).headers.get('location')).toBe(answer.headers.get('location'))
    expect(await runCount()).toBe(before)
  })
  it('refuses forms from other sites, empty ones and those that are too large', async () => {
    const before = await runCount()
    const foreign = await postForm({ text: 'x' }, { origin: 'http://evil.test' })
    expect(foreign.status).toBe(403)
    expect((await postForm({ text: 'x' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await postForm({ text: ' ' })).status).toBe(400)
    expect((await postForm({ text: 'x'.repeat(17 * 1_024 * 1_024) })).status).toBe(413)
    expect(await runCount()).toBe(before)
  })
})

describe('PUT …/uploads', () => {
  it('saves, and responds to terminals with the runs’ URLs', async () => {
    const answer = await put(
      await fixture('documents/lambda-dispatcher-vs-direct.md'),
      '?label=commit=abc&name=perf.md',
      {},
    )
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    const urls = (await answer.text()).trim().split('\n')
    expect(urls).toHaveLength(7)
    const pages = await Promise.all(urls.map((url) => fetch(url)))
    expect(pages.map((page) => page.status)).toEqual(urls.map(() => 200))
  })
  it('uses the file name in the address, and creates the project on request', async () => {
    const body = await fixture('hey-csv/slow.csv')
    const address = `${uploads('made-here')}/get%20cart.txt`
    const refused = await fetch(address, { method: 'PUT', body })
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain('Add create=1 to the URL')
    const headers = { accept: 'application/json' }
    const saved = await fetch(`${address}?create=1`, { method: 'PUT', body, headers })
    expect(saved.status).toBe(201)
    expect(savedSchema.parse(await saved.json()).runs[0]?.scenario).toBe('get cart')
    const again = await fetch(`${uploads('made-here')}/?create=1&again=1`, { method: 'PUT', body, headers })
    expect(again.status).toBe(201)
  })
  it("makes candidates by the project's rule, unless the request overrides it", async () => {
    const body = await fixture('hey-csv/slow.csv')
    const ruled = `${app.url}/api/v1/projects/by-branch`
    await fetch(`${app.url}/api/v1/projects`, {
      method: 'POST',
      body: JSON.stringify({ name: 'B', slug: 'by-branch' }),
    })
    const change = (candidateRule: unknown) =>
      fetch(ruled, { method: 'PATCH', body: JSON.stringify({ candidateRule }) })
    expect((await change({ label: '', isNot: 'main' })).status).toBe(400)
    const rule = { label: 'branch', isNot: 'main' }
    expect(await (await change(rule)).json()).toMatchObject({ candidateRule: rule })
    const candidateOf = async (query: string) => {
      const headers = { accept: 'application/json' }
      const saved = await fetch(`${ruled}/uploads/cart.csv?again=1&${query}`, { method: 'PUT', body, headers })
      const [run] = savedSchema.parse(await saved.json()).runs
      const stored = await (await fetch(`${ruled}/runs/${run?.id}`)).json()
      return z.object({ candidate: z.boolean() }).parse(stored).candidate
    }
    expect(await candidateOf('label=branch=fix')).toBe(true)
    expect(await candidateOf('label=branch=main')).toBe(false)
    expect(await candidateOf('label=branch=fix&candidate=0')).toBe(false)
    expect(await candidateOf('label=branch=main&candidate=1')).toBe(true)
  })
  it('returns the same runs for the same bytes, reports different labels, and creates new runs on request', async () => {
    const body = await fixture('documents/zlib-gzip.md')
    const first = savedSchema.parse(await (await put(body, '?label=commit=a')).json())
    const second = savedSchema.parse(await (await put(body, '?label=commit=b')).json())
    expect(second).toMatchObject({ duplicate: true, labelsDiffer: true, upload: { id: first.upload.id } })
    const asCandidate = await (await put(body, '?label=commit=a&candidate=1')).json()
    expect(asCandidate).toMatchObject({ duplicate: true, labelsDiffer: false, candidateDiffers: true })
    expect(second).toMatchObject({ candidateDiffers: false })
    expect(second.runs.map((run) => run.id)).toEqual(first.runs.map((run) => run.id))
    const third = savedSchema.parse(await (await put(body, '?again=1')).json())
    expect(third).toMatchObject({ duplicate: false })
    expect(third.runs.map((run) => run.id)).not.toContain(first.runs[0]?.id)
  })
  it('stores 11 MB whole, chunked or not', async () => {
    const report = (await fixture('documents/smithy-wrk.md')).toString()
    const filler = `${'log line without any figure in it '.repeat(3)}\n`.repeat(110_000)
    const body = Buffer.from(`${report}\n\n${filler}`)
    expect(body.length).toBeGreaterThan(11_000_000)
    const sha256 = createHash('sha256').update(body).digest('hex')
    const answer = await put(body, '', { accept: 'application/json', 'content-sha256': sha256 })
    const saved = savedSchema.parse(await answer.json())
    expect(saved.upload).toMatchObject({ sizeBytes: body.length, sentSha256: sha256 })
    const raw = Buffer.from(await (await fetch(`${uploads()}/${saved.upload.id}/raw`)).arrayBuffer())
    expect(createHash('sha256').update(raw).digest('hex')).toBe(sha256)
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < body.length; at += 100_000) controller.enqueue(body.subarray(at, at + 100_000))
        controller.close()
      },
    })
    const chunked = savedSchema.parse(await (await put(stream)).json())
    expect(chunked).toMatchObject({ duplicate: true, upload: { id: saved.upload.id } })
  })
  it('refuses a truncated body, and stores nothing of it', async () => {
    const before = await runCount()
    const body = await fixture('documents/cascade-load-test.md')
    const incoming = () => readdir(path.join(app.dataFolder, 'raw', 'incoming'))
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PUT /api/v1/projects/uploads/uploads HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, body.length - 100))
    await expect.poll(incoming, { timeout: 30_000 }).toHaveLength(1)
    socket.destroy()
    await expect.poll(incoming, { timeout: 30_000 }).toEqual([])
    expect(await runCount()).toBe(before)
  })
  it('refuses bytes that differ from what was announced', async () => {
    const answer = await put('whatever', '', { accept: 'application/json', 'content-sha256': '0'.repeat(64) })
    expect(answer.status).toBe(400)
    expect(problemSchema.parse(await answer.json()).code).toBe('incomplete-body')
  })
  it('names other tools, keeps their bytes as a draft and says where', async () => {
    const answer = await put(await fixture('foreign/gatling-stats.txt'))
    expect(answer.status).toBe(422)
    const problem = z.object({ detail: z.string(), url: z.string() }).parse(await answer.json())
    expect(problem.detail).toMatch(/Gatling/)
    expect((await fetch(problem.url)).status).toBe(200)
  })
  it.each([
    ['nothing at all', '', 422, 'empty'],
    ['prose', 'Dear all, nothing was measured today.\n', 422, 'unknown-format'],
    ['binary', Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7_919) % 256)), 422, 'unknown-format'],
  ])('refuses %s with a reason', async (_name, body, status, code) => {
    const answer = await put(body)
    expect(answer.status).toBe(status)
    expect(problemSchema.parse(await answer.json())).toMatchObject({ code })
  })
  it('answers one readable line to terminals when it refuses', async () => {
    const answer = await put('prose', '', {})
    expect(await answer.text()).toMatch(/^[^\n{]+\n$/)
    const unknown = await fetch(uploads('nobody'), { method: 'PUT', body: 'x' })
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('curl -sS --json')
  })
  it('dates old reports without a time, and trusts those that have one', async () => {
    const startedAt = encodeURIComponent('2025-03-04T07:06:07+02:00')
    const hey = Buffer.concat([await fixture('hey-text/all-failed.txt'), Buffer.from('\n\n')])
    const old = savedSchema.parse(await (await put(hey, `?startedAt=${startedAt}`)).json())
    const vegeta = await fixture('vegeta-json/attack-01-12.13.0.json')
    const dated = savedSchema.parse(await (await put(vegeta, `?startedAt=${startedAt}&again=1`)).json())
    const given = { startedAt: '2025-03-04T05:06:07.000Z', startedAtSource: 'given with the upload' }
    expect(await readRun(old.runs[0]?.id)).toMatchObject(given)
    expect(await readRun(dated.runs[0]?.id)).toMatchObject({ startedAtSource: 'time in the output' })
    expect((await fetch(`${uploads()}/${old.upload.id}/reimport`, { method: 'POST' })).ok).toBe(true)
    expect(await readRun(old.runs[0]?.id)).toMatchObject(given)
  })
  it('keeps names, labels and start of a draft for its runs', async () => {
    const body = Buffer.concat([await fixture('hey-text/all-failed.txt'), Buffer.from('\n\n\n')])
    const query = '?draft=1&scenario=drafted&label=commit=d&startedAt=2025-03-04T05:06:07Z'
    const draft = z
      .object({ upload: z.object({ id: z.string(), draftRuns: z.array(z.unknown()) }) })
      .parse(await (await put(body, query)).json())
    const startedAt = '2025-03-04T05:06:07.000Z'
    expect(draft.upload.draftRuns).toMatchObject([
      { startedAt, proposal: { scenario: 'drafted', sources: { scenario: 'given with the upload' } } },
    ])
    const save = `${uploads()}/${draft.upload.id}/save`
    const answer = await fetch(save, { method: 'POST', body: JSON.stringify({ edits: [] }) })
    const saved = z.object({ runs: z.array(z.object({ id: z.string() })) }).parse(await answer.json())
    expect(await readRun(saved.runs[0]?.id)).toMatchObject({ scenario: 'drafted', labels: { commit: 'd' }, startedAt })
  })
  it.each(['2025-03-04', '2025-03-04T05:06:07', 'yesterday', '1999-12-31T23:59:59Z', '2099-01-01T00:00:00Z'])(
    'refuses the start %s',
    async (startedAt) => {
      const answer = await put(await fixture('hey-text/all-failed.txt'), `?startedAt=${startedAt}&again=1`)
      expect(answer.status).toBe(400)
      expect(problemSchema.parse(await answer.json()).hint).toMatch(/2026-11-21T03:01:26Z/)
    },
  )
  it.each(['?label=novalue', '?colour=red', `?scenario=${'x'.repeat(201)}`])('refuses the query %s', async (query) => {
    expect((await put('x', query)).status).toBe(400)
  })
})

describe('drafts', () => {
  it('are invisible until saved, then become runs all at once', async () => {
    const before = await runCount()
    const body = Buffer.concat([await fixture('documents/smithy-wrk.md'), Buffer.from('\n<!-- draft -->\n')])
    const answer = await put(body, '?draft=1&name=smithy.md')
    expect(answer.status).toBe(201)
    const draft = z
      .object({
        url: z.string(),
        upload: z.object({ id: z.string(), state: z.literal('draft'), draftRuns: z.array(z.unknown()) }),
      })
      .parse(await answer.json())
    expect(draft.upload.draftRuns).toHaveLength(2)
    expect(await runCount()).toBe(before)
    expect((await fetch(app.url + draft.url)).status).toBe(200)
    const save = () =>
      fetch(`${uploads()}/${draft.upload.id}/save`, {
        method: 'POST',
        body: JSON.stringify({ edits: [{ scenario: 'Renamed' }, { include: false }] }),
      })
    const saved = await save()
    expect(saved.status).toBe(201)
    expect(await runCount()).toBe(before + 1)
    expect((await save()).status).toBe(409)
  })
  it('are gone when discarded', async () => {
    const draft = z
      .object({ upload: z.object({ id: z.string() }) })
      .parse(await (await put(await fixture('documents/smithy-wrk.md'), '?draft=1')).json())
    expect((await fetch(`${uploads()}/${draft.upload.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(`${uploads()}/${draft.upload.id}`)).status).toBe(404)
  })
})

describe('runs', () => {
  it('can be changed, deleted, restored, moved and read again from their bytes', async () => {
    const body = Buffer.concat([await fixture('documents/cascade-load-test.md'), Buffer.from('\n<!-- runs -->\n')])
    const saved = savedSchema.parse(await (await put(body)).json())
    const id = saved.runs[0]?.id ?? ''
    const run = `${app.url}/api/v1/projects/uploads/runs/${id}`
    const patch = await fetch(run, {
      method: 'PATCH',
      body: JSON.stringify({ scenario: 'Mine now', labels: { commit: 'abc' }, notes: '**quiet** machine' }),
    })
    expect(await patch.json()).toMatchObject({ scenario: 'Mine now', labels: { commit: 'abc' } })
    const again = await fetch(`${uploads()}/${saved.upload.id}/reimport`, { method: 'POST' })
    expect(await again.json()).toMatchObject({ runs: saved.runs.map((one) => ({ id: one.id })) })
    expect(await (await fetch(run)).json()).toMatchObject({
      scenario: 'Mine now',
      labels: { commit: 'abc' },
      notes: '**quiet** machine',
    })
    expect((await fetch(run, { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(run)).status).toBe(404)
    expect((await fetch(`${run}/restore`, { method: 'POST' })).status).toBe(204)
    expect(
      (await fetch(`${run}/move`, { method: 'POST', body: JSON.stringify({ project: 'uploads-moved' }) })).status,
    ).toBe(200)
    expect((await fetch(run)).status).toBe(404)
    expect((await fetch(`${app.url}/api/v1/projects/uploads-moved/runs/${id}`)).status).toBe(200)
  })
  it('whose raw file is lost keep their pages, which say so', async () => {
    const text = Buffer.concat([await fixture('documents/zlib-gzip.md'), Buffer.from('\nlost\n')])
    const csv = await fixture('hey-csv/cut.csv')
    for (const body of [text, csv]) {
      const { upload, runs } = savedSchema.parse(await (await put(body)).json())
      await rm(path.join(app.dataFolder, 'raw', upload.sentSha256.slice(0, 2), upload.sentSha256))
      const page = await fetch(new URL(runs[0]?.url ?? '', app.url))
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('This file is missing from the store')
      const raw = await fetch(`${uploads()}/${upload.id}/raw`)
      expect(raw.status).toBe(404)
      expect(problemSchema.parse(await raw.json()).hint).toContain('It is missing from the store')
    }
  })
  it('refuses invalid edits', async () => {
    for (const body of [
      '{"colour":1}',
      'not json',
      '{"notes":"' + 'x'.repeat(20_001) + '"}',
      `${'['.repeat(40)}${']'.repeat(40)}`,
    ]) {
      const answer = await fetch(`${app.url}/api/v1/projects/uploads/runs/nonsense`, { method: 'PATCH', body })
      expect(answer.status).toBe(400)
    }
  })
})

describe('Idempotency-Key', () => {
  const send = (body: BodyInit, key: string) =>
    put(body, '?again=1', { accept: 'application/json', 'idempotency-key': key })

  it('creates runs once, however often and concurrently a request is repeated', async () => {
    const body = await fixture('hey-text/crlf.txt')
    const before = await runCount()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body, '"build-7"')))
    const saved = await Promise.all(answers.map(async (answer) => savedSchema.parse(await answer.json())))
    expect(new Set(saved.flatMap((one) => one.runs.map((run) => run.id))).size).toBe(1)
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(await runCount()).toBe(before + 1)
    expect(savedSchema.parse(await (await send(body, 'build-8')).json()).duplicate).toBe(false)
  })

  it('with other bytes is an error, and an invalid key is refused', async () => {
    const other = await send(await fixture('hey-text/http2.txt'), 'build-7')
    expect(other.status).toBe(422)
    expect(problemSchema.parse(await other.json())).toMatchObject({ code: 'key-reused' })
    expect((await send('x', 'é'.repeat(3).replace(/é/g, ' '))).status).toBe(400)
    expect((await send('x', 'k'.repeat(256))).status).toBe(400)
  })
})
