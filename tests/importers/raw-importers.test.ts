import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { importFile, importers } from '../../importers/index'
import type { Bytes } from '../../importers/importer'
import { ImportError } from '../../lib/errors'
import type { ImportedFile, ImportedRun } from '../../lib/run/run'
import { compareHeyCsvRun, compareSamplesRun, heyCsvTruth, quoteTimestamps, samplesTruth } from '../truth/samples'
import { triedTruncations } from './truncations'
import { caseCount } from '../case-count'

/**
 * Compares raw results with what an independent reader counted in them, and tests damaged files. `X.truth.json` next to
 * a fixture; if TAILBOARD_CORPUS names a folder of such samples (`X.expected.json` next to each), that folder too.
 * TAILBOARD_CASES: how many times as many damaged files to try.
 */
const forms: Readonly<Record<string, string>> = {
  'vegeta-gob': 'vegeta-gob',
  'vegeta-csv': 'vegeta-csv',
  'vegeta-json': 'vegeta-results-json',
  'hey-csv': 'hey-csv',
}
const truthSchema = z.looseObject({
  format: z.string(),
  container: z.string().nullable(),
  runs: z.array(z.unknown()),
})
const root = join(import.meta.dirname, '../fixtures')
const corpus = process.env['TAILBOARD_CORPUS']
const samples = [...listSamples(root, '.truth.json'), ...(corpus ? listSamples(corpus, '.expected.json') : [])]
const fuzzRuns = caseCount(100)

function listSamples(folder: string, suffix: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix) && existsSync(join(folder, name.slice(0, -suffix.length))))
    .flatMap((name) => {
      const json: unknown = JSON.parse(quoteTimestamps(readFileSync(join(folder, name), 'utf8')))
      const truth = truthSchema.safeParse(json).data
      const isRead = truth && forms[truth.format] && (truth.container === null || truth.container === 'gzip')
      return isRead ? [{ name, path: join(folder, name.slice(0, -suffix.length)), truth }] : []
    })
}

async function* inChunks(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readOrRefuse(bytes: Uint8Array, chunk = 65_536): Promise<ImportedFile | null> {
  try {
    return await importFile(inChunks(bytes, chunk))
  } catch (error) {
    if (error instanceof ImportError) return null
    throw error
  }
}

it('finds samples', () => expect(samples.length).toBeGreaterThan(25))

describe('raw results equal the ground truth', () => {
  it.each(samples)('$name', async ({ path, truth }) => {
    const stored = readFileSync(path)
    const bytes = truth.container === 'gzip' ? gunzipSync(stored) : stored
    const claims = importers.filter((importer) => importer.kind === 'raw' && importer.detect(bytes.subarray(0, 65_536)))
    expect(claims.map(({ id }) => id)).toEqual([forms[truth.format]])
    for (const chunk of [bytes.length, 65_536, 4_099]) {
      const { runs } = await importFile(inChunks(bytes, chunk))
      expect(runs.length).toBe(truth.runs.length)
      const differences = runs.flatMap((run, index) =>
        truth.format === 'hey-csv'
          ? compareHeyCsvRun(run, heyCsvTruth.parse(truth.runs[index]))
          : compareSamplesRun(run, samplesTruth.parse(truth.runs[index])),
      )
      expect(differences).toEqual([])
    }
  })
})

const fixtures = Object.values(forms).flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => !name.endsWith('.json') || name === 'pretty.json')
    .map((name) => ({ folder, name: `${folder}/${name}`, bytes: readFileSync(join(root, folder, name)) })),
)

/** With every position tried, these have 500 positions; the others about 120. */
const truncatedOften = new Set([
  'vegeta-gob/short.bin',
  'vegeta-csv/v6.csv',
  'vegeta-results-json/one-request.ndjson',
  'hey-csv/slow.csv',
])

describe('truncated files', () => {
  it.each(fixtures)('$name is never complete if the truncation can be detected', async ({ folder, bytes, name }) => {
    const isDetectable = detectors[folder]?.(bytes) ?? (() => false)
    const step = Math.max(1, Math.floor(bytes.length / (truncatedOften.has(name) ? 500 : 120)))
    const places: number[] = []
    for (let length = 1; length < bytes.length; length += step + (truncatedOften.has(name) ? 0 : length % 7))
      places.push(length)
    for (const length of triedTruncations(places, name)) {
      const file = await readOrRefuse(bytes.subarray(0, length))
      if (file === null) continue
      file.runs.forEach((run) => expectConsistent(run))
      const isComplete = file.runs.every((run) => run.complete)
      const isReported = file.problems.some(({ code, severity }) => code === 'truncated' && severity === 'error')
      // A stream that is truncated before its first result leaves the one before it whole.
      const mayBeComplete = isReported && name.includes('two-streams')
      if (isDetectable(length) && !mayBeComplete) expect(isComplete, `${name} truncated at ${length}`).toBe(false)
      if (!isComplete) expect(isReported).toBe(true)
    }
  })
})

