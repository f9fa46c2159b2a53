import { describe, expect, it } from 'vitest'
import { suggestParts } from '@/lib/merge/suggest-parts'
import type { ImportedRun } from '@/lib/run/run'
import { runsOf } from '../../read-fixture'
import { steadyRows, vegetaCsv } from '../../vegeta-csv'

/** Results of a generator, each starting `at` × 100 ms after 10:00 and taking 10 s. */
async function generator(at: number, change: Partial<ImportedRun> = {}): Promise<ImportedRun> {
  const [run] = await runsOf({ text: vegetaCsv(steadyRows(100 + at, 10_000, at * 100, at * 1_000_000)) })
  if (run === undefined) throw new Error('vegeta-csv is not read')
  return { ...run, ...change }
}
const inFile = (run: ImportedRun, file: string): ImportedRun => ({ ...run, context: { ...run.context, file } })
const named = (run: ImportedRun, variant: string): ImportedRun => ({
  ...run,
  proposal: { ...run.proposal, variant },
})

describe('suggestParts', () => {
  it('finds the generators of one test among other runs', async () => {
    const later = await generator(200)
    const other = await generator(1, { url: 'http://elsewhere/' })
    expect(suggestParts([later, await generator(1), other, await generator(2), await generator(3)])).toEqual([1, 3, 4])
    expect(suggestParts([later, await generator(1)])).toEqual([])
    expect(suggestParts([])).toEqual([])
  })

  it('accepts runs without times only from separate files', async () => {
    const silent = await Promise.all([1, 2].map((at) => generator(at, { startedAt: null })))
    expect(suggestParts(silent)).toEqual([])
    expect(suggestParts(silent.map((run, at) => inFile(run, `machine-${at}.csv`)))).toEqual([0, 1])
    const longer = { ...inFile(await generator(3, { startedAt: null }), 'machine-3.csv'), attackMs: 99_000 }
    expect(suggestParts([...silent.map((run) => inFile(run, 'both.csv')), longer])).toEqual([])
  })

  it('excludes what would count twice, what has another name, and what generates no load', async () => {
    const one = await generator(1)
    expect(suggestParts([one, { ...one, startedAt: '2026-11-21T10:00:00.200Z' }])).toEqual([])
    expect(suggestParts([named(one, 'gzip'), named(await generator(2), 'zlib')])).toEqual([])
    expect(suggestParts([{ ...one, form: 'merged-runs' }, await generator(2)])).toEqual([])
  })

  it('suggests nothing for the documents that compare', async () => {
    for (const document of ['lambda-dispatcher-vs-direct', 'zlib-gzip', 'smithy-wrk', 'cascade-load-test'])
      expect(suggestParts(await runsOf({ document })), document).toEqual([])
  })

  it('suggests nothing for a history', async () => {
    const run = await generator(1)
    const many = Array.from({ length: 201 }, (_, at) => ({ ...run, requests: at, startedAt: run.startedAt }))
    expect(suggestParts(many)).toEqual([])
    expect(suggestParts(many.slice(0, 200))).toHaveLength(50)
  })
})
