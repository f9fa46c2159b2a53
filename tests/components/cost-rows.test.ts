import { expect, it } from 'vitest'
import { costRows, labelledInstances, labelledMemoryMb, typedNumber } from '@/components/compare/cost-rows'
import { formatFactor, formatMs } from '@/lib/format'
import { figuresOf } from '@/lib/run/metrics'
import type { StoredRun } from '@/lib/history/stored-runs'
import { sampleRun } from '../queries/samples'
import { runsOf } from '../read-fixture'

const side = (id: string, imported = sampleRun(), labels: Readonly<Record<string, string>> = {}): StoredRun => {
  const time = '2026-11-21T00:00:00.000Z'
  const names = { scenario: 'S', variant: null, environment: null, labels }
  const place = { id, projectId: 'p', projectSlug: 'p', uploadId: 'u', seriesId: 's', indexInUpload: 0 }
  const times = { startedAt: null, startedAtSource: null, uploadedAt: time, orderedAt: time }
  const sent = { sizeBytes: 1, kind: 'text', encoding: 'utf-8', lineCount: 1, sentSha256: '', storedSha256: '' }
  const upload = {
    id: 'u',
    projectId: 'p',
    name: 'a',
    ...sent,
    state: 'saved',
    createdAt: time,
    rawRemovedAt: null,
    keepSecrets: false,
  } as const
  const { tool, form, load } = imported
  const read = {
    tool,
    form,
    load,
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
  }
  return { ...names, ...place, ...times, ...read, environmentAttributes: {}, upload }
}

it('says that 20 instances cost a fifth of 100, from labels alone', () => {
  const rows = costRows(
    [
      side('a'.repeat(26), sampleRun(), { instances: '100' }),
      side('b'.repeat(26), sampleRun(), { instances: '20 instances' }),
    ],
    {},
  )
  expect(rows).toEqual([
    { label: 'Instances', cells: ['100', '20'] },
    { label: 'Cost of the instances, if each costs the same', cells: ['×1.00', '×0.200'] },
  ])
})

it('computes instances from typed rates and prices, and leaves gaps if none was typed', () => {
  const given = { rate: '100', 'aaaaaaaa.instances': '2', 'aaaaaaaa.price': '0.36' }
  const rows = costRows([side('a'.repeat(26)), side('b'.repeat(26))], given)
  // $0.72 an hour for 360,000 requests: $2 a million.
  expect(rows.map((row) => [row.label, ...row.cells])).toEqual([
    ['Instances', '2', '–'],
    ['Instances, per hour', '$0.720', '–'],
    ['Instances, per million requests', '$2.00', '–'],
  ])
})

it('computes the cost of the functions in the protobuf document', async () => {
  const [first] = await runsOf({ document: 'protobuf-vs-json' })
  if (!first) throw new Error('no run')
  const rows = costRows([side('a'.repeat(26), first)], { requests: '0', 'aaaaaaaa.memory': '128' })
  const billed = first.lambda?.billedMs?.mean ?? Number.NaN
  // x86 default price; 128 MB are 1/8 GB; a million invocations.
  const usd = (billed / 1000) * 0.125 * 1e6 * 0.0000166667
  expect(rows.find((row) => row.label === 'Lambda, per million requests')?.cells).toEqual([
    `$${Number(usd.toPrecision(3))}`,
  ])
})

it('compares send with send, and get with get', async () => {
  const kinds = ['get_protobuf', 'send_protobuf', 'get_json', 'send_json']
  const runs = (await runsOf({ document: 'protobuf-vs-json' })).slice(0, 4).map((run, at) => ({
    ...side('abcd'[at]?.repeat(26) ?? '', run),
    variant: kinds[at] ?? null,
    environment: '128 MB',
  }))
  const cells = costRows(runs, {}).find(({ label }) => label === 'Billed per invocation')?.cells ?? []
  const billed = runs.map(({ imported }) => imported.lambda?.billedMs?.mean ?? Number.NaN)
  const [get = 0, send = 0, otherGet = 0, otherSend = 0] = billed
  expect(cells).toEqual([
    formatMs(get),
    formatMs(send),
    `${formatMs(otherGet)} (${formatFactor(otherGet / get)})`,
    `${formatMs(otherSend)} (${formatFactor(otherSend / send)} of send_protobuf)`,
  ])
})

it('accepts numbers only', () => {
  expect(['1.5', '', 'x', '-1', '1e99', undefined].map(typedNumber)).toEqual([1.5, null, null, null, null, null])
  expect(labelledInstances({ labels: { instances: 'many' } })).toBeNull()
  const environment = 'eu-north-1 ARM64 128 MB'
  expect(labelledMemoryMb({ labels: {}, environmentAttributes: {}, environment })).toBe(128)
})
