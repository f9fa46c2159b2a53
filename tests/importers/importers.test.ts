import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importers, importFile } from '../../importers/index'
import type { Bytes } from '../../importers/importer'
import { readLines } from '../../importers/text/lines'
import { ImportError } from '../../lib/errors'
import type { ImportedFile, ImportedRun } from '../../lib/run/run'
import { printingTools } from '../../lib/run/tools'
import { randomOf, triedTruncations } from './truncations'

/**
 * One walker over every fixture: see fixtures/README.md. A folder named after an importer contains only that importer's
 * text; the other folders contain documents, refused files and the like.
 */
const root = join(import.meta.dirname, '../fixtures')
const sidecar = /\.(?:expected|truth)\.json$/
const importerIds = new Set(importers.map(({ id }) => id))
const textImporters = importers.filter((importer) => importer.kind === 'text')
const folders = [...importerIds, 'documents', 'foreign', 'invalid', 'unread'].filter((name) =>
  existsSync(join(root, name)),
)
const fixtures = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !sidecar.test(entry.name) && entry.name !== 'README.md')
    .map(({ name }) => ({ folder, path: `${folder}/${name}` })),
)
/**
 * A missing line is not a truncation here: each line is an invocation, a result, or an interval
 * (tests/importers/raw-importers.test.ts truncates inside lines).
 */
const undetectable = new Set([
  'lambda-report',
  'lambda-table',
  'lambda-json',
  'lambda-log-file',
  'lambda-insights-csv',
  'lambda-insights-table',
  'vegeta-gob',
  'vegeta-csv',
  'vegeta-results-json',
  'hey-csv',
  'hdr-log',
  'hdr-v2-base64',
  'oha-csv',
  'k6-ndjson',
  'k6-csv',
  'jmeter-csv',
  'locust-csv',
  'locust-history',
  'h2load-log',
  'ab-times-tsv',
  'ghz-csv',
  // What is left is a complete report: without its last line, from the warm-up only, as with -d.
  'ab-text',
  'autocannon-text/nothing-listens.txt',
  'autocannon-text/timeouts.txt',
  'autocannon-json/warm-up.json',
  // Complete without the lines below the table, which contradict it.
  'hdr-percentiles/bad-max.hgrm',
  'hdr-percentiles/bad-total.hgrm',
  'documents/bad-hdr-log-in-markdown.md',
  // Without the script's JSON, rounded as wrk prints.
  'wrk-text/with-json-of-a-script.txt',
  'wrk-text/with-json-in-one-line.txt',
  'wrk-text/bad-script-contradicts.txt',
  'wrk-text/bad-with-list-of-percentiles.txt',
  'wrk-text/bad-list-of-another-run.txt',
  'wrk-text/lua-prints-json.txt',
  'documents/bad-script-of-another-run.txt',
])

/** Another build of zlib may compress to other bytes, so the contents are compared. */
function inflateHistograms(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result), (key, value: unknown) => {
    if (key !== 'v2Base64' || typeof value !== 'string') return value
    const payload = Buffer.from(value, 'base64')
    expect(payload.readInt32BE(4)).toBe(payload.length - 8)
    return inflateSync(payload.subarray(8)).toString('base64')
  })
}

