import { expect, it } from 'vitest'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { prepareExpectedFan, preparePlaceInLevels } from '@/components/run/figures/expected-charts'
import { evidencePlotOf } from '@/components/shared/comparison-files'
import { comparisonFace, faceWords } from '@/components/shared/share-face'
import type { StoredRun } from '@/lib/history/stored-runs'
import type { MetricJudgement, RunJudgement } from '@/lib/run/judgement'
import { storedDocument } from '../stored-runs'

const level = (metricId: string, value: number): MetricJudgement => ({
  ...{ metricId, value, state: 'worse', side: 'worse', level: value * 0.8 },
  ...{ expectedLow: value * 0.7, expectedHigh: value * 0.9, noiseRatio: 0.03, outside: 0, before: 40 },
  ...{ effectRatio: 0.25, effectLowRatio: 0.22, effectHighRatio: 0.28 },
  change: { afterRunId: 'other-run', since: '2026-11-03T02:00:00.000Z', cause: 'commit 8de2d48', alertId: 'alert' },
  current: { level: value * 1.01, expectedLow: value * 0.95, expectedHigh: value * 1.1, before: 19 },
})

async function judgedRun(metrics: readonly MetricJudgement[], more: Partial<RunJudgement> = {}): Promise<StoredRun> {
  const [run] = (await storedDocument('lambda-dispatcher-vs-direct')).runs
  if (!run) throw new Error('a run expected')
  const judgement: RunJudgement = {
    ...{ version: 'x', state: 'worse', metricId: 'p99', runs: 1, failedRatio: 0, failedCount: 0, guards: [] },
    ...{ judgedBy: 'whole', sentence: 'p99 25 % higher since commit 8de2d48; this run is as expected there.', metrics },
    ...more,
  }
  return { ...run, judgement }
}

const p99Of = (run: StoredRun) => run.figures.p99Ms ?? expect.fail('a p99 expected')

it('a shared run shows both levels of its verdict as bands, and no other run', async () => {
  const bare = await judgedRun([])
  const p99 = p99Of(bare)
  const run = await judgedRun([level('p99', p99)])
  const { plot, table } = preparePlaceInLevels(run) ?? expect.fail('levels expected')
  const [panel] = plot.panels
  const bands = panel?.marks.filter((mark) => mark.kind === 'band') ?? []
  const ranges = bands.filter(({ low, high }) => (high[0] ?? 0) - (low[0] ?? 0) > 0.1 * p99)
  expect(ranges.map(({ low, high }) => [low[0], high[0]])).toEqual([
    [p99 * 0.7, p99 * 0.9],
    [p99 * 0.95, p99 * 1.1],
  ])
  // One value: the run's own.
  const lines = panel?.marks.filter((mark) => mark.kind === 'line') ?? []
  expect(lines.flatMap(({ y }) => y)).toEqual([p99])
  expect(plot.places).toHaveLength(1)
  expect(panel?.rules).toMatchObject([{ kind: 'change', label: '8de2d48', verdict: 'worse' }])
  expect(table().rows.map(([name]) => name)).toEqual(['before', 'since', 'this run'])
  expect(JSON.stringify(plot)).not.toMatch(/other-run|"alert"/)
})

it('its percentiles lie on what is expected of each; levels that did not change hold before and since', async () => {
  const bare = await judgedRun([])
  const [p50, p99] = [bare.figures.p50Ms ?? 0, p99Of(bare)]
  const same: MetricJudgement = { ...level('p50', p50), state: 'as-expected', change: null, current: null }
  const fan = prepareExpectedFan(await judgedRun([same, level('p99', p99)])) ?? expect.fail('a fan expected')
  const bands = fan.plot.panels[0]?.marks.filter((mark) => mark.kind === 'band') ?? []
  expect(bands.map(({ low }) => low)).toEqual([[p50 * 0.7, p99 * 0.7], [p99 * 0.95]])
  const head = fan.table().head.join(' | ')
  expect(head).toContain('level since 8de2d48')
  expect(prepareExpectedFan(bare)).toBeNull()
  expect(preparePlaceInLevels(bare)).toBeNull()
})

it('repeats are drawn by the medians that are judged, not by one of them', async () => {
  const bare = await judgedRun([])
  const own: MetricJudgement = { ...level('p99', 2 * p99Of(bare)), change: null, current: null }
  const fan = prepareExpectedFan(await judgedRun([own], { runs: 3 })) ?? expect.fail('a fan expected')
  const line = fan.plot.panels[0]?.marks.find((mark) => mark.kind === 'line' && mark.width === 2.5)
  expect(line).toMatchObject({ y: [2 * p99Of(bare)] })
  expect(fan.plot.title).toContain('Median of 3')
})

it('title, description and picture of a shared run are its verdict and what that rests on', async () => {
  const p99 = p99Of(await judgedRun([]))
  const run = await judgedRun([level('p99', p99)])
  const prepared = prepareComparison([[run]], viewOf(''), () => null) ?? expect.fail('a run expected')
  const face = comparisonFace(prepared)
  expect(face.title).toBe(`${face.subject}: ${run.judgement?.sentence.replace(/\.$/, '')}`)
  expect(faceWords(face)).toContain(face.sentence)
  expect(face.chips.map(({ words }) => words)).toEqual(['Worse since 8de2d48', 'this run: as expected'])
  expect(face.basis).toMatch(
    /^p99 .*\. Its level rose from .* to .* at 8de2d48\. Expected before: .* by 40 runs; since: .* by 19 runs$/,
  )
  // The levels divide to the change that the sentence states.
  const [, from = '', to = ''] = /from ([\d.]+) to ([\d.]+)/.exec(face.basis) ?? []
  expect(Number(to) / Number(from)).toBeCloseTo(1.25, 2)
  expect(evidencePlotOf(prepared)?.id).toBe('levels')
})
