import { expect, it } from 'vitest'
import { differencesOf } from '@/lib/judge/comparability'
import { figuresOf } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'
import { sampleLatency, sampleRun } from '../../queries/samples'

const stored = (imported: ImportedRun, fields: Partial<StoredRun> = {}): StoredRun => ({
  id: 'a',
  projectId: 'p',
  projectSlug: 'p',
  uploadId: 'u',
  seriesId: 's',
  indexInUpload: 0,
  tool: imported.tool,
  form: imported.form,
  load: imported.load,
  scenario: 'S',
  variant: null,
  environment: null,
  labels: {},
  startedAt: null,
  startedAtSource: null,
  uploadedAt: '2026-11-21T00:00:00.000Z',
  orderedAt: '2026-11-21T00:00:00.000Z',
  complete: true,
  candidate: false,
  guards: [],
  judged: null,
  judgement: null,
  counted: null,
  warnings: [],
  figures: figuresOf(imported),
  imported,
  notes: '',
  environmentAttributes: {},
  upload: {
    id: 'u',
    projectId: 'p',
    name: 'a.txt',
    sizeBytes: 1,
    kind: 'text',
    encoding: 'utf-8',
    lineCount: 1,
    sentSha256: '',
    storedSha256: '',
    state: 'saved',
    createdAt: '2026-11-21T00:00:00.000Z',
    rawRemovedAt: null,
    keepSecrets: false,
  },
  ...fields,
})
const found = (a: StoredRun, b: StoredRun) => Object.fromEntries(differencesOf([a, b]).map((one) => [one.field, one]))

it('reports nothing for runs that are alike', () => {
  expect(differencesOf([stored(sampleRun()), stored(sampleRun())])).toEqual([])
})

it('reports percentiles by other methods, other payloads and other latencies', () => {
  const a = sampleRun({ latencies: [sampleLatency()], requests: 100, bytesIn: 100_000, bytesOut: 50_000 })
  const other = sampleLatency({ method: 'as-reported', of: 'success' })
  const b = sampleRun({ latencies: [other], requests: 100, bytesIn: 200_000, bytesOut: 50_000 })
  const differences = found(stored(a), stored(b))
  expect(Object.keys(differences)).toEqual(['Percentiles', 'Latencies of', 'Bytes per response'])
  expect(differences.Percentiles?.why).toContain('different methods')
  expect(differences['Latencies of']?.values).toEqual(['all requests', 'successes only'])
})

it('lists inputs, not results', () => {
  const hey = (durationMs: number, requests = 10_000) =>
    stored(
      sampleRun({ tool: 'hey', form: 'hey-text', load: { kind: 'closed', connections: 50 }, durationMs, requests }),
    )
  // The same -n took twice as long.
  expect(Object.keys(found(hey(1_800), hey(3_600)))).toEqual([])
  expect(found(hey(1_800), hey(3_600, 20_000)).Requests?.values).toEqual(['10\u202f000', '20\u202f000'])
  const wrk = (requests: number, seconds = 60) => {
    const measures = [{ name: 'planned-duration', value: seconds * 1_000, unit: 'ms', line: null }]
    const load = { kind: 'closed', connections: 50 } as const
    return stored(sampleRun({ tool: 'wrk', form: 'wrk-text', load, requests, durationMs: seconds * 1_003, measures }))
  }
  // The same -d served fewer.
  expect(Object.keys(found(wrk(970_000), wrk(830_000)))).toEqual([])
  expect(found(wrk(970_000), wrk(830_000, 90)).Duration?.values).toEqual(['60.0\u00a0s', '1\u00a0min 30\u00a0s'])
  const vegeta = (bytesIn: number, errorRatio: number, durationMs = 60_000) => {
    const run = stored(
      sampleRun({ load: { kind: 'open', ratePerSecond: 10 }, requests: 600, bytesIn, attackMs: 60_000, durationMs }),
    )
    return { ...run, figures: { ...run.figures, errorRatio } }
  }
  // Bodies of failures, and the wait for the last response.
  expect(Object.keys(found(vegeta(600_000, 0), vegeta(60_000, 0.4, 90_000)))).toEqual([])
  expect(Object.keys(found(vegeta(600_000, 0), vegeta(60_000, 0)))).toEqual(['Bytes per response'])
})

it('says why region, memory, protocol and instances matter, and lists unknown labels', () => {
  const a = stored(sampleRun(), {
    environmentAttributes: { region: 'us-east-1', 'instance type': 'c6i' },
    labels: { memory: '512', protocol: 'HTTP/2', colour: 'red' },
  })
  const b = stored(sampleRun(), {
    environmentAttributes: { region: 'eu-west-1', 'instance type': 'c6g' },
    labels: { memory: '1024', colour: 'blue' },
  })
  const differences = found(a, b)
  expect(Object.keys(differences)).toEqual(['instance type', 'region', 'colour', 'memory', 'protocol'])
  expect(differences.region?.why).toBe('a different region has a different network path')
  expect(differences['instance type']?.why).toBe('machines differ in speed')
  expect(differences.memory?.why).toContain('CPU')
  expect(differences.protocol).toMatchObject({ values: ['HTTP/2', null] })
  expect(differences.colour?.why).toContain('may or may not matter')
})

it('ignores labels that identify a single run, but not those that some share or that may matter', () => {
  const of = (labels: Readonly<Record<string, string>>) => stored(sampleRun(), { labels })
  const one = { id: '1582104905315', result: 'https://x.example/1', 'run id': 'a', 'instance-id': 'i-1', commit: 'a1' }
  const two = { id: '1582105264903', result: 'https://x.example/2', 'run id': 'b', 'instance-id': 'i-2', commit: 'b2' }
  expect(Object.keys(found(of(one), of(two)))).toEqual(['commit', 'instance-id'])
  // An id that groups runs distinguishes them.
  const shared = differencesOf([of({ id: 'x' }), of({ id: 'x' }), of({ id: 'y' })])
  expect(shared.map(({ field }) => field)).toEqual(['id'])
})