describe.each(fixtures)('$path', ({ folder, path }) => {
  const bytes = readFileSync(join(root, path))
  let reading: Promise<ImportedFile | ImportError> | undefined
  const readWhole = () => (reading ??= importOrError(bytes))

  it('equals its expected file', async () => {
    const result = toJson(await readWhole())
    const expectedPath = join(root, `${path}.expected.json`)
    if (process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'])
      writeFileSync(expectedPath, `${JSON.stringify(result, null, 1)}\n`)
    if (!existsSync(expectedPath))
      throw new Error(`${path} has no expected file: run with UPDATE_GOLDEN=1 and read what it writes`)
    expect(inflateHistograms(result)).toEqual(inflateHistograms(JSON.parse(readFileSync(expectedPath, 'utf8'))))
  })

  it('is claimed by at most one importer, line by line', async () => {
    const head = bytes.subarray(0, 65_536)
    const claims = importers.filter((importer) => importer.kind === 'raw' && importer.detect(head)).map(({ id }) => id)
    expect(claims.filter((id) => id !== folder)).toEqual([])
    const contested: string[] = []
    for await (const line of walkLines(bytes)) {
      const claims = textImporters.filter(({ detect }) => detect(line)).map(({ id }) => id)
      if (claims.length > 1) contested.push(`line ${line.number} is claimed by ${claims.join(' and ')}`)
    }
    expect(contested).toEqual([])
    if (!importerIds.has(folder)) return
    const file = await readWhole()
    // Refused by its tool's name, as the golden file says.
    if (file instanceof ImportError) return
    const { runs } = file
    // Figures on an exported page keep the form they were read from.
    if (folder === 'tailboard-run') expect(runs).not.toEqual([])
    else expect([...new Set(runs.map(({ form }) => form))]).toEqual([folder])
  })

  it('is the same in chunks of 1 and 7 bytes and with CRLF', async () => {
    const whole = toJson(await readWhole())
    expect(toJson(await importOrError(bytes, 1))).toEqual(whole)
    expect(toJson(await importOrError(bytes, 7))).toEqual(whole)
    if (isPlainText(bytes)) expect(toJson(await importOrError(withCrLf(bytes)))).toEqual(whole)
  })

  it('yields runs or an ImportError wherever it is truncated, and never a wrong figure in a complete run', async () => {
    const whole = await readWhole()
    for (const length of listLengths(bytes, path)) {
      const part = await importOrError(bytes.subarray(0, length))
      if (
        part instanceof ImportError ||
        whole instanceof ImportError ||
        undetectable.has(folder) ||
        undetectable.has(path)
      )
        continue
      for (const [index, run] of part.runs.entries())
        if (run.complete)
          expect(figuresOf(run, folder), `truncated at byte ${length}`).toEqual(figuresOf(whole.runs[index], folder))
    }
  })
})

it('has fixtures for every importer', () => {
  expect(importers.map(({ id }) => id).filter((id) => !existsSync(join(root, id)))).toEqual([])
})

async function* inChunks(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function* walkLines(bytes: Uint8Array) {
  try {
    yield* readLines(inChunks(bytes, 65_536))
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
}

/** A hint lists the supported tools (`{tools}`), so that a new one changes no golden file. */
function withoutNames(result: unknown): string {
  return JSON.stringify(result).replaceAll(printingTools('or'), '{tools}')
}

/** The content of a golden file: what was read, or why it was refused. */
function toJson(read: ImportedFile | ImportError): unknown {
  if (read instanceof ImportError) {
    const { code, line, offset, message, hint } = read
    return JSON.parse(withoutNames({ error: { code, line, offset, message, hint } }))
  }
  const { runs, problems, cellNotes } = read
  return JSON.parse(withoutNames({ runs, problems, cellNotes }))
}

async function importOrError(bytes: Uint8Array, chunk = 65_536): Promise<ImportedFile | ImportError> {
  try {
    return await importFile(inChunks(bytes, chunk))
  } catch (error) {
    if (error instanceof ImportError) return error
    throw error
  }
}

/**
 * The figures of a run. Excludes the text around its block, which may be truncated with the document, and error texts
 * (with what depends on them): the last one may be truncated without a sign, and vegeta lists its errors last, without
 * a number. A percentile table is complete without the lines below it, which some writers omit.
 */
function figuresOf(run: ImportedRun | undefined, folder: string): unknown {
  if (run === undefined) return undefined
  if (folder === 'hdr-percentiles')
    return run.latencies.map(({ meanMs: _mean, stdDevMs: _deviation, maxMs: _max, ...table }) => table)
  const { context: _context, proposal: _proposal, warnings: _warnings, toolVersion: _version, errors, ...figures } = run
  return { ...figures, errors: errors.map(({ count }) => count).filter((count) => count !== null) }
}

function isPlainText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4_096).includes(0)
}

function withCrLf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1')
}

/** Every line end (at most 300, spread out), the byte before it, and forty bytes chosen by the file's name. */
function listLengths(bytes: Uint8Array, path: string): readonly number[] {
  const ends = [...bytes.keys()].filter((index) => bytes[index] === 10)
  const step = Math.max(1, Math.ceil(ends.length / 300))
  const atEnds = ends.filter((_, index) => index % step === 0).flatMap((end) => [end, end + 1])
  const draw = randomOf(path)
  const drawn = Array.from({ length: 40 }, () => draw() % (bytes.length + 1))
  return triedTruncations(
    [...atEnds, ...drawn].sort((a, b) => a - b),
    path,
  )
}

/** Reports with 1,000 requests by status, and `computed` by rate × total. */
const countedReports = [
  ['hey', 'hey-text/doubled-percent.txt'],
  ['oha', 'oha-text/bad-in-seconds.txt'],
] as const
async function readComputed(file: string, computed: number): Promise<ImportedFile> {
  const text = readFileSync(join(root, file), 'utf8')
    .replace(/(Total:\s+)[\d.]+ secs?/, '$110.0000 secs')
    .replace(/(Requests\/sec:\s+)[\d.]+/, `$1${(computed / 10).toFixed(4)}`)
  return importFile(
    (async function* () {
      yield new TextEncoder().encode(text)
    })(),
  )
}

describe.each(countedReports)('requests of %s that are computed, next to 1,000 that are counted', (_, file) => {
  it('are complete if less than half of one is missing', async () => {
    for (const computed of [1_000, 1_000.03, 1_000.4, 999.6]) {
      const { runs, problems } = await readComputed(file, computed)
      expect([computed, runs[0]?.complete, problems]).toEqual([computed, true, []])
      expect(runs[0]?.warnings.map(({ code }) => code)).not.toContain('inconsistent-counts')
    }
  })

  it('are missing from one on, by their number', async () => {
    const { runs, problems } = await readComputed(file, 1_001)
    expect(runs[0]?.complete).toBe(false)
    expect(problems.map(({ message }) => message).join()).toContain('missing: 1 request in')
  })
})
