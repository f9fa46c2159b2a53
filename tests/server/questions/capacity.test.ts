import { readFile } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { runCli } from '../../cli/run-cli'
import { shareServer, type SharedServer } from '../../shared-servers'

const folder = 'tests/fixtures/capacity'
const rates = [220, 340, 400, 430]
const files = rates.flatMap((rate) => [1, 2].map((at) => ({ rate, file: `${folder}/${rate}-${at}.vegeta.json` })))

const capacitySchema = z.object({
  objectives: z.array(z.string()),
  groups: z.array(z.looseObject({ sentence: z.string(), notes: z.array(z.string()), runs: z.array(z.string()) })),
  runs: z.array(z.looseObject({ id: z.string() })),
})

let app: SharedServer

const call = (address: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/v1/projects${address}`, { headers: { accept: 'application/json' }, ...init })
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const capacityOf = async (query: string) => capacitySchema.parse(await (await call(`/hold/capacity?${query}`)).json())

beforeAll(async () => {
  app = await shareServer('plain')
  await call('', { method: 'POST', body: JSON.stringify({ name: 'Hold', slug: 'hold' }) })
  for (const { rate, file } of files) {
    const query = new URLSearchParams({ scenario: 'search', label: `rate=${rate}` })
    const body = await readFile(file)
    expect((await call(`/hold/uploads?${query.toString()}`, { method: 'PUT', body })).status).toBe(201)
  }
})

it('API, page, command line and agents give one answer', async () => {
  const asked = new URLSearchParams({ of: 'all', slo: 'p99<100ms,success>99.9%', target: '2000' })
  const { groups, objectives, runs } = await capacityOf(asked.toString())
  const args = files.flatMap(({ rate, file }) => ['--label', `rate=${rate}`, file])
  const slo = ['--slo', 'p99<100ms', '--slo', 'success>99.9%']
  const printed = await runCli(['capacity', ...args, ...slo, '--target', '2000', '--json'])
  const [local] = z.object({ groups: z.array(z.looseObject({})) }).parse(JSON.parse(printed.out)).groups
  const [{ sentence, notes, ...group } = { sentence: '', notes: [] }] = groups
  expect(objectives.map(plain)).toEqual(['p99 < 100 ms', 'success > 99.9 %'])
  expect(groups).toHaveLength(1)
  expect(runs).toHaveLength(8)
  expect({ ...group, runs: null }).toEqual({ ...local, runs: null })
  expect(plain(sentence)).toMatch(/^\d+ req\/s \(340–400\) within p99 < 100 ms, success > 99\.9 %; limited by p99$/)
  expect(notes.map(plain)).toContainEqual(expect.stringMatching(/^For 2 000 req\/s: \d instances/))

  asked.delete('target')
  const page = await (await fetch(`${app.url}/p/hold/matrix?view=sweep&${asked.toString()}`)).text()
  expect(page).toContain(sentence.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))

  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url)))
  const given = { project: 'hold', of: 'all', slo: 'p99<100ms,success>99.9%' }
  const { content } = await client.callTool({ name: 'capacity', arguments: given })
  await client.close()
  expect(plain(JSON.stringify(content))).toContain(plain(sentence))
})

it('is held against the limits of the project if nothing else is asked', async () => {
  const nothing = await call('/hold/capacity?of=all')
  expect(nothing.status).toBe(400)
  expect(await nothing.json()).toMatchObject({ field: 'slo', hint: expect.stringMatching(/^Write p99<100ms/) })
  const settings = { kind: 'limit', metricId: 'p99', side: 'above', limit: 100, confirmRuns: 1 }
  const rule = await call('/hold/rules', { method: 'POST', body: JSON.stringify({ settings }) })
  expect(rule.status).toBe(201)
  const { objectives, groups } = await capacityOf('of=all')
  expect(objectives.map(plain)).toEqual(['p99 ≤ 100 ms'])
  expect(groups).toMatchObject([{ kind: 'between', lowPerS: 340, highPerS: 400 }])
  const page = await (await fetch(`${app.url}/p/hold/matrix?view=sweep&of=all`)).text()
  expect(page).toContain(groups[0]?.sentence)
})

it('refuses what is no objective, by name', async () => {
  const page = await (await fetch(`${app.url}/p/hold/matrix?view=sweep&of=all&slo=max<3s`)).text()
  expect(page).toContain('‘max&lt;3s’ is no objective')
  for (const slo of ['p99', 'max<3s', 'success>200%', 'p99<', 'p50<1s,p90<1s,p95<1s,p99<1s,mean<1s']) {
    const answer = await call(`/hold/capacity?of=all&slo=${encodeURIComponent(slo)}`)
    expect(answer.status, slo).toBe(400)
    expect(await answer.json()).toMatchObject({ field: 'slo' })
  }
})
