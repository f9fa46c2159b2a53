import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { importFile } from '../importers/index'
import type { Bytes } from '../importers/importer'
import { ImportError } from '../lib/errors'
import type { ImportedFile, ImportedRun } from '../lib/run'
import { compareHdrRun, compareSpectrum, hdrTruth, spectrumTruth } from './truth/hdr'
import { compareHeyExact, compareHeyRun, heyExact, heyTruth } from './truth/hey'
import { compareLambdaRow, compareLambdaRun, lambdaRowTruth, lambdaTableTruth, lambdaTruth } from './truth/lambda'
import { compareVegetaExact, compareVegetaRun, vegetaExact, vegetaTruth } from './truth/vegeta'
import { compareVegetaHdrplot, compareVegetaHist, vegetaHdrplotTruth, vegetaHistTruth } from './truth/vegeta-tables'
import { compareWrkExact, compareWrkRun, wrkExact, wrkTruth } from './truth/wrk'

/**
 * Printed reports against the figures that an independent reader took from the same bytes, field by field, and where
 * the raw rows of the run are known against these. `X.truth.json` beside a fixture; with TAILBOARD_CORPUS set to a
 * folder of such samples (`X.expected.json` beside each), all of that folder too.
 */
const truthSchema = z.looseObject({
  format: z.string(),
  expected_import: z.enum(['full', 'partial', 'optional', 'foreign', 'reject']),
  container: z.string().nullable(),
  runs: z.array(z.looseObject({ tool: z.string() })),
  exact_from_raw: z.unknown().optional(),
  exact_from_lua_done: z.unknown().optional(),
})
type Truth = z.infer<typeof truthSchema>

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
  ...listSamples(join(import.meta.dirname, 'fixtures'), '.truth.json'),
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
    const file = await importFile(readBytes(path), {})
    expect(compareFile(file, truth)).toEqual([])
  })
})

describe.runIf(refused.length > 0)('what holds no results is refused', () => {
  it.each(refused)('$name', async ({ path }) => {
    try {
      const { runs, problems } = await importFile(readBytes(path), {})
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

/** The runs that a file must give: of `vegeta report -every` the last, of a table one for each row. */
function listExpected(truth: Truth): Truth['runs'] {
  return truth.runs
    .filter((run) => run['is_final'] !== false)
    .flatMap(
      (run) => lambdaTableTruth.safeParse(run).data?.rows.map((row) => ({ tool: 'lambda-row', ...row })) ?? [run],
    )
}

function compareFile({ runs }: ImportedFile, truth: Truth): string[] {
  const expected = listExpected(truth)
  if (runs.length !== expected.length) return [`${runs.length} runs instead of ${expected.length}`]
  return runs.flatMap((run, index) => (expected[index] ? compareRun(run, expected[index], truth) : []))
}

function compareRun(run: ImportedRun, expected: Truth['runs'][number], truth: Truth): string[] {
  const { exact_from_raw: raw, exact_from_lua_done: done } = truth
  if (run.tool === 'hdr') {
    const spectrum = spectrumTruth.safeParse(expected)
    return spectrum.success ? compareSpectrum(run, spectrum.data) : compareHdrRun(run, hdrTruth.parse(expected))
  }
  switch (expected.tool) {
    case 'hey':
      return [
        ...compareHeyRun(run, heyTruth.parse(expected)),
        ...(raw ? compareHeyExact(run, heyExact.parse(raw)) : []),
      ]
    case 'wrk':
    case 'wrk2':
      return [
        ...compareWrkRun(run, wrkTruth.parse(expected)),
        ...(done ? compareWrkExact(run, wrkExact.parse(done)) : []),
      ]
    case 'vegeta':
      if (run.form === 'vegeta-hist') return compareVegetaHist(run, vegetaHistTruth.parse(expected))
      if (run.form === 'vegeta-hdrplot') return compareVegetaHdrplot(run, vegetaHdrplotTruth.parse(expected))
      return [
        ...compareVegetaRun(run, vegetaTruth.parse(expected)),
        ...(raw ? compareVegetaExact(run, vegetaExact.parse(raw)) : []),
      ]
    case 'lambda-row':
      return compareLambdaRow(run, lambdaRowTruth.parse(expected))
    case 'lambda':
      return compareLambdaRun(run, lambdaTruth.parse(expected))
    default:
      return [`no comparison for ${expected.tool}`]
  }
}
