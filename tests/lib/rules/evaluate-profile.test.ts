import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateProfile, type ProfileEvaluation, type WatchedChange } from '@/lib/rules/evaluate-profile'
import { alertSettings } from '@/lib/detect/change-points'
import { trackChanges, type TrackedChange } from '@/lib/levels/change-tracker'
import { figuresOf } from '@/lib/run/metrics'
import { profilesOf, type LoadProfile } from '@/lib/history/series'
import type { SeriesPoint } from '@/lib/history/stored-series'
import { sampleLatency, sampleRun } from '../../queries/samples'
import { caseCount } from '../../case-count'

/** A load profile whose runs have these p99s (ms), requests per second and error ratios, one run per day. */
function profileOf(
  p99s: readonly number[],
  fields: { rps?: readonly number[]; errors?: readonly number[] } = {},
): LoadProfile {
  const points = p99s.map((ms, at): SeriesPoint => {
    const run = sampleRun({
      latencies: [sampleLatency({ meanMs: null, quantiles: [{ q: 0.99, ms }] })],
      requestsPerSecond: fields.rps?.[at] ?? null,
    })
    const errorRatio = fields.errors?.[at] ?? null
    return {
      runId: `run-${at}`,
      uploadId: `upload-${at}`,
      orderedAt: new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString(),
      tool: 'hey',
      load: { kind: 'observed' },
      labels: {},
      guards: [],
      judgementBasis: null,
      figures: { ...figuresOf(run), requests: 10_000, errorRatio },
    }
  })
  const series = { id: 's', projectId: 'p', projectSlug: 'demo', scenario: 'S', variant: null, environment: null }
  const [profile] = profilesOf({ ...series, points })
  if (profile === undefined) throw new Error('no load profile')
  return profile
}

const steady = (count: number, ms: number) =>
  Array.from({ length: count }, (_, at) => ms * (1 + 0.01 * Math.sin(at * 2.4)))

/**
 * Evaluates after each run from the second on; alerts get the number of the evaluation. Fields of `lineOf` are cut to
 * the same length.
 */
function replay(p99s: readonly number[], fields: { rps?: readonly number[]; errors?: readonly number[] } = {}) {
  let watched: readonly WatchedChange[] = []
  const evaluations: ProfileEvaluation[] = []
  for (let count = 2; count <= p99s.length; count += 1) {
    const evaluation = evaluateProfile(profileOf(p99s.slice(0, count), fields), watched, { sensitivity: 'balanced' })
    const raised = new Set(evaluation.fresh.map((finding) => `${finding.metricId} ${finding.afterRunId}`))
    watched = evaluation.watched.map((one) =>
      raised.has(`${one.metricId} ${one.afterRunId}`) && one.alertId === null
        ? { ...one, alertId: `alert-${count}` }
        : one,
    )
    evaluations.push(evaluation)
  }
  return { evaluations, watched, raised: evaluations.flatMap((one) => one.fresh) }
}

describe('evaluating a load profile run by run', () => {
  it('raises one alert for a slower level, soon, and tracks it without repeating it', () => {
    const { evaluations, raised } = replay([...steady(20, 100), ...steady(15, 130)])
    expect(raised).toHaveLength(1)
    expect(raised[0]).toMatchObject({
      metricId: 'p99',
      seriesId: 's',
      profile: 'hey',
      beforeRunId: 'run-19',
      afterRunId: 'run-20',
      since: '2026-01-21T00:00:00.000Z',
    })
    expect(raised[0]?.before).toBeCloseTo(100, -1)
    expect(evaluations.findIndex((one) => one.fresh.length > 0) + 2).toBeLessThanOrEqual(23)
    expect(evaluations.at(-1)?.updated[0]?.finding.runsAfter).toBe(15)
    expect(evaluations.at(-1)?.updated[0]?.finding.weight).toBeGreaterThan(2)
  })

  it('raises none for a faster level, a spike, or noise', () => {
    expect(replay([...steady(20, 100), ...steady(15, 70)]).raised).toEqual([])
    expect(replay([...steady(20, 100), 300, ...steady(15, 100)]).raised).toEqual([])
    expect(replay(steady(60, 100)).raised).toEqual([])
  })

  it('fewer requests per second and more errors are worse, too', () => {
    const slow = [...steady(20, 1_000), ...steady(10, 800)]
    const { raised } = replay(steady(30, 100), { rps: slow })
    expect(raised.map((finding) => finding.metricId)).toEqual(['requests-per-second'])
    const failing = Array.from({ length: 30 }, (_, at) => (at < 20 ? 0.001 : 0.02))
    expect(replay(steady(30, 100), { errors: failing }).raised[0]).toMatchObject({
      metricId: 'error-ratio',
      before: 0.001,
      after: 0.02,
    })
    expect(replay(steady(30, 100), { errors: failing.map((share) => share / 10) }).raised).toEqual([])
  })

  it('recovers when a later change brings the old level back', () => {
    const { evaluations, raised } = replay([...steady(20, 100), ...steady(12, 130), ...steady(12, 100)])
    expect(raised).toHaveLength(1)
    expect(evaluations.flatMap((one) => one.ended).map(({ how }) => how)).toContain('recovered')
    expect(evaluations.slice(0, 25).flatMap((one) => one.ended)).toEqual([])
  })

  it('an old change in a history that arrives at once raises no alert', () => {
    const evaluation = evaluateProfile(profileOf([...steady(20, 100), ...steady(60, 130)]), [], {
      sensitivity: 'balanced',
    })
    expect(evaluation.fresh).toEqual([])
    expect(evaluation.watched).toMatchObject([{ metricId: 'p99', alertId: null, afterRunId: 'run-20' }])
  })

  it('auto-closes what three evaluations no longer find, once', () => {
    const { watched } = replay([...steady(20, 100), ...steady(5, 130)])
    const calm = profileOf([...steady(20, 100), ...steady(5, 100)])
    let known: readonly WatchedChange[] = watched
    const withdrawn: number[] = []
    for (let count = 0; count < 5; count += 1) {
      const result = evaluateProfile(calm, known, { sensitivity: 'balanced' })
      known = result.watched
      withdrawn.push(result.ended.filter(({ how }) => how === 'withdrawn').length)
    }
    expect(withdrawn).toEqual([0, 0, 1, 0, 0])
  })

  it('finds what the recorded tracker finds, whatever the series', () => {
    const level = fc.tuple(fc.integer({ min: 3, max: 25 }), fc.double({ min: 50, max: 200, noNaN: true }))
    const arbitrary = fc.tuple(fc.array(level, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 1_000 }))
    fc.assert(
      fc.property(arbitrary, ([levels, seed]) => {
        const values = levels.flatMap(([count, ms], part) =>
          Array.from({ length: count }, (_, at) => ms * (1 + 0.03 * Math.sin((at + part + seed) * 12.9898))),
        )
        const expected: number[] = []
        let known: readonly TrackedChange[] = []
        for (let count = 2; count <= values.length; count += 1) {
          const tracking = trackChanges(values.slice(0, count), known, { ...alertSettings, minEffect: 0.1 })
          known = tracking.tracked
          const news = tracking.fresh.filter((one) => one.direction === 'up' && count - one.change.index <= 30)
          expected.push(...news.map((one) => one.change.index))
        }
        expect(replay(values).raised.map((finding) => Number(finding.afterRunId.slice('run-'.length)))).toEqual(
          expected,
        )
      }),
      { numRuns: caseCount(20) },
    )
  })
})
