import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookAtLine, type LineLook, type WatchedChange } from '@/lib/rules/alerts'
import { alertSettings } from '@/lib/detect/change-points'
import { lookAgain, type TrackedChange } from '@/lib/detect/change-tracker'
import { figuresOf } from '@/lib/run/figures'
import { linesOf, type SeriesLine } from '@/lib/run/series'
import type { SeriesPoint } from '@/lib/run/stored'
import { sampleLatency, sampleRun } from '../../queries/samples'

/** A line whose runs have these p99s (ms), requests per second and shares of errors, one run a day. */
function lineOf(
  p99s: readonly number[],
  fields: { rps?: readonly number[]; errors?: readonly number[] } = {},
): SeriesLine {
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
      figures: { ...figuresOf(run), requests: 10_000, errorRatio },
    }
  })
  const series = { id: 's', projectId: 'p', projectSlug: 'demo', scenario: 'S', variant: null, environment: null }
  const [line] = linesOf({ ...series, points })
  if (line === undefined) throw new Error('no line')
  return line
}

const steady = (count: number, ms: number) =>
  Array.from({ length: count }, (_, at) => ms * (1 + 0.01 * Math.sin(at * 2.4)))

/** Looks after each run from the second on; alerts get the number of the look. Fields of `lineOf` are cut alike. */
function replay(p99s: readonly number[], fields: { rps?: readonly number[]; errors?: readonly number[] } = {}) {
  let watched: readonly WatchedChange[] = []
  const looks: LineLook[] = []
  for (let count = 2; count <= p99s.length; count += 1) {
    const look = lookAtLine(lineOf(p99s.slice(0, count), fields), watched, { sensitivity: 'balanced' })
    const raised = new Set(look.fresh.map(({ finding }) => `${finding.metricId} ${finding.afterRunId}`))
    watched = look.watched.map((one) =>
      raised.has(`${one.metricId} ${one.afterRunId}`) && one.alertId === null
        ? { ...one, alertId: `alert-${count}` }
        : one,
    )
    looks.push(look)
  }
  return { looks, watched, raised: looks.flatMap((look) => look.fresh) }
}

describe('looking at a line run by run', () => {
  it('raises one alert for a slower level, soon, and follows it without repeating it', () => {
    const { looks, raised } = replay([...steady(20, 100), ...steady(15, 130)])
    expect(raised).toHaveLength(1)
    expect(raised[0]?.finding).toMatchObject({
      metricId: 'p99',
      seriesId: 's',
      profile: 'hey',
      beforeRunId: 'run-19',
      afterRunId: 'run-20',
      since: '2026-01-21T00:00:00.000Z',
    })
    expect(raised[0]?.finding.before).toBeCloseTo(100, -1)
    expect(looks.findIndex((look) => look.fresh.length > 0) + 2).toBeLessThanOrEqual(23)
    expect(looks.at(-1)?.updated[0]?.finding.runsAfter).toBe(15)
    expect(looks.at(-1)?.updated[0]?.finding.weight).toBeGreaterThan(2)
  })

  it('raises none for a faster level, a spike, or noise', () => {
    expect(replay([...steady(20, 100), ...steady(15, 70)]).raised).toEqual([])
    expect(replay([...steady(20, 100), 300, ...steady(15, 100)]).raised).toEqual([])
    expect(replay(steady(60, 100)).raised).toEqual([])
  })

  it('fewer requests per second and more errors are worse, too', () => {
    const slow = [...steady(20, 1_000), ...steady(10, 800)]
    const { raised } = replay(steady(30, 100), { rps: slow })
    expect(raised.map(({ finding }) => finding.metricId)).toEqual(['requests-per-second'])
    const failing = Array.from({ length: 30 }, (_, at) => (at < 20 ? 0.001 : 0.02))
    expect(replay(steady(30, 100), { errors: failing }).raised[0]?.finding).toMatchObject({
      metricId: 'error-ratio',
      before: 0.001,
      after: 0.02,
    })
    expect(replay(steady(30, 100), { errors: failing.map((share) => share / 10) }).raised).toEqual([])
  })

  it('recovers when a later change brings the old level back', () => {
    const { looks, raised } = replay([...steady(20, 100), ...steady(12, 130), ...steady(12, 100)])
    expect(raised).toHaveLength(1)
    expect(looks.flatMap((look) => look.recovered).length).toBeGreaterThan(0)
    expect(looks.slice(0, 25).flatMap((look) => look.recovered)).toEqual([])
  })

  it('an old change in a history that comes at once alerts nobody', () => {
    const look = lookAtLine(lineOf([...steady(20, 100), ...steady(60, 130)]), [], { sensitivity: 'balanced' })
    expect(look.fresh).toEqual([])
    expect(look.watched).toMatchObject([{ metricId: 'p99', alertId: null, afterRunId: 'run-20' }])
  })

  it('withdraws what three looks no longer find, once', () => {
    const { watched } = replay([...steady(20, 100), ...steady(5, 130)])
    const calm = lineOf([...steady(20, 100), ...steady(5, 100)])
    let known: readonly WatchedChange[] = watched
    const withdrawn: string[][] = []
    for (let look = 0; look < 5; look += 1) {
      const result = lookAtLine(calm, known, { sensitivity: 'balanced' })
      known = result.watched
      withdrawn.push([...result.withdrawn])
    }
    expect(withdrawn.map((ids) => ids.length)).toEqual([0, 0, 1, 0, 0])
  })

  it('finds what the measured tracker finds, whatever the series', () => {
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
          const look = lookAgain(values.slice(0, count), known, { ...alertSettings, leastEffect: 0.1 })
          known = look.tracked
          const news = look.fresh.filter((one) => one.direction === 'up' && count - one.change.index <= 30)
          expected.push(...news.map((one) => one.change.index))
        }
        expect(replay(values).raised.map(({ at }) => at)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})
