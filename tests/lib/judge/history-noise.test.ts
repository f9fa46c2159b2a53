import { expect, it } from 'vitest'
import {
  freezeNoise,
  noiseAsFrozen,
  noiseOfSeries,
  packNoise,
  seriesNoiseOf,
  stepAsFrozen,
  unpackNoise,
} from '@/lib/judge/history-noise'
import { figuresOf, findMetric } from '@/lib/run/metrics'
import type { SeriesHistory } from '@/lib/history/stored-series'
import { stepNoise } from '@/lib/detect/series-noise'
import { sampleRun } from '../../queries/samples'

const p99 = findMetric('p99') ?? expect.fail('no p99')
const load = { kind: 'open', ratePerSecond: 100 } as const
const run = { id: 'run', seriesId: 'series', tool: 'vegeta', load } as const

/** What is known about a series, built the way it is stored. */
const noiseIn = (history: SeriesHistory) => {
  const { seriesId, byProfile } = seriesNoiseOf(history)
  expect(unpackNoise(seriesId, packNoise(byProfile)).byProfile).toEqual(byProfile)
  return noiseOfSeries([unpackNoise(seriesId, packNoise(byProfile))])
}

function historyOf(values: readonly number[]): SeriesHistory {
  return {
    id: 'series',
    projectId: 'project',
    projectSlug: 'p',
    scenario: 's',
    variant: null,
    environment: null,
    points: values.map((p99Ms, at) => ({
      runId: String(at),
      uploadId: String(at),
      orderedAt: new Date(Date.UTC(2026, 10, 1, at)).toISOString(),
      labels: {},
      tool: 'vegeta',
      load,
      guards: [],
      judgementBasis: null,
      figures: { ...figuresOf(sampleRun()), p99Ms },
    })),
  }
}

it('separates the noise of neighbours from the wander of a level', () => {
  // ln 1.1 up, then down again: each step is 0.0953 / √2.
  expect(stepNoise([Float64Array.of(0, 0.0953, 0)], 1)).toBeCloseTo(0.0953 / Math.SQRT2, 4)
  expect(stepNoise([Float64Array.of(0.2)], 0.03)).toBe(0.03)
  const wander = Array.from({ length: 40 }, (_, at) => 100 * (1 + 0.1 * Math.sin(at / 6)))
  const noise = noiseIn(historyOf(wander))([run], p99)
  expect(noise?.runs).toBe(40)
  expect(noise?.sdStep).toBeLessThan((noise?.sdLog ?? 0) / 2)
  expect(noiseIn(historyOf(wander.slice(0, 4)))([run], p99)).toBeNull()
  expect(noiseOfSeries([])([run], p99)).toBeNull()
})

it('accounts for a run being noisier than the median of its repeats', () => {
  // Experiments of three runs at 97, 100 and 103: their medians hardly differ.
  const values = Array.from({ length: 36 }, (_, at) => [97, 100, 103][at % 3] ?? 0)
  const single = historyOf(values)
  const points = single.points.map((point, at) => ({ ...point, labels: { commit: String(Math.floor(at / 3)) } }))
  const noise = noiseIn({ ...single, points })([run], p99)
  expect(noise?.runs).toBe(12)
  // Steps of 3, 3 and 6 % in turn: √((2 · 0.03² + 0.06²) / 3 / 2) = 3 %.
  expect(noise?.sdStep).toBeCloseTo(0.03, 2)
  expect(noise?.sdLog).toBeGreaterThan(0.02)
})

it('is frozen completely, and read even if it was frozen by an earlier version', () => {
  const noises = [seriesNoiseOf(historyOf(Array.from({ length: 12 }, (_, at) => 100 + (at % 3))))]
  const frozen = freezeNoise([[run]], noises)
  expect(noiseAsFrozen(frozen)([run], p99)).toEqual(noiseOfSeries(noises)([run], p99))
  const old = [{ runId: 'run', metricId: 'p99', noiseRatio: 0.04 }]
  expect(noiseAsFrozen(old)([run], p99)).toEqual({ runs: 60, sdLog: 0.04, sdStep: 0.04, maxStepLog: null })
  expect(noiseAsFrozen(old)([{ id: 'other' }], p99)).toBeNull()
})

it("keeps an alert's finding about the step to a side, even if the noise is unknown", () => {
  const step = { verdict: 'worse', effectRatio: 0.2, lowRatio: 0.1, highRatio: 0.3, p: 0.001 } as const
  const after = { ...run, id: 'after' }
  const frozen = freezeNoise([[run], [after]], [], (_base, _side, metric) => (metric === p99 ? step : null))
  const [kept, ...others] = frozen
  expect(kept).toMatchObject({ runId: 'after', metricId: 'p99', noiseRatio: null, step })
  expect(others).toEqual([])
  expect(stepAsFrozen(frozen)([run], [after], p99)).toEqual(step)
  expect(stepAsFrozen(frozen)([after], [run], p99)).toBeNull()
  expect(noiseAsFrozen(frozen)([after], p99)).toBeNull()
})
