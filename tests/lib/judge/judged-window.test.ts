import { describe, expect, it } from 'vitest'
import { pointsBySteadyParts } from '@/lib/judge/judged-window'
import { judgementBases } from '@/lib/judge/judgement-basis'
import { barsOf } from '@/lib/rules/rule-events'
import type { SteadyPart } from '@/lib/run/run'
import { isOfThisVersion, versionOf } from '@/lib/run/judgement'
import type { SteadyState } from '@/lib/run/steady-part'
import { profileOf } from '../detect/sample-profile'

const part: SteadyPart = {
  fromMs: 2_000,
  requests: 500,
  errors: 0,
  servedPerSecond: 99,
  meanMs: 4,
  p50Ms: 3,
  p90Ms: 5,
  p95Ms: 6,
  p99Ms: 7,
  maxMs: 8,
}
const { points } = profileOf([20, 21, 22])
const withSteady = (states: readonly (SteadyState | null)[]) =>
  points.map((point, at) => ({ point, steady: states[at] ?? null }))

describe('a series by steady parts', () => {
  it('has the figures after the warm-up, and whole ones for a run that was always steady', () => {
    const [first, second] = pointsBySteadyParts(withSteady([{ part }, { part: null }]), new Set())
    expect(first).toMatchObject({
      judgedBy: 'steady',
      figures: { p99Ms: 7, throughputPerSecond: 99, requests: 10_000 },
    })
    // Based on the part's requests: p99 needs 1,000.
    expect(first?.guards).toMatchObject([{ code: 'few-for-tail', metricIds: ['p99'] }])
    expect(second).toMatchObject({ judgedBy: 'steady', figures: { p99Ms: 21 }, guards: [] })
  })

  it('uses whole runs if a run in the profile has no steady part', () => {
    const mixed = pointsBySteadyParts(withSteady([{ part }, null, { part }]), new Set(['hey']))
    expect(mixed.map(({ figures, judgedBy }) => [figures.p99Ms, judgedBy])).toEqual([
      [20, 'mixed'],
      [21, 'mixed'],
      [22, 'mixed'],
    ])
    expect(pointsBySteadyParts(withSteady([{ part }]), new Set(['wrk']))[0]?.judgedBy).toBe('steady')
  })

  it('does not judge the latency of a candidate that never becomes steady', () => {
    const [candidate] = pointsBySteadyParts(withSteady([null]), new Set())
    expect(candidate).toMatchObject({ judgedBy: 'unsteady', figures: { p99Ms: null, requests: 10_000 } })
  })

  it('is rejudged when the window changes, even if all of it is steady', () => {
    const profile = profileOf([20, 21, 22])
    const always = pointsBySteadyParts(withSteady([{ part: null }, { part: null }, { part: null }]), new Set())
    const [whole] = judgementBases(profile, [], [], 30).values()
    const [steady] = judgementBases({ ...profile, points: always }, [], [], 30).values()
    expect(steady).not.toBe(whole)
    expect([isOfThisVersion(whole ?? null), isOfThisVersion(whole ?? null, 'steady')]).toEqual([true, false])
    expect([isOfThisVersion(steady ?? null), isOfThisVersion(steady ?? null, 'steady')]).toEqual([false, true])
    expect(isOfThisVersion(versionOf('mixed'), 'steady')).toBe(true)
  })

  it('is compared only with the steady part of a baseline', () => {
    const profile = profileOf([20])
    const steady = { ...profile, points: pointsBySteadyParts(withSteady([{ part }]), new Set()) }
    const figures = profile.points[0]?.figures
    if (figures === undefined) throw new Error('a run')
    const [kind, direction, leastEffectRatio] = ['baseline', 'worse', 0.1] as const
    const rule = { kind, runIds: ['b'], metricIds: ['p99'], direction, leastEffectRatio, confirmRuns: 1 }
    const base = { runId: 'b', scenario: 'S', environment: null, isMarked: false, profile: 'hey', figures }
    const expected = (reference: Parameters<typeof barsOf>[2], of = steady) =>
      barsOf(rule, of, reference).map((bar) => bar.expected)
    expect(expected([{ ...base, steadyFigures: { ...figures, p99Ms: 7 } }])).toEqual([7])
    expect(expected([base])).toEqual([])
    expect(expected([{ ...base, steadyFigures: { ...figures, p99Ms: 7 } }], profile)).toEqual([20])
  })
})
