import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeaderFigures } from '../../importers/headers/header-figures'
import { readBase64Headers, readGobHeaders, readJsonHeaders } from '../../importers/headers/header-search'
import { readServerTiming } from '../../importers/headers/server-timing'
import { importFile } from '../../importers/index'
import type { ImportedRun } from '../../lib/run/run'
import { chunks, readText } from './document-text'
import { caseCount } from '../case-count'

const forms = ['vegeta-csv/headers.csv', 'vegeta-gob/headers.bin', 'vegeta-results-json/headers.ndjson']
const ofHeaders = ({ phases, measures, warnings }: ImportedRun) => ({ phases, measures, warnings })

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size))
}

async function onlyRun(bytes: AsyncIterable<Uint8Array>): Promise<ImportedRun> {
  const { runs } = await importFile(bytes)
  expect(runs).toHaveLength(1)
  return runs[0] as ImportedRun
}

type Header = readonly [name: string, value: string]

const blockOf = (headers: readonly Header[]) =>
  `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}${headers.length > 0 ? '\r\n' : ''}`

const csvRow = (at: number, headers: readonly Header[]) =>
  `17952272353017365${String(at).padStart(2, '0')},200,${4_223_118 + at},0,64,,,,${at},GET,http://127.0.0.1/r,${Buffer.from(blockOf(headers)).toString('base64')}\n`

function mapOf(headers: readonly Header[]): Record<string, string[]> {
  const map: Record<string, string[]> = {}
  for (const [name, value] of headers) (map[name] ??= []).push(value)
  return map
}

const jsonRow = (at: number, headers: readonly Header[]) =>
  `{"attack":"","seq":${at},"code":200,"timestamp":"2026-11-21T02:14:08.1204291${String(at).padStart(2, '0')}Z","latency":${4_223_118 + at},"bytes_out":0,"bytes_in":64,"error":"","body":null,"method":"GET","url":"http://127.0.0.1/r","headers":${JSON.stringify(mapOf(headers))}}\n`

function gobOf(headers: readonly Header[]): Buffer {
  const count = (value: number) => {
    if (value < 128) return Buffer.from([value])
    return value < 65_536
      ? Buffer.from([254, value >> 8, value & 255])
      : Buffer.from([253, value >> 16, (value >> 8) & 255, value & 255])
  }
  const text = (value: string) => Buffer.concat([count(Buffer.byteLength(value)), Buffer.from(value)])
  const map = Object.entries(mapOf(headers))
  return Buffer.concat([
    count(map.length),
    ...map.flatMap(([name, values]) => [text(name), count(values.length), ...values.map(text)]),
    Buffer.from([0]),
  ])
}

/** What each form's reader keeps of responses with these headers. */
function figuresOf(responses: readonly (readonly Header[])[]) {
  const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readers = {
    csv: (figures: HeaderFigures, headers: readonly Header[]) => {
      const bytes = Buffer.from(Buffer.from(blockOf(headers)).toString('base64'))
      readBase64Headers(figures, bytes, view(bytes), 0, bytes.length)
    },
    json: (figures: HeaderFigures, headers: readonly Header[]) => {
      const bytes = Buffer.from(JSON.stringify(mapOf(headers)))
      readJsonHeaders(figures, bytes, view(bytes), 0, bytes.length)
    },
    gob: (figures: HeaderFigures, headers: readonly Header[]) => {
      const bytes = gobOf(headers)
      readGobHeaders(figures, bytes, 0, bytes.length)
    },
  }
  return Object.values(readers).map((read) => {
    const figures = new HeaderFigures()
    for (const headers of responses) read(figures, headers)
    return { phases: figures.phases(), measures: figures.measures(), warnings: figures.warnings() }
  })
}