type Detector = (bytes: Uint8Array) => (length: number) => boolean

/** For each form: does a file that ends there show that it was truncated? */
const detectors: Readonly<Record<string, Detector>> = {
  'vegeta-gob': (bytes) => {
    const ends = new Set<number>()
    for (let at = 0; at < bytes.length;) {
      const first = bytes[at] ?? 0
      const width = first < 128 ? 0 : 256 - first
      const length = bytes.subarray(at + 1, at + 1 + width).reduce((value, byte) => value * 256 + byte, 0)
      at += 1 + width + (width === 0 ? first : length)
      ends.add(at)
    }
    return (length) => !ends.has(length)
  },
  // A last row without a line feed is complete if it has all columns; empty headers may be missing ones.
  'vegeta-csv': (bytes) => (length) => {
    const line = lastLine(bytes, length)
    return line !== '' && !(bytes[length] === 10 && line.split(',').length >= 12) && !line.endsWith(',')
  },
  'vegeta-results-json': (bytes) => (length) =>
    !/\}\s*$/.test(lastLine(bytes, length).trim() || '}') || bytes[length] === 125,
  'hey-csv': (bytes) => (length) => {
    const line = lastLine(bytes, length)
    return line !== '' && !/[.,]\d{4}\r?$/.test(line) && !line.startsWith('response-time')
  },
}

function lastLine(bytes: Uint8Array, length: number): string {
  const text = Buffer.from(bytes.subarray(Math.max(0, length - 2_000), length)).toString('latin1')
  return text.slice(text.lastIndexOf('\n') + 1)
}

/** What must hold for every run, however damaged its file. */
function expectConsistent({ latencies, statusCodes, timeline, targets, requests, successes }: ImportedRun): void {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const count = latencies[0]?.count ?? 0
  expect(sum(Object.values(statusCodes))).toBe(count)
  if (requests !== null) expect(requests).toBe(count)
  expect(successes ?? 0).toBeLessThanOrEqual(count)
  if (timeline) expect([sum(timeline.requests), sum(timeline.heat.counts.flat())]).toEqual([count, count])
  if (targets) expect(sum(targets.map((target) => target.count))).toBeLessThanOrEqual(count)
  for (const { minMs, maxMs, meanMs, quantiles } of latencies) {
    const values = [minMs ?? NaN, ...quantiles.map(({ ms }) => ms), maxMs ?? NaN]
    expect([...values].sort((a, b) => a - b)).toEqual(values)
    expect(meanMs).toBeGreaterThanOrEqual((minMs ?? NaN) * (1 - 1e-12))
    expect(meanMs).toBeLessThanOrEqual((maxMs ?? NaN) * (1 + 1e-12))
  }
}

describe('damaged files', () => {
  it('neither crash nor hang nor give contradictory figures', async () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      kind: fc.constantFrom('set', 'delete', 'repeat', 'insert'),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
    })
    const property = fc.asyncProperty(
      fc.constantFrom(...fixtures),
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 300, max: 70_000 }),
      async ({ bytes }, damages, chunk) => {
        const damaged = damages.reduce<Uint8Array>(applyDamage, bytes.subarray(0, 60_000))
        // Of this process: others may be busy beside it.
        const before = process.cpuUsage()
        const file = await readOrRefuse(damaged, chunk)
        const { user, system } = process.cpuUsage(before)
        expect((user + system) / 1_000).toBeLessThan(1_000)
        file?.runs.forEach((run) => expectConsistent(run))
      },
    )
    await fc.assert(property, { numRuns: fuzzRuns })
  })

  function applyDamage(
    bytes: Uint8Array,
    { at, kind, bytes: added }: { at: number; kind: string; bytes: Uint8Array },
  ): Uint8Array {
    const place = Math.floor(at * bytes.length)
    const before = bytes.subarray(0, place)
    if (kind === 'delete') return Buffer.concat([before, bytes.subarray(place + added.length * 7)])
    if (kind === 'repeat') return Buffer.concat([before, bytes.subarray(place - 200, place), bytes.subarray(place)])
    return Buffer.concat([before, added, bytes.subarray(kind === 'set' ? place + added.length : place)])
  }

  it('an unreadable row makes the run incomplete, not the file unreadable', async () => {
    const bytes = readFileSync(join(root, 'vegeta-csv/v6.csv')).toString('latin1')
    const broken = bytes.replace(/\n1/, '\nx1')
    const { runs, problems } = await importFile(inChunks(Buffer.from(broken, 'latin1'), 1_000))
    expect(runs.map(({ requests, complete }) => [requests, complete])).toEqual([[299, false]])
    expect(problems).toMatchObject([{ code: 'malformed', line: 2, severity: 'error' }])
  })

  it('results with times rounded by a spreadsheet are refused by name', async () => {
    const row = '1.79523E+18;200;4469056;0;1024;;;;0;GET;http://127.0.0.1/;\n'
    await expect(importFile(inChunks(Buffer.from(row.repeat(3)), 50))).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('spreadsheet'),
    })
  })
})

