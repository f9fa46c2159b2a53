import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { allFigures } from '@/components/run/figures/run-figures'
import { FiguresTable } from '@/components/run/figures/figures-table'
import type { StoredRun } from '@/lib/history/stored-runs'
import { storedDocument } from '../../../stored-runs'

async function zlibRun(): Promise<StoredRun> {
  const [run] = (await storedDocument('zlib-gzip')).runs
  if (run === undefined) throw new Error('a run expected')
  return run
}

function namesIn(run: StoredRun): string[] {
  const html = renderToStaticMarkup(<FiguresTable run={run} before={[]} />)
  return [...html.matchAll(/<th scope="row">([^<]*)</g)].map(([, name = '']) => name)
}

it('shows every figure of a run without expected ranges', async () => {
  const run = await zlibRun()
  expect(namesIn(run)).toEqual(allFigures(run).map(({ label }) => label))
})

/** The run, judged as expected at p99 by a level. */
function judgedAt(run: StoredRun, level: number): StoredRun {
  const judgement: StoredRun['judgement'] = {
    version: 'run-2',
    state: 'as-expected',
    metricId: 'p99',
    sentence: 'Said.',
    runs: 1,
    judgedBy: 'whole',
    failedRatio: null,
    failedCount: null,
    guards: [],
    metrics: [
      {
        metricId: 'p99',
        state: 'as-expected',
        side: null,
        value: run.figures.p99Ms ?? 0,
        level,
        expectedLow: 10,
        expectedHigh: 30,
        effectRatio: 0.01,
        effectLowRatio: -0.1,
        effectHighRatio: 0.1,
        noiseRatio: 0.05,
        outside: 0,
        before: 20,
        change: null,
        current: null,
      },
    ],
  }
  return { ...run, judgement }
}

it('shows only the figures with expected ranges if there are earlier runs', async () => {
  expect(namesIn(judgedAt(await zlibRun(), 20))).toEqual(['p99'])
})

it.each([0.994, 1.0012, 1.31])('prints a value and its level so that they divide to the change: %f', async (factor) => {
  const run = await zlibRun()
  const judged = allFigures(judgedAt(run, (run.figures.p99Ms ?? NaN) / factor)).find(({ label }) => label === 'p99')
  const [value, level, against] = [judged?.text, judged?.expected?.level, judged?.expected?.against].map((text) =>
    Number.parseFloat((text ?? '').replace('−', '-')),
  )
  const change = (against ?? NaN) / 100
  expect(Math.abs((value ?? NaN) / (level ?? NaN) - 1 - change)).toBeLessThan(
    Math.max(0.000_6, Math.abs(change) * 0.03),
  )
})