describe('headers of responses', () => {
  it('give the same figures in all three forms, in chunks of any size', async () => {
    // 60 requests, counted by the target of the fixtures, so that each figure is known beforehand.
    const requests = Array.from({ length: 60 }, (_, i) => i)
    const states = requests.map((i) => (i % 10 === 9 ? '' : i % 10 === 4 ? 'neither' : i % 3 === 1 ? 'miss' : 'hit'))
    const count = (state: string) => states.filter((one) => one === state).length
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const db = requests.map((i) => (1 + ((i * 7) % 20)) / 4)
    const app = requests.map((i) => 2 + i / 8)
    const envoy = requests.filter((i) => i % 5 !== 4).map((i) => 3 + (i % 13))
    const phase = (name: string, values: readonly number[]) => ({
      name,
      count: values.length,
      meanMs: expect.closeTo(mean(values), 9),
      minMs: Math.min(...values),
      maxMs: Math.max(...values),
      p50Ms: expect.closeTo([...values].sort((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? NaN, 1),
      p99Ms: null,
    })
    for (const form of forms) {
      const bytes = readFileSync(join(import.meta.dirname, '../fixtures', form))
      for (const size of [bytes.length, 7, 1_000]) {
        const run = await onlyRun(inPieces(bytes, size))
        expect(ofHeaders(run)).toEqual({
          phases: [
            phase('Server-Timing db', db),
            phase('Server-Timing app', app),
            phase('x-envoy-upstream-service-time', envoy),
          ],
          measures: [
            { name: 'cache-hits', value: count('hit'), unit: 'responses', line: null },
            { name: 'cache-misses', value: count('miss'), unit: 'responses', line: null },
            { name: 'cache-neither', value: count('neither'), unit: 'responses', line: null },
          ],
          warnings: [],
        })
        expect(JSON.stringify(run)).not.toMatch(/secret|Bearer|theme|req-1|varnish|quoted/i)
      }
    }
  })

  it('are read in any order and case, and nothing is kept of any others', () => {
    const secret = fc.constantFrom<Header>(
      ['Set-Cookie', 'id=SECRET; x-cache: HIT'],
      ['Authorization', 'Bearer SECRET'],
      ['Cookie', 'SECRET'],
      ['X-Cache-Hits', '3'],
      ['Not-X-Cache', 'HIT'],
      ['Server-Timing-Allow', 'SECRET;dur=3'],
      ['A', '\\"X-Cache":["HIT"]'],
      ['Date', 'Fri, 27 Nov 2026 10:22:23 GMT'],
    )
    const metric = fc.record({ name: fc.constantFrom('db', 'app', 'edge-1'), eighths: fc.nat(8_000) })
    const timing = fc
      .tuple(
        fc.array(metric, { maxLength: 4 }),
        fc.constantFrom(', ', ',', ' ,  '),
        fc.constantFrom(';', '; ', ';desc="a,\\"b;dur=1";'),
      )
      .map(([metrics, comma, semicolon]) => ({
        metrics,
        value: ['total', ...metrics.map(({ name, eighths }) => `${name}${semicolon}dur=${eighths / 8}`)].join(comma),
      }))
    const response = fc.record({
      others: fc.array(secret, { maxLength: 6 }),
      timing: fc.option(timing, { nil: null }),
      envoy: fc.option(fc.nat(10_000), { nil: null }),
      cache: fc.constantFrom(null, 'HIT', 'Miss from white-hit.example', 'MISS, HIT', 'TCP_MEM_HIT from a'),
      padding: fc.nat(7),
      upper: fc.infiniteStream(fc.boolean()),
      order: fc.infiniteStream(fc.nat()),
    })
    fc.assert(
      fc.property(fc.array(response, { maxLength: 8 }), (responses) => {
        const written = responses.map(({ others, timing, envoy, cache, padding, upper, order }) => {
          const anyCase = (name: string) =>
            [...name].map((one) => (upper.next().value === true ? one.toUpperCase() : one.toLowerCase())).join('')
          const headers: Header[] = [...others, ['Via', 'x'.repeat(padding)]]
          if (timing !== null) headers.push([anyCase('server-timing'), timing.value])
          if (envoy !== null) headers.push([anyCase('x-envoy-upstream-service-time'), String(envoy)])
          if (cache !== null) headers.push([anyCase('x-cache'), cache])
          return headers
            .map((header) => ({ header, at: order.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ header }) => header)
        })
        const metrics = responses.flatMap(({ timing }) => timing?.metrics ?? [])
        const names = [...new Set(metrics.map(({ name }) => name))]
        const isHit = (cache: string | null) => cache !== null && !cache.startsWith('Miss')
        const caches = responses.filter(({ cache }) => cache !== null)
        const hits = caches.filter(({ cache }) => isHit(cache)).length
        const found = figuresOf(written)
        for (const { phases, measures, warnings } of found) {
          const timings = phases.filter(({ name }) => name.startsWith('Server-Timing '))
          expect(timings.map(({ name, count, meanMs }) => [name, count, meanMs])).toEqual(
            names.map((name) => {
              const values = metrics.filter((one) => one.name === name).map(({ eighths }) => eighths / 8)
              const sum = values.reduce((all, value) => all + value, 0)
              return [`Server-Timing ${name}`, values.length, sum / values.length]
            }),
          )
          const envoys = responses.flatMap(({ envoy }) => envoy ?? [])
          expect(phases.find(({ name }) => name.startsWith('x-envoy'))?.count ?? 0).toBe(envoys.length)
          expect(measures.map(({ value }) => value)).toEqual(caches.length > 0 ? [hits, caches.length - hits] : [])
          expect(warnings).toEqual([])
          expect(JSON.stringify({ phases, measures })).not.toContain('SECRET')
        }
      }),
      { numRuns: caseCount(300) },
    )
  })

  it('keep twenty metrics of sixty characters, and report the rest', async () => {
    const metrics = Array.from({ length: 25 }, (_, at) => `m${at};dur=1`).join(', ')
    const headers: Header[] = [
      ['Server-Timing', `${'n'.repeat(61)};dur=1, ${metrics}, m0;dur=x, m1;dur=-1, m2;dur=1e400, m3;dur=1.5e1`],
      ['X-Envoy-Upstream-Service-Time', 'soon'],
    ]
    for (const row of [csvRow, jsonRow]) {
      const run = await onlyRun(chunks(row(0, headers) + row(1, [])))
      expect(run.phases).toHaveLength(20)
      expect(run.phases[3]).toEqual({
        name: 'Server-Timing m3',
        count: 2,
        meanMs: 8,
        minMs: 1,
        maxMs: 15,
        p50Ms: 1,
        p99Ms: null,
      })
      expect(run.warnings).toEqual([
        {
          code: 'headers-left-out',
          message:
            'Headers of responses are not all in the figures: 6 values of Server-Timing have names beyond the first 20, or of more than 60 characters; 4 durations are not numbers.',
          line: null,
          numbers: { tooLong: 0, unlisted: 6, unreadable: 4 },
        },
      ])
    }
  })

  it('of a megabyte are omitted and reported, in chunks of any size', async () => {
    const long: Header[] = [
      ['A', 'x'.repeat(1_000_000)],
      ['X-Cache', 'HIT'],
    ]
    for (const row of [csvRow, jsonRow]) {
      const text = row(0, [['X-Cache', 'MISS']]) + row(1, long) + row(2, [['X-Cache', 'HIT']])
      const bytes = new TextEncoder().encode(text)
      for (const size of [bytes.length, 100_000, 4_096]) {
        const run = await onlyRun(inPieces(bytes, size))
        expect([run.requests, run.measures.map(({ value }) => value)]).toEqual([3, [1, 1]])
        expect(run.warnings.map(({ numbers }) => numbers)).toEqual([{ tooLong: 1, unlisted: 0, unreadable: 0 }])
      }
    }
    for (const figures of figuresOf([long]))
      expect(figures).toMatchObject({ measures: [], warnings: [{ numbers: { tooLong: 1 } }] })
  })

  it('without a response are not figures', async () => {
    const { runs } = await readText(jsonRow(0, [['Date', 'x']]).repeat(2))
    expect(runs.map(ofHeaders)).toEqual([{ phases: [], measures: [], warnings: [] }])
  })

  it('that are truncated or not gob at all are omitted without a trace', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(60), (noise, cut) => {
        const headers = gobOf([['X-Cache', 'HIT']])
        const bytes = Buffer.concat([headers.subarray(0, cut % headers.length), noise])
        const figures = new HeaderFigures()
        readGobHeaders(figures, bytes, 0, bytes.length)
        readBase64Headers(figures, bytes, new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length)
        readJsonHeaders(figures, bytes, new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length)
        readServerTiming(bytes, 0, bytes.length, (_, from, to) => expect(to).toBeGreaterThan(from))
        expect(figures.phases().length).toBeLessThanOrEqual(21)
      }),
    )
  })
})
