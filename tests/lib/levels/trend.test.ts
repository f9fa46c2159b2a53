import { expect, it } from 'vitest'
import { findMetric, type Metric, type RunFigures } from '@/lib/run/metrics'
import { profilesOf, profileTitle, profileName, type LoadProfile } from '@/lib/history/series'
import type { SeriesHistory, SeriesPoint } from '@/lib/history/stored-series'
import { historySettings } from '@/lib/detect/change-points'
import { findChanges } from '@/lib/levels/change'
import { trendPoints } from '@/lib/levels/points'
import { noiseWord, trendOf } from '@/lib/levels/trend'

const blank = Object.fromEntries(
  ['requests', 'requestsPerSecond', 'p99Ms', 'p50Ms', 'errorRatio', 'successRatio'].map((key) => [key, null]),
) as unknown as RunFigures

const metricOf = (id: string): Metric => {
  const metric = findMetric(id)
  if (metric === null) throw new Error(id)
  return metric
}
const p99 = metricOf('p99')

function point(at: number, figures: Partial<RunFigures>, fields: Partial<SeriesPoint> = {}): SeriesPoint {
  return {
    runId: `run-${at}`,
    uploadId: `upload-${at}`,
    orderedAt: new Date(Date.UTC(2025, 0, 1) + at * 86_400_000).toISOString(),
    tool: 'hey',
    load: { kind: 'closed', connections: 100 },
    labels: {},
    guards: [],
    judgementBasis: null,
    figures: { ...blank, ...figures },
    ...fields,
  }
}

const history = (points: readonly SeriesPoint[]): SeriesHistory => ({
  id: 's',
  projectId: 'p',
  projectSlug: 'demo',
  scenario: 'GET /ping',
  variant: 'direct',
  environment: null,
  points,
})

const lineOf = (points: readonly SeriesPoint[]) => {
  const [profile] = profilesOf(history(points))
  if (profile === undefined) throw new Error('no load profile')
  return profile
}

const trendFound = (profile: LoadProfile, metric: Metric) =>
  trendOf(profile, metric, { settings: historySettings, changes: findChanges(profile, metric, historySettings) })

/** Steady within ±1 %, then a step. */
const stepped = (count: number, from: number, factor: number) =>
  Array.from({ length: count }, (_, at) =>
    point(at, { p99Ms: 100 * (1 + 0.01 * Math.sin(at * 2.4)) * (at < from ? 1 : factor) }),
  )

it('a step of a latency is a change for the worse, with its levels and the runs on either side', () => {
  const trend = trendFound(lineOf(stepped(30, 20, 1.3)), p99)
  expect(trend.changes).toHaveLength(1)
  const [change] = trend.changes
  expect(change).toMatchObject({ at: 20, verdict: 'worse', beforeRunId: 'run-19', afterRunId: 'run-20' })
  expect(change?.effectRatio).toBeCloseTo(0.3, 1)
  expect(change?.before).toBeCloseTo(100, -1)
  expect(trend.level).toMatchObject({ from: 20 })
  expect(trend.level?.value).toBeCloseTo(130, -1)
  expect(trend.noiseRatio).toBeGreaterThan(0.003)
  expect(trend.noiseRatio).toBeLessThan(0.02)
  expect(trend.visibleRatio).toBeGreaterThan(0.01)
  expect(trend.visibleRatio).toBeLessThan(0.12)
})

it('a faster level is better, and a neutral metric has only changed', () => {
  expect(trendFound(lineOf(stepped(30, 20, 0.7)), p99).changes.map((one) => one.verdict)).toEqual(['better'])
  const requests = stepped(30, 20, 2).map((one) => ({ ...one, figures: { ...blank, requests: one.figures.p99Ms } }))
  expect(trendFound(lineOf(requests), metricOf('requests')).changes.map((one) => one.verdict)).toEqual(['changed'])
})

