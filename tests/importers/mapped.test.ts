import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../importers/index'
import type { Bytes } from '../../importers/importer'
import { proposalHint, proposeMapping } from '../../importers/mapped/propose-mapping'
import { ImportError } from '../../lib/errors'
import { columnMappingSchema, mappingWords, type ColumnMapping } from '../../lib/run/column-mapping'
import type { ImportedFile } from '../../lib/run/run'
import { caseCount } from '../case-count'

const root = join(import.meta.dirname, '../fixtures/mapped')
const samples = readdirSync(root).filter((name) => existsSync(join(root, `${name}.mapping.json`)))

const mappingOf = (text: unknown): ColumnMapping => columnMappingSchema.parse(text)
const encode = (text: string) => new TextEncoder().encode(text)

async function* inChunks(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (bytes: Uint8Array, mapping: ColumnMapping, chunk = 65_536): Promise<ImportedFile> =>
  importFile(inChunks(bytes, chunk), { name: 'own', mapping })

async function refusal(text: string, mapping: ColumnMapping | null): Promise<ImportError> {
  try {
    await importFile(inChunks(encode(text), 65_536), mapping && { name: 'own', mapping })
  } catch (error) {
    if (error instanceof ImportError) return error
    throw error
  }
  throw new Error('it was read')
}

describe.each(samples)('%s', (name) => {
  const bytes = readFileSync(join(root, name))
  const mapping = mappingOf(JSON.parse(readFileSync(join(root, `${name}.mapping.json`), 'utf8')))

  it('equals its expected file, in chunks of any size', async () => {
    const { runs, problems } = await read(bytes, mapping)
    const result: unknown = JSON.parse(JSON.stringify({ runs, problems, cellNotes: [] }))
    const path = join(root, `${name}.expected.json`)
    if (process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'])
      writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`)
    expect(result).toEqual(JSON.parse(readFileSync(path, 'utf8')))
    for (const chunk of [1, 7]) expect((await read(bytes, mapping, chunk)).runs).toEqual(runs)
  })

  it('is not read unless a mapping is requested', async () => {
    const error = await refusal(bytes.toString('utf8'), null)
    expect(error.code).toBe('unknown-format')
    expect(error.hint).toContain('?mapping=')
  })

  it('is proposed as it is mapped, except for what no name says', () => {
    const proposal = proposeMapping(bytes)
    expect(proposal?.mapping.latency?.column).toBe(mapping.latency.column)
    expect([null, mapping.latency.unit]).toContain(proposal?.mapping.latency?.unit)
    for (const field of ['time', 'status', 'error', 'bytes', 'label'] as const)
      expect(proposal?.mapping[field]?.column).toBe(mapping[field]?.column)
    expect(proposal?.mapping.time?.format).toBe(mapping.time?.format)
    expect(proposal).toMatchObject({ kind: mapping.kind, heading: mapping.heading })
  })
})

describe('samples of a known distribution', () => {
  const row = fc.record({
    us: fc.integer({ min: 0, max: 5_000_000 }),
    at: fc.integer({ min: 0, max: 100_000 }),
    code: fc.constantFrom(200, 204, 404, 503),
    bytes: fc.integer({ min: 0, max: 10_000 }),
  })

  it('has the counts, sums and percentiles of its sorted values, in CSV and in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 400 }), async (rows) => {
        const csv = [
          'lat_us,t,code,size',
          ...rows.map(({ us, at, code, bytes }) => `${us},${at + 1.8e12},${code},${bytes}`),
          '',
        ]
        const objects = rows.map(({ us, at, code, bytes }) => ({ lat_us: us, t: at + 1.8e12, code, size: bytes }))
        const rest = {
          latency: { column: 'lat_us', unit: 'us' },
          time: { column: 't', format: 'ms' },
          status: { column: 'code' },
          bytes: { column: 'size' },
        }
        const ofCsv = await read(encode(csv.join('\n')), mappingOf({ kind: 'csv', ...rest }))
        const ofJson = await read(encode(JSON.stringify(objects)), mappingOf({ kind: 'json', ...rest }))
        const sorted = rows.map(({ us }) => us / 1e3).sort((a, b) => a - b)
        for (const { runs, problems } of [ofCsv, ofJson]) {
          const [run] = runs
          expect(problems).toEqual([])
          expect(run?.complete).toBe(true)
          expect(run?.requests).toBe(rows.length)
          expect(run?.successes).toBe(rows.filter(({ code }) => code < 400).length)
          expect(run?.bytesIn).toBe(rows.reduce((sum, { bytes }) => sum + bytes, 0))
          const all = run?.latencies[0]
          expect(all?.minMs).toBe(sorted[0])
          expect(all?.maxMs).toBe(sorted.at(-1))
          for (const { q, ms } of all?.quantiles ?? [])
            expect(ms).toBe(sorted[Math.ceil(Number((q * rows.length).toFixed(6))) - 1])
          const begins = rows.map(({ at }) => at)
          const ends = rows.map(({ at, us }) => at + us / 1e3)
          if (begins.some((at) => at % 1_000 !== 0))
            expect(run?.durationMs).toBeCloseTo(Math.max(...ends) - Math.min(...begins), 6)
        }
      }),
      { numRuns: caseCount(60) },
    )
  })
})

describe('unreadable rows', () => {
  const mapping = mappingOf({ kind: 'csv', latency: { column: 'ms', unit: 'ms' } })
  const good = Array.from({ length: 300 }, (_, at) => `${at}`)

  it('are named with their lines and reasons, and make the run incomplete', async () => {
    const text = ['ms', ...good.slice(0, 10), 'abc', ...good.slice(10), ''].join('\n')
    const { runs, problems } = await read(encode(text), mapping)
    expect(runs[0]).toMatchObject({ requests: 300, complete: false })
    expect(problems).toMatchObject([{ code: 'malformed', severity: 'error', line: 12 }])
    expect(problems[0]?.message).toContain(
      '1 of 301 rows cannot be read, the first in line 12: latency is not a number',
    )
  })

  it('refuse the file beyond one in a hundred, naming the first three lines', async () => {
    const text = ['ms', 'a', ...good, 'b', 'c', 'd', ''].join('\n')
    const error = await refusal(text, mapping)
    expect(error).toMatchObject({ code: 'malformed', line: 2 })
    expect(error.message).toContain('lines 2, 303, 304')
    expect(error.hint).toContain('latency: column "ms", ms')
  })

  it('report the columns that the file lacks', async () => {
    const error = await refusal('dur\n1\n2\n', mapping)
    expect(error.message).toBe('the mapping "own" names columns that the file lacks: "ms"')
  })

  it('report that the end is missing', async () => {
    const two = mappingOf({ kind: 'json', latency: { column: 'ms', unit: 'ms' } })
    const { runs, problems } = await read(encode('[{"ms":1},{"ms":2},'), two)
    expect(runs[0]).toMatchObject({ requests: 2, complete: false })
    expect(problems.map(({ code }) => code)).toEqual(['truncated'])
  })
})

describe('proposeMapping', () => {
  const propose = (text: string) => proposeMapping(encode(text))

  it('never guesses a unit', () => {
    expect(propose('timestamp,latency\n1795313434421,3\n1795313434521,4\n')).toMatchObject({
      mapping: { latency: { column: 'latency', unit: null }, time: { column: 'timestamp', format: 'ms' } },
      unsure: ['the unit of the latency', 'whether the time is when the request began or ended'],
    })
  })

  it.each([
    ['took_ms', 'ms'],
    ['elapsedMs', 'ms'],
    ['latency_us', 'us'],
    ['duration (s)', 's'],
    ['latencyNanos', 'ns'],
    ['response_time', null],
  ] as const)('reads the unit of %s', (name, unit) => {
    expect(propose(`${name},x\n1.5,a\n2.5,b\n`)?.mapping.latency).toEqual({ column: name, unit })
  })

  it('is null for prose, reports and tables of words', () => {
    for (const text of ['Dear all, this, that\nand more, too, here\n', '{"p99":1}', 'a,b\nx,y\nz,w\n', ''])
      expect(propose(text)).toBeNull()
  })

  it('gives a hint that can be used unchanged once the unit is filled in', () => {
    const proposal = propose('ts,took_ms,code\n1795313434421,3,200\n1795313434521,4,200\n')
    if (proposal === null) throw new Error('no proposal')
    const json: unknown = JSON.parse(/\{"kind.*\}(?=, then)/.exec(proposalHint(proposal))?.[0] ?? '')
    expect(mappingWords(mappingOf(json))).toBe(
      'latency: column "took_ms", ms; time: column "ts", epoch ms, when the request began; status: column "code", failed outside 100–399 or when empty',
    )
  })
})

describe('columnMappingSchema', () => {
  it('refuses invalid mappings', () => {
    const latency = { column: 'ms', unit: 'ms' }
    const wrong = [
      { kind: 'csv', latency: { column: 'ms' } },
      { kind: 'csv', heading: false, latency },
      { kind: 'json', latency: { column: 1, unit: 'ms' } },
      { kind: 'csv', latency, status: { column: 'code', good: { from: 3, to: 2 } } },
      { kind: 'csv', latency, other: 1 },
    ]
    for (const mapping of wrong) expect(columnMappingSchema.safeParse(mapping).success).toBe(false)
  })
})
