import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { whyAnswer } from '@/app/_server/answers/why-answer'
import { runCli } from '../../cli/run-cli'
import { generatePair, writeRows } from '../../lib/explain/generated-pairs'
import { shareServer, type SharedServer } from '../../shared-servers'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-why-server-'))
afterAll(() => rmSync(folder, { recursive: true }))

let app: SharedServer
const pair = generatePair('target', 5_001)
const [base, head] = [writeRows(pair, pair.base, 0), writeRows(pair, pair.head, 1)]

const call = (address: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/v1/projects${address}`, { headers: { accept: 'application/json' }, ...init })
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const savedSchema = z.object({ runs: z.tuple([z.object({ id: z.string() })]), upload: z.object({ id: z.string() }) })
const put = async (name: string, body: string | Uint8Array<ArrayBuffer>, query = '') => {
  const answer = await call(`/why/uploads/${name}?scenario=why${query}`, { method: 'PUT', body })
  expect(answer.status).toBe(201)
  return savedSchema.parse(await answer.json())
}
const whyOf = async (refs: string) => {
  const answer = await call(`/why/compare/${refs}/why`)
  expect(answer.status).toBe(200)
  return whyAnswer.parse(await answer.json())
}

let ids: readonly [string, string]

beforeAll(async () => {
  app = await shareServer('plain')
  await call('', { method: 'POST', body: JSON.stringify({ name: 'Why', slug: 'why' }) })
  const [a, b] = [await put('a.csv', base), await put('b.csv.gz', Uint8Array.from(gzipSync(head)))]
  ids = [a.runs[0].id, b.runs[0].id]
})

it('API, Markdown, command line and agents give one answer', async () => {
  const { sentence, answer, ...rest } = await whyOf(ids.join('...'))
  expect(rest).toMatchObject({ base: [ids[0]], head: [ids[1]] })
  expect(answer).toMatchObject({ kind: 'target', value: pair.label.accept?.[0]?.value })
  const files = [base, head].map((text, at) => {
    const file = path.join(folder, `${at}.csv`)
    writeFileSync(file, text)
    return file
  })
  expect(JSON.parse((await runCli(['why', ...files, '--json'])).out)).toEqual(answer)

  const markdown = await (await call(`/why/compare/${ids.join('...')}/why.md`)).text()
  expect(markdown).toBe((await runCli(['why', ...files, '--md'])).out)
  expect(markdown).toContain(`**${sentence}.**`)
  expect(markdown).not.toMatch(/because|caused/)

  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url)))
  const { content } = await client.callTool({
    name: 'explain_difference',
    arguments: { project: 'why', sides: [...ids] },
  })
  await client.close()
  expect(plain(JSON.stringify(content))).toContain(plain(sentence))
})

it('rows of a saved draft are counted soon after, as those of repeats are added up', async () => {
  const drafted = await call('/why/uploads/draft.csv?draft=1&again=1', { method: 'PUT', body: head })
  const { upload } = z.object({ upload: z.object({ id: z.string() }) }).parse(await drafted.json())
  const saved = await call(`/why/uploads/${upload.id}/save`, { method: 'POST', body: JSON.stringify({ edits: [] }) })
  const { runs } = z.object({ runs: z.array(z.object({ id: z.string() })) }).parse(await saved.json())
  const refs = `${ids[0]}...${ids[1]}+${runs[0]?.id ?? ''}`
  for (let tries = 0; tries < 100 && (await whyOf(refs)).answer.kind === 'due'; tries++) await sleep(100)
  const { answer, notes, head: of } = await whyOf(refs)
  expect(answer).toMatchObject({ kind: 'target', value: pair.label.accept?.[0]?.value })
  expect(of).toHaveLength(2)
  expect(notes).toContain('1 run against 2 runs: the rows of a side are added up')
})

it('a merged run is answered for by its parts', async () => {
  const seed = [...Array(60).keys()].find((one) => generatePair('target', one).tool === 'vegeta') ?? 0
  const own = generatePair('target', seed)
  const halves = [0, 1].map((rest) => own.base.filter((_, at) => at % 2 === rest))
  const parts = await Promise.all(halves.map((rows, at) => put(`generator-${at}.csv`, writeRows(own, rows, 0))))
  const body = JSON.stringify({ runs: parts.map(({ runs }) => runs[0].id) })
  const made = await call('/why/runs/merge', { method: 'POST', body })
  expect(made.status).toBe(201)
  const { id } = z.object({ id: z.string() }).parse(await made.json())
  const changed = await put('changed.csv', writeRows(own, own.head, 1))
  const { answer, base: of } = await whyOf(`${id}...${changed.runs[0].id}`)
  expect(of).toEqual([id])
  expect(answer).toMatchObject({ kind: 'target', value: own.label.accept?.[0]?.value })
})

it('of printed reports only the shape is known', async () => {
  const [one, two] = await Promise.all(
    ['2-1', '8-1'].map(async (name) =>
      put(`${name}.txt`, await readFile(`tests/fixtures/capacity/${name}.hey.txt`, 'utf8')),
    ),
  )
  const { sentence, answer } = await whyOf(`${one?.runs[0].id ?? ''}...${two?.runs[0].id ?? ''}`)
  expect(answer.kind).toBe('refused')
  expect(sentence).toMatch(/^Only the shape is known, .+ have no rows: percentiles moved by × [\d.]+ to × [\d.]+$/)
})

it('a side that is not there is not found', async () => {
  expect((await call(`/why/compare/${ids.join('...')}/why?side=2`)).status).toBe(404)
  expect((await call(`/why/compare/${ids[0]}/why`)).status).toBe(404)
  expect((await call(`/why/compare/${ids.join('...')}/why?side=x`)).status).toBe(400)
})

it('a shared comparison explains only if its link says so, and without secrets', async () => {
  const key = ['AKIA', 'QWERTYUIOPASDFGH'].join('')
  const [, path = ''] = (pair.label.accept?.[0]?.value ?? '').split(' ')
  const secret = (text: string) => text.replaceAll(`${path},`, `/keys/${key},`)
  const [a, b] = [
    await put('c.csv', secret(base), '&keepSecrets=1'),
    await put('d.csv', secret(head), '&keepSecrets=1'),
  ]
  const sides = [[a.runs[0].id], [b.runs[0].id]]
  const share = async (more: object) => {
    const body = JSON.stringify({ name: 'Pair', kind: 'comparison', sides, ...more })
    const answer = await call('/why/shares', { method: 'POST', body })
    const { url = '' } = z.object({ url: z.string().optional() }).parse(await answer.json())
    return { status: answer.status, path: url === '' ? '' : new URL(url).pathname }
  }
  const open = async (address: string) => {
    const answer = await fetch(`${app.url}${address}`)
    const text = plain((await answer.text()).replaceAll('<!-- -->', ''))
    return { status: answer.status, text, referrer: answer.headers.get('referrer-policy') }
  }
  const { sentence } = await whyOf(sides.flat().join('...'))
  expect(sentence).toContain(key)

  const [silent, telling] = [await share({}), await share({ includeWhy: true })]
  expect((await open(silent.path)).text).not.toContain(`${silent.path}/why`)
  expect((await open(`${silent.path}/why`)).status).toBe(404)
  expect((await open(telling.path)).text).toContain(`${telling.path}/why`)
  const shown = await open(`${telling.path}/why`)
  expect(shown).toMatchObject({ status: 200, referrer: 'no-referrer' })
  expect(shown.text).toContain(plain(sentence).split(key)[0] ?? '')
  expect(shown.text).not.toContain(key)
  // Nothing leads into the project.
  expect(shown.text).not.toContain('/p/why')
  expect((await open(`${telling.path}/why?at=p50`)).text).toContain('the p50 of the baseline')
  expect((await open(`${telling.path}/why?side=2`)).status).toBe(404)

  expect((await share({ includeWhy: true, kind: 'run', sides: sides.slice(0, 1) })).status).toBe(400)
  const { shares } = z
    .object({ shares: z.array(z.object({ id: z.string(), includeWhy: z.boolean() })) })
    .parse(await (await call('/why/shares')).json())
  expect(shares.map(({ includeWhy }) => includeWhy).sort()).toEqual([false, true])
  for (const { id } of shares) await call(`/why/shares/${id}`, { method: 'DELETE' })
  expect((await open(`${telling.path}/why`)).status).toBe(404)
})
