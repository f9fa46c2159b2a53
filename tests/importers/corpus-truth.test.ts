import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../importers/index'
import type { Bytes } from '../../importers/importer'
import { ImportError } from '../../lib/errors'
import { compareFile, truthSchema, type Truth } from '../truth/compare-file'
import { Fields } from '../truth/fields'

/**
 * Compares printed reports with the figures that an independent reader took from the same bytes, field by field, and
 * with the raw rows of the run if they are known. `X.truth.json` next to a fixture; if TAILBOARD_CORPUS names a folder
 * of such samples (`X.expected.json` next to each), that folder too.
 */
const printedFormats = new Set([
  'hey-text',
  'wrk-text',
  'wrk2-text',
  'vegeta-text',
  'vegeta-report-json',
  'vegeta-hist',
  'vegeta-hdrplot',
  'hdr-percentiles',
  'hdr-percentiles-csv',
  'hdr-log',
  'hdr-v2-base64',
  'lambda-text',
  'lambda-logs-tail',
  'lambda-offline',
  'lambda-md-table',
  'lambda-json',
  'lambda-telemetry',
  'lambda-filter-log-events',
  'lambda-subscription',
  'lambda-insights-csv',
  'lambda-insights-json',
  'lambda-invoke',
  'mixed',
])

const samples = [
  ...listSamples(join(import.meta.dirname, '../fixtures'), '.truth.json'),
  ...(process.env['TAILBOARD_CORPUS'] ? listSamples(process.env['TAILBOARD_CORPUS'], '.expected.json') : []),
]
if (!process.env['TAILBOARD_CORPUS'])
  process.stdout.write(`corpus-truth: TAILBOARD_CORPUS is not set; only the ${samples.length} fixtures run\n`)

function listSamples(root: string, suffix: string): { name: string; path: string; truth: Truth }[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ name: name.slice(0, -suffix.length), sidecar: join(root, name) }))
    .filter(({ sidecar }) => existsSync(sidecar.slice(0, -suffix.length)))
    .flatMap(({ name, sidecar }) => {
      const parsed = truthSchema.safeParse(JSON.parse(readFileSync(sidecar, 'utf8')))
      return parsed.success ? [{ name, path: sidecar.slice(0, -suffix.length), truth: parsed.data }] : []
    })
}

const printed = samples.filter(({ truth }) => truth.container === null && printedFormats.has(truth.format))
const refused = samples.filter(({ truth }) => truth.expected_import === 'foreign' || truth.expected_import === 'reject')

it('finds samples', () => expect(printed.length).toBeGreaterThan(40))

describe('printed reports equal the ground truth', () => {
  it.each(printed)('$name', async ({ path, truth }) => {
    const file = await importFile(readBytes(path))
    expect(compareFile(file, truth, new Fields())).toEqual([])
  })
})

describe.runIf(refused.length > 0)('files without results are refused', () => {
  it.each(refused)('$name', async ({ path }) => {
    try {
      const { runs, problems } = await importFile(readBytes(path))
      expect(runs).toEqual([])
      expect(problems.map(({ severity }) => severity)).toContain('error')
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError)
    }
  })
})

async function* readBytes(path: string): Bytes {
  yield readFileSync(path)
}
