import { z } from 'zod'
import type { ImportedFile, ImportedRun } from '../../lib/run/run'
import type { Fields } from './fields'
import { compareHdrRun, compareSpectrum, hdrTruth, spectrumTruth } from './hdr'
import { compareHeyExact, compareHeyRun, heyExact, heyTruth } from './hey'
import { compareLambdaRow, compareLambdaRun, lambdaRowTruth, lambdaTableTruth, lambdaTruth } from './lambda'
import { compareOtherTool, otherToolTruth } from './other-tools'
import { compareHeyCsvRun, compareSamplesRun, heyCsvTruth, samplesTruth } from './samples'
import { compareVegetaExact, compareVegetaRun, vegetaExact, vegetaTruth } from './vegeta'
import { compareVegetaHdrplot, compareVegetaHist, vegetaHdrplotTruth, vegetaHistTruth } from './vegeta-tables'
import { compareWrkExact, compareWrkRun, wrkExact, wrkTruth } from './wrk'

/** What an independent reader found in a sample file: its sidecar. */
export const truthSchema = z.looseObject({
  format: z.string(),
  expected_import: z.enum(['full', 'partial', 'optional', 'foreign', 'reject']),
  container: z.string().nullable(),
  notes: z.array(z.string()).default([]),
  runs: z.array(z.looseObject({ tool: z.string().nullish() })),
  /** Words that a refusal must contain, in any case. */
  refusal_must_contain: z.array(z.string()).optional(),
  exact_from_raw: z.unknown().optional(),
  exact_from_lua_done: z.unknown().optional(),
})
export type Truth = z.infer<typeof truthSchema>

/** Ids of the importers; the files in an archive differ in form. */
const vegetaRows = new Set(['vegeta-gob', 'vegeta-csv', 'vegeta-results-json'])

/** The runs that a file must yield: for `vegeta report -every` the last, for a table one per row. */
function listExpected(truth: Truth, fields: Fields): Truth['runs'] {
  return truth.runs
    .filter((run) => run['is_final'] !== false)
    .flatMap((run) => {
      if (!lambdaTableTruth.safeParse(run).success) return [run]
      return fields.read(lambdaTableTruth, run).rows.map((row) => ({ tool: 'lambda-row', ...row }))
    })
}

/** Where a file differs from its truth, one line each; empty if it does not. Records in `fields` what was compared. */
export function compareFile({ runs }: ImportedFile, truth: Truth, fields: Fields): string[] {
  const expected = listExpected(truth, fields)
  if (runs.length !== expected.length) return [`${runs.length} runs instead of ${expected.length}`]
  return runs.flatMap((run, index) => (expected[index] ? compareRun(run, expected[index], truth, fields) : []))
}

function compareRun(run: ImportedRun, expected: Truth['runs'][number], truth: Truth, fields: Fields): string[] {
  const { exact_from_raw: raw, exact_from_lua_done: done } = truth
  if (Array.isArray(expected['latencies'])) return compareOtherTool(run, fields.read(otherToolTruth, expected))
  if (vegetaRows.has(run.form)) return compareSamplesRun(run, fields.read(samplesTruth, expected))
  if (run.form === 'hey-csv') return compareHeyCsvRun(run, fields.read(heyCsvTruth, expected))
  if (run.tool === 'hdr') {
    return spectrumTruth.safeParse(expected).success
      ? compareSpectrum(run, fields.read(spectrumTruth, expected))
      : compareHdrRun(run, fields.read(hdrTruth, expected))
  }
  switch (expected.tool) {
    case 'hey':
      return [
        ...compareHeyRun(run, fields.read(heyTruth, expected)),
        ...(raw ? compareHeyExact(run, fields.read(heyExact, raw, 'exact_from_raw')) : []),
      ]
    case 'wrk':
    case 'wrk2':
      return [
        ...compareWrkRun(run, fields.read(wrkTruth, expected)),
        ...(done ? compareWrkExact(run, fields.read(wrkExact, done, 'exact_from_lua_done')) : []),
      ]
    case 'vegeta':
      if (run.form === 'vegeta-hist') return compareVegetaHist(run, fields.read(vegetaHistTruth, expected))
      if (run.form === 'vegeta-hdrplot') return compareVegetaHdrplot(run, fields.read(vegetaHdrplotTruth, expected))
      return [
        ...compareVegetaRun(run, fields.read(vegetaTruth, expected)),
        ...(raw ? compareVegetaExact(run, fields.read(vegetaExact, raw, 'exact_from_raw')) : []),
      ]
    case 'lambda-row':
      return compareLambdaRow(run, fields.read(lambdaRowTruth, expected))
    case 'lambda':
      return compareLambdaRun(run, fields.read(lambdaTruth, expected))
    default:
      return compareOtherTool(run, fields.read(otherToolTruth, expected))
  }
}