it('reports nothing for a short history, and keeps gaps', () => {
  const trend = trendFound(lineOf([point(0, { p99Ms: 1 }), point(1, {}), point(2, { p99Ms: 2 })]), p99)
  expect(trend).toMatchObject({ changes: [], level: null, noiseRatio: null, visibleRatio: null })
  expect(trend.points.map((one) => one.value)).toEqual([1, null, 2])
})

it('positions of changes include the gaps before them', () => {
  const points = stepped(30, 20, 1.5).map((one, at) => (at === 3 ? point(3, {}) : one))
  expect(trendFound(lineOf(points), p99).changes.map((one) => one.at)).toEqual([20])
})

it('error rates must move by half a point, whatever their ratio', () => {
  const rates = (after: number) =>
    Array.from({ length: 30 }, (_, at) => point(at, { requests: 100_000, errorRatio: at < 20 ? 0 : after }))
  expect(trendFound(lineOf(rates(0.004)), metricOf('error-ratio')).changes).toEqual([])
  expect(trendFound(lineOf(rates(0.02)), metricOf('error-ratio')).changes).toMatchObject([{ at: 20, verdict: 'worse' }])
})

it('repeats of a commit, or of one upload and hour, are one point with their spread', () => {
  const commit = (at: number, sha: string, ms: number) => point(at, { p99Ms: ms }, { labels: { commit: sha } })
  const trend = trendPoints(lineOf([commit(0, 'a', 3), commit(1, 'a', 1), commit(2, 'a', 2), commit(3, 'b', 9)]), p99)
  expect(trend.map(({ value, low, high }) => [value, low, high])).toEqual([
    [2, 1, 3],
    [9, 9, 9],
  ])
  expect(trend[0]?.runIds).toEqual(['run-0', 'run-1', 'run-2'])
  const same = { uploadId: 'u', orderedAt: '2025-01-01T00:00:00.000Z' }
  expect(trendPoints(lineOf([point(0, { p99Ms: 1 }, same), point(1, { p99Ms: 3 }, same)]), p99)).toHaveLength(1)
  const document = [point(0, { p99Ms: 1 }, { uploadId: 'u' }), point(1, { p99Ms: 3 }, { uploadId: 'u' })]
  expect(trendPoints(lineOf(document), p99)).toHaveLength(2)
})

it('another load is a separate load profile', () => {
  const fast = { tool: 'vegeta', load: { kind: 'open', ratePerSecond: 2_000 } } as const
  const profiles = profilesOf(history([point(0, { p99Ms: 1 }), point(1, { p99Ms: 9 }, fast), point(2, { p99Ms: 1 })]))
  expect(profiles.map((profile) => [profile.name, profile.points.length])).toEqual([
    ['hey · 100 connections', 2],
    [profileName(fast.tool, fast.load), 1],
  ])
  expect(profiles.map((profile) => profileTitle(profile, true))[0]).toBe('direct · hey · 100 connections')
})

it('noise has a word', () => {
  expect([0.01, 0.03, 0.1, 0.3].map(noiseWord)).toEqual(['quiet', 'normal', 'noisy', 'very noisy'])
})

it('the levels of a change match its effect, whatever the runs', () => {
  for (const size of [0.7, 1.1, 1.8])
    for (const noise of [0.01, 0.05]) {
      const values = Array.from(
        { length: 60 },
        (_, at) =>
          (at < 35 ? 40 : 40 * size) *
          Math.exp((noise * Math.sin(at * 2.4) * (1 + (at % 7))) / 4) *
          (at % 19 === 3 ? 1.5 : 1),
      )
      const points = values.map((p99Ms, at) => point(at, { p99Ms }))
      const [profile] = profilesOf(history(points))
      const changes = profile === undefined ? [] : findChanges(profile, p99, historySettings)
      for (const { before, after, effectRatio } of changes) expect(after / before - 1).toBeCloseTo(effectRatio, 9)
      if (size !== 1.1) expect(changes.length).toBeGreaterThan(0)
    }
})
