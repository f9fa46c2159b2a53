import { describe, expect, it } from 'vitest'
import type { Change, ChangeOrigin } from '@/lib/levels/change'
import { trendsOf, type KnownChanges, type SeriesChanges } from '@/lib/levels/trend'
import { minEffectOf, type Metric, findMetric } from '@/lib/run/metrics'
import type { SeriesHistory } from '@/lib/history/stored-series'
import { dayOf, noisy, profileOf } from '../detect/sample-profile'

const metricOf = (id: string): Metric => {
  const metric = findMetric(id)
  if (metric === null) throw new Error(id)
  return metric
}

/** Runs whose min, p99 and served requests follow these levels. */
function history(levels: readonly number[], isOfControl = false): SeriesHistory {
  const mins = noisy(levels, 0.02, 7)
  const profile = profileOf(noisy(levels, 0.02, 3))
  const points = profile.points.map((point, at) => ({
    ...point,
    isOfControl,
    figures: { ...point.figures, minMs: (mins[at] ?? 0) / 4, throughputPerSecond: 1e5 / (mins[at] ?? 1) },
  }))
  return { ...profile.series, points }
}

const stepAt = (night: number, factor: number) => Array.from({ length: 50 }, (_, at) => (at < night ? 40 : 40 * factor))

/** What an evaluation stored of p99. */
function changesOfP99(origin: ChangeOrigin | null, nights: readonly number[], rest: Partial<KnownChanges> = {}) {
  const changes = nights.map((night): Change => {
    const verdict = origin === null ? 'worse' : 'changed'
    const effect = { before: 40, after: 60, effectRatio: 0.5, effectLowRatio: 0.48, effectHighRatio: 0.52 }
    return { kind: 'step', verdict, ...effect, afterRunId: `run-${night}`, since: dayOf(night), origin }
  })
  return { p99: { sensitivity: 'balanced', minEffect: minEffectOf('p99'), changes, creep: null, ...rest } } as const
}

function changesOf(metricId: string, of: SeriesHistory, known: SeriesChanges[string]) {
  const profiles = trendsOf(of, metricOf('p99'), 100).trends.map(({ profile }) => [profile.name, known] as const)
  const [trend] = trendsOf(of, metricOf(metricId), 100, Object.fromEntries(profiles)).trends
  return (trend?.changes ?? []).map(({ verdict, origin }) => [verdict, origin])
}

describe('changes of a metric that no rule watches', () => {
  it('are of the environment where that of a watched one is, and of the commit where it is', () => {
    const of = history(stepAt(30, 1.5))
    expect(changesOf('min', of, changesOfP99('environment', [31]))).toEqual([['changed', 'environment']])
    expect(changesOf('throughput', of, changesOfP99('environment', [29]))).toEqual([['changed', 'environment']])
    expect(changesOf('min', of, changesOfP99(null, [31]))).toEqual([['worse', null]])
    expect(changesOf('min', of, {})).toEqual([['worse', null]])
  })

  it('are of their commit at another place, and in the other direction', () => {
    expect(changesOf('min', history(stepAt(30, 1.5)), changesOfP99('environment', [20]))).toEqual([['worse', null]])
    expect(changesOf('min', history(stepAt(30, 0.6)), changesOfP99('environment', [30]))).toEqual([['better', null]])
  })

  it('are parts of a drift while it lasts and after it ended', () => {
    const rise = Array.from({ length: 80 }, (_, at) => 40 * 1.6 ** Math.min(1, Math.max(0, (at - 30) / 40)))
    const creep = { afterRunId: 'run-30', since: dayOf(30), before: 40, after: 64, count: 50 }
    const lasting = changesOf('min', history(rise), changesOfP99('drift', [], { creep }))
    expect(lasting.length).toBeGreaterThan(0)
    for (const one of lasting) expect(one).toEqual(['changed', 'drift'])
    const ended = changesOf('min', history(rise), changesOfP99('drift', [36, 68]))
    expect(ended).toEqual(lasting)
  })

  it('are of a control, whatever is known', () => {
    expect(changesOf('min', history(stepAt(30, 1.5), true), {})).toEqual([['changed', 'control']])
  })
})
