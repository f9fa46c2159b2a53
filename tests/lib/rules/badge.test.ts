import { expect, it } from 'vitest'
import { badgeFace, newestRunOf } from '@/lib/rules/badge'
import type { MetricJudgement, RunJudgement } from '@/lib/run/judgement'
import type { RunFigures } from '@/lib/run/metrics'
import type { SeriesHistory } from '@/lib/history/stored-series'

const history = (values: readonly (number | null)[], connections = 100): SeriesHistory => ({
  id: 's',
  projectId: 'p',
  projectSlug: 'demo',
  scenario: 'GET /ping',
  variant: null,
  environment: null,
  points: values.map((value, at) => ({
    runId: `run-${at}`,
    uploadId: `upload-${at}`,
    orderedAt: new Date(Date.UTC(2025, 0, 1 + at)).toISOString(),
    tool: 'hey',
    load: { kind: 'closed', connections },
    labels: {},
    guards: [],
    judgementBasis: null,
    figures: { p99Ms: value, p90Ms: value } as unknown as RunFigures,
  })),
})

const said = (state: RunJudgement['state'], metrics: readonly Partial<MetricJudgement>[] = []): RunJudgement =>
  ({
    state,
    metrics: metrics.map((one) => ({ metricId: 'p99', state: 'as-expected', ...one })),
  }) as unknown as RunJudgement

const badge = { label: 'ping', metricId: 'p99' }
const steady = history([10, 11, 10, 11, 12.25])

it('shows the newest figure and its judgement', () => {
  const face = { label: 'ping', value: '12.3\u00a0ms' }
  expect(badgeFace(badge, steady, said('as-expected', [{}]))).toEqual({ ...face, state: 'as-expected' })
  expect(badgeFace(badge, steady, said('worse', [{ state: 'worse' }]))).toEqual({ ...face, state: 'worse' })
  expect(badgeFace(badge, steady, null)).toEqual({ ...face, state: 'not-judged' })
  expect(newestRunOf('p99', steady)).toBe('run-4')
})
it('skips runs without the figure, and invents none', () => {
  expect(badgeFace(badge, history([10, 11, null]), null)).toMatchObject({ value: '11.0\u00a0ms' })
  expect(newestRunOf('p99', history([10, 11, null]))).toBe('run-1')
  expect(badgeFace(badge, history([null, null]), null)).toMatchObject({ value: null, state: 'no-runs' })
  expect(badgeFace(badge, history([]), null)).toEqual({ label: 'ping', value: null, state: 'no-runs' })
})
it('shows the judgement of its metric, or of the run if the run fails or the metric is not judged', () => {
  const of = (judgement: RunJudgement) => badgeFace(badge, steady, judgement).state
  expect(of(said('worse', [{ metricId: 'p50', state: 'worse' }, {}]))).toBe('as-expected')
  expect(of(said('failing', [{}]))).toBe('failing')
  expect(of(said('worse', [{ metricId: 'p50', state: 'worse' }]))).toBe('worse')
  expect(of(said('failing', [{ state: 'barred' }]))).toBe('failing')
})