describe('long rows', () => {
  const body = Buffer.alloc(3 * 1024 * 1024, 'x')
  const csvRow = (size: number) =>
    `1795227277363447998,200,4469056,0,1024,,${body.toString('latin1', 0, size)},name,0,GET,http://127.0.0.1/a?b,\n`
  const jsonRow = (size: number) =>
    `{"attack":"name","seq":0,"code":200,"timestamp":"2026-11-21T02:14:37.363447998Z","latency":4469056,"bytes_out":0,"bytes_in":1024,"error":"","body":"${body.toString('latin1', 0, size)}","method":"GET","url":"http://127.0.0.1/a?b","headers":null}\n`

  it.each([
    ['CSV', csvRow],
    ['JSON', jsonRow],
  ] as const)('of %s are read in chunks, without their bodies', async (_form, row) => {
    const bytes = Buffer.from([row(10), row(body.length), row(200_000), row(0)].join(''))
    for (const chunk of [bytes.length, 1_048_576, 65_536, 5_000]) {
      const [run, ...others] = (await importFile(inChunks(bytes, chunk))).runs
      expect(others).toEqual([])
      expect(run).toMatchObject({ requests: 4, complete: true, bytesIn: 4_096, url: 'http://127.0.0.1/a?b' })
      expect(run?.latencies[0]).toMatchObject({ minMs: 4.469056, maxMs: 4.469056 })
    }
  })

  it('of gob, too', async () => {
    const bytes = Buffer.concat([readFileSync(join(root, 'vegeta-gob/one-request.bin')), gobRow(3_000_000), gobRow(10)])
    for (const chunk of [bytes.length, 1_048_576, 65_536, 5_000]) {
      const [run] = (await importFile(inChunks(bytes, chunk))).runs
      expect(run).toMatchObject({ requests: 3, complete: true, statusCodes: { 200: 3 }, bytesIn: 1_024 })
      expect(run?.targets).toMatchObject([{ count: 2, method: 'PUT', url: 'http://x' }, { count: 1 }])
    }
    const half = await readOrRefuse(bytes.subarray(0, 1_000_000), 65_536)
    expect(half?.runs.map(({ requests, complete }) => [requests, complete])).toEqual([[1, false]])
  })

  it('of gob with headers of a megabyte, split anywhere', async () => {
    const start = readFileSync(join(root, 'vegeta-gob/one-request.bin'))
    for (const bodySize of [3_000_000, 10, 0]) {
      const bytes = Buffer.concat([start, gobRow(bodySize, 1_000_000), gobRow(10)])
      for (const chunk of [bytes.length, 1_048_576, 65_536, 5_000]) {
        const [run] = (await importFile(inChunks(bytes, chunk))).runs
        expect(run).toMatchObject({ requests: 3, complete: true, statusCodes: { 200: 3 } })
      }
    }
  })

  it('of gob that only claim to be long take no memory', async () => {
    const start = readFileSync(join(root, 'vegeta-gob/one-request.bin'))
    for (const length of ['f87fffffffffffffff', 'fb4000000000', 'fc3fffffff']) {
      const file = await readOrRefuse(Buffer.concat([start, Buffer.from(length, 'hex'), Buffer.alloc(50)]))
      expect(file?.runs.map(({ requests, complete }) => [requests, complete])).toEqual([[1, false]])
    }
  })

  /** A result with code 200, a body of `size` bytes and, unless it is 0, a header of that many bytes. */
  function gobRow(size: number, headerSize = 0): Buffer {
    const length = (value: number) => Buffer.from([253, value >> 16, (value >> 8) & 255, value & 255])
    const payload = Buffer.concat([
      Buffer.from('ff80', 'hex'),
      Buffer.from([3, 0xff, 200]), // code
      Buffer.from('010f010000000ee292f5701ed2bdc00000', 'hex'), // timestamp
      Buffer.from([1, 100, ...(size === 0 ? [5] : [4])]), // latency, then four fields on: body
      ...(size === 0 ? [] : [length(size), Buffer.alloc(size, 7), Buffer.from([1])]),
      Buffer.from([3]),
      Buffer.from('PUT'),
      Buffer.from([1, 8]),
      Buffer.from('http://x'),
      ...(headerSize === 0 ? [] : [Buffer.from([1, 1, 1]), Buffer.from('X'), Buffer.from([1]), length(headerSize)]),
      Buffer.alloc(headerSize, 65),
      Buffer.from([0]),
    ])
    return Buffer.concat([length(payload.length), payload])
  }
})
