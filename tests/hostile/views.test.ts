import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { boundRun } from '@/lib/run/bounded-run'
import type { ImportedRun } from '@/lib/run/run'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { createProject } from '@/prisma/queries/projects/projects'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { sampleFile, sampleImport, sampleLatency, sampleRun } from '../queries/samples'
import { startApp, type RunningApp } from '../server/app'
import { makeDataFolder } from '../shared-databases'
import { hugeRun, hugeRuns } from './huge-fields'
import { longestWait, sendHostile } from './send'
import { heyReport, histogramRows } from './texts'

/** `npm run test:hostile`: every field by itself, and the delay of others; otherwise the sizes of all in one run. */
const isWhole = process.env['TAILBOARD_HOSTILE'] === 'all'
const megabyte = 1_000_000

/** As importers return them. */
const bounded = hugeRuns
  .filter(() => isWhole)
  .map(([name, make]): readonly [string, () => ImportedRun] => [name, () => boundRun(make())])
/** As they were stored before every field was bounded. */
const beforeByItself = hugeRuns
  .filter(([name]) => ['latencies: buckets', 'timeline: intervals', 'context: notes'].includes(name))
  .map(([name, make]) => [`${name}, stored before`, make] as const)
const beforeInOne = (): ImportedRun => {
  const [buckets, intervals, notes] = beforeByItself.map(([, make]) => make())
  if (buckets === undefined || intervals === undefined || notes === undefined) throw new Error('three fields')
  return { ...buckets, timeline: intervals.timeline, context: notes.context }
}
const before = isWhole ? beforeByItself : ([['three fields, stored before', beforeInOne]] as const)

const control = (): ImportedRun =>
  sampleRun({ requests: 100, requestsPerSecond: 10, durationMs: 10_000, latencies: [sampleLatency()] })
const viewed = [['control', control], ...bounded, ['all fields', () => boundRun(hugeRun())], ...before] as const

const withId = z.object({ id: z.string() })
const uploadedSchema = z.object({ runs: z.array(withId), upload: withId })

const rows: string[] = []
const ids = new Map<string, string>()
let app: RunningApp
/** The longest delay of others while the views of an ordinary run are requested. */
let controlMs = 0

const idOf = (name: string): string => ids.get(name) ?? ''
const api = '/api/v1/projects/huge'

beforeAll(async () => {
  const dataFolder = await makeDataFolder()
  await openDatabase({ dataFolder })
  const { id: projectId } = await createProject(localViewer, { slug: 'huge', name: 'Huge' })
  for (const [name, make] of [...viewed, ['control beside', control] as const]) {
    const { runs } = await saveImport(localViewer, sampleImport(projectId, sampleFile([make()]), { name }))
    ids.set(name, runs[0]?.id ?? '')
  }
  await closeDatabase()
  app = await startApp({ dataFolder })
  for (let round = 0; isWhole && round < 2; round++) controlMs = (await costOfViews('control')).waitMs
}, 600_000)
afterAll(async () => {
  process.stdout.write(`${isWhole ? `control ${controlMs.toFixed(0)} ms\n` : ''}${rows.join('\n')}\n`)
  expect(await app.stop()).toBe(0)
})

async function shareOf(sides: readonly (readonly string[])[]): Promise<string> {
  const share = {
    name: 'Huge',
    kind: sides.length === 1 ? 'run' : 'comparison',
    sides,
    includeRaw: true,
    embeddable: true,
  }
  const response = await fetch(`${app.url}${api}/shares`, {
    method: 'POST',
    body: JSON.stringify(share),
    headers: { 'content-type': 'application/json' },
  })
  const [, token] = /\/s\/([\w-]+)/.exec(await response.text()) ?? []
  if (token === undefined) throw new Error(`No share of ${sides.join(' and ')}: ${response.status}`)
  return token
}

const files = ['preview.png', 'table.md', 'data.csv', 'data.json', 'comparison.html']

