import type { StoredRun } from '@/lib/history/stored-runs'
import { sinceWords, statedLevels, type MetricJudgement, type StatedLevel } from '@/lib/run/judgement'
import { defaultMetric, findMetric, percentiles } from '@/lib/run/metrics'
import { prepareExpectedLevels } from '../../charts/expected-levels'
import { fanRunOf, prepareFan, type ExpectedPoint, type FanGroup, type FanRun } from '../../charts/fan'
import type { Prepared } from '../../charts/plot/model'
import { judgedFigureWords } from './run-figures'

/**
 * The charts of what a verdict rests on, from the stored judgement alone: levels and expected ranges, and no other run
 * of the series, which those who see a share may not see.
 */

/** The judgement of the metric that the verdict is about, else of the default one; null: none states a level. */
export function leadingMetric({ judgement }: Pick<StoredRun, 'judgement'>): MetricJudgement | null {
  const stated = (judgement?.metrics ?? []).filter((one) => statedLevels(one).length > 0)
  const of = (id: string | null) => stated.find(({ metricId }) => metricId === id)
  return of(judgement?.metricId ?? null) ?? of(defaultMetric.id) ?? stated[0] ?? null
}

/** The run in the levels of its leading metric, before and since a change; null: no level is stated. */
export function preparePlaceInLevels(run: StoredRun): Prepared | null {
  const judged = leadingMetric(run)
  const metric = findMetric(judged?.metricId ?? '')
  if (judged === null || metric === null) return null
  const { change, value } = judged
  const state = run.judgement?.state ?? null
  return prepareExpectedLevels({
    ...{ id: 'levels', metric, levels: statedLevels(judged), change, value, state },
    orderedAt: run.orderedAt,
  })
}

/** The run by percentile on the expected ranges of its levels; null: no percentile has one. */
export function prepareExpectedFan(run: StoredRun): Prepared | null {
  const own = judgedFigureWords(run)
  const known = percentiles.flatMap(({ id, q }) => {
    const judged = run.judgement?.metrics.find(({ metricId }) => metricId === id)
    return judged === undefined || statedLevels(judged).length === 0 ? [] : [{ q, judged }]
  })
  if (known.length === 0) return null
  const pointsOf = (of: StatedLevel['of']): readonly ExpectedPoint[] =>
    known.flatMap(({ q, judged }) => {
      const stated = statedLevels(judged).find((one) => one.of === of)
      return stated === undefined ? [] : [{ q, low: stated.low, level: stated.level, high: stated.high }]
    })
  const group = (name: string, expected: readonly ExpectedPoint[]): FanGroup => ({ name, runs: [], expected })
  const since = pointsOf('since')
  const change = known.find(({ judged }) => judged.change !== null)?.judged.change ?? null
  // Levels that did not change hold before and since.
  const older = [...pointsOf('own'), ...pointsOf('before')]
  return prepareFan({
    id: 'fan',
    title: own === null ? 'This run by percentile' : `${own} by percentile`,
    past: group(since.length > 0 ? 'before' : '', older),
    since: since.length === 0 || change === null ? null : group(`since ${sinceWords(change)}`, since),
    run: { ...drawnRun(run, known), name: own === null ? 'this run' : own.toLowerCase() },
    state: run.judgement?.state ?? null,
  })
}

/** The percentiles that have a range: the run's own or, if others are judged (a median of repeats, its steady part), those. */
function drawnRun(run: StoredRun, known: readonly { readonly q: number; readonly judged: MetricJudgement }[]): FanRun {
  const own = fanRunOf(run)
  const isOwn = judgedFigureWords(run) === null
  const quantiles = known.flatMap(({ q, judged: { value } }) => {
    const ms = isOwn ? own.quantiles.find((one) => one.q === q)?.ms : value
    return ms === undefined ? [] : [{ q, ms }]
  })
  return { ...own, quantiles }
}
