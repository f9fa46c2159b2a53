import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { steadyFigures } from '@/components/run/figures/run-figures'
import { RunTables } from '@/components/run/figures/run-tables'
import type { Timeline } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'
import { runsOf } from '../read-fixture'
import { storedRun } from '../stored-runs'

async function warmedUp(warmUp: (timeline: Timeline) => Timeline['warmUp'] = (timeline) => timeline.warmUp) {
  const [run] = await runsOf({ fixture: 'vegeta-csv/warm-up.csv' })
  if (!run?.timeline) throw new Error('a run with a timeline expected')
  return storedRun({ ...run, timeline: { ...run.timeline, warmUp: warmUp(run.timeline) } })
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const tables = (run: StoredRun) => plain(renderToStaticMarkup(createElement(RunTables, { run, lineHref: () => null })))

it('shows the figures after the warm-up next to those of the whole run', async () => {
  const run = await warmedUp()
  const shown = steadyFigures(run).map(({ id, steady, whole }) => [id, plain(steady), plain(whole)])
  expect(shown.map(([id]) => id)).toEqual([
    'requests',
    'error-count',
    'throughput',
    'mean',
    'p50',
    'p90',
    'p95',
    'p99',
    'max',
  ])
  expect(shown.slice(0, 5)).toEqual([
    ['requests', '131', '200'],
    ['error-count', '0', '0'],
    ['throughput', '49.7/s', '50.1/s'],
    ['mean', '10.8 ms', '15.7 ms'],
    ['p50', '10.4 ms', '11.4 ms'],
  ])
  const html = tables(run)
  expect(html).toContain('After the warm-up of 0.6 s')
  expect(html).toContain('began 1.36 s or later after the first one')
  expect(html).toContain('percentiles are within 1.6 %')
})

it('has no such figures if a run was steady from the start, never became steady, or is older', async () => {
  for (const warmUp of [
    null,
    { endMs: 0, isSteady: true, steady: null },
    { endMs: null, isSteady: false, steady: null },
  ]) {
    const run = await warmedUp(() => warmUp)
    expect(steadyFigures(run)).toEqual([])
    expect(tables(run)).not.toContain('warm-up')
  }
})

it('shows metrics from response headers as phases, with their count and percentiles', async () => {
  const [run] = await runsOf({ fixture: 'vegeta-csv/headers.csv' })
  if (run === undefined) throw new Error('a run expected')
  const cells = tables(storedRun(run))
    .replaceAll(/<[^>]*>/g, '|')
    .replaceAll(/\|+/g, '|')
  expect(cells).toContain('|Phase|Values|Average ms|Min ms|p50 ms|p99 ms|Max ms|')
  expect(cells).toContain('|x-envoy-upstream-service-time|48|')
  expect(cells).toContain('|Cache hits|32 responses|')
  expect(tables(storedRun({ ...run, phases: [{ name: 'dial', meanMs: 1, minMs: 1, maxMs: 1 }] }))).not.toContain(
    'Values',
  )
})