/** Every view of a run: pages, shares, API, exports, images. */
async function viewsOf(run: string): Promise<readonly string[]> {
  const [alone, beside] = [await shareOf([[run]]), await shareOf([[idOf('control beside')], [run]])]
  const refs = `${idOf('control beside')}...${run}`
  return [
    `/p/huge/runs/${run}`,
    `/p/huge/compare/${refs}`,
    `/p/huge/runs`,
    `${api}/runs/${run}`,
    ...['percentiles.csv', 'timeline.csv', 'targets.csv', 'latency-ms.hgrm'].map(
      (file) => `${api}/runs/${run}/files/${file}`,
    ),
    `${api}/runs.csv`,
    `${api}/compare/${refs}/comparison.md`,
    ...[alone, beside].flatMap((token) =>
      ['', '/embed', ...files.map((file) => `/${file}`)].map((file) => `/s/${token}${file}`),
    ),
    ...['svg', 'png'].map((kind) => `/s/${beside}/chart.${kind}`),
  ]
}

interface Views {
  readonly waitMs: number
  readonly sizes: readonly { readonly view: string; readonly status: number; readonly bytes: number }[]
}

async function costOfViews(name: string, more: readonly string[] = []): Promise<Views> {
  return costOf([...(await viewsOf(idOf(name))), ...more])
}

async function costOf(views: readonly string[]): Promise<Views> {
  let isOver = false
  const wait = longestWait(app.url, () => isOver)
  const sizes: { view: string; status: number; bytes: number }[] = []
  for (const view of views) {
    const response = await fetch(`${app.url}${view}`)
    sizes.push({ view, status: response.status, bytes: (await response.arrayBuffer()).byteLength })
  }
  isOver = true
  return { waitMs: await wait, sizes }
}

function expectSmall(name: string, { waitMs, sizes }: Views): void {
  const largest = sizes.reduce((most, one) => (one.bytes > most.bytes ? one : most))
  rows.push(
    `${waitMs.toFixed(0).padStart(6)} ms${(largest.bytes / 1_000).toFixed(0).padStart(7)} kB  ${name}: ${largest.view.replace(/[\w-]{20,}/g, '…')}`,
  )
  expect(sizes.filter(({ bytes }) => bytes > megabyte)).toEqual([])
  expect(sizes.filter(({ status }) => status >= 500)).toEqual([])
  expect(sizes.filter(({ view, status }) => view.startsWith('/s/') && status !== 200)).toEqual([])
}

describe('a run with one huge field', () => {
  it.each(viewed.map(([name]) => name))('%s: every view is small, and others do not wait', async (name) => {
    const cost = await costOfViews(name)
    expectSmall(name, cost)
    if (isWhole && !name.endsWith('before')) expect(cost.waitMs - controlMs).toBeLessThan(100)
  })

  it('1.4 MB with 300,000 histogram rows, uploaded', async () => {
    const sent = gzipSync(histogramRows(300_000))
    const { status, answer, stallMs } = await sendHostile(app, sent, {}, 'huge')
    expect(status).toBe(201)
    const { runs, upload } = uploadedSchema.parse(JSON.parse(answer))
    ids.set('uploaded', runs[0]?.id ?? '')
    const cost = await costOfViews('uploaded', [`/p/huge/upload/${upload.id}`])
    expectSmall(`uploaded, ${(sent.length / 1e6).toFixed(1)} MB, ${stallMs.toFixed(0)} ms`, cost)
    if (isWhole) expect(cost.waitMs - controlMs).toBeLessThan(100)
  })
})

describe('many runs of one file', () => {
  it('shared with their output: every view is small, and others do not wait', async () => {
    const sent = Buffer.from(Array.from({ length: 400 }, (_, at) => heyReport(at)).join(''))
    const { status, answer } = await sendHostile(app, sent, {}, 'huge')
    expect(status).toBe(201)
    const runs = uploadedSchema.parse(JSON.parse(answer)).runs.map(({ id }) => id)
    const token = await shareOf([runs.slice(0, 200), runs.slice(200)])
    const views = ['', ...files.map((file) => `/${file}`)].map((file) => `/s/${token}${file}`)
    const cost = await costOf([...views, `${api}/compare/${runs[0] ?? ''}@repeats...${runs[1] ?? ''}/comparison.md`])
    expectSmall('400 runs', cost)
    if (isWhole) expect(cost.waitMs - controlMs).toBeLessThan(100)
  }, 60_000)
})
