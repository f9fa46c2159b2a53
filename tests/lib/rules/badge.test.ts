import { expect, it } from 'vitest'
import type { AlertFinding } from '@/lib/rules/evaluate-line'
import { badgeFace } from '@/lib/rules/badge'
import type { RunFigures } from '@/lib/run/metrics'
import type { SeriesHistory } from '@/lib/run/stored'
import type { AlertRow } from '@/lib/rules/stored-alerts'

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
    figures: { p99Ms: value, p90Ms: value } as unknown as RunFigures,
  })),
})

const told = (finding: Partial<AlertFinding>): readonly AlertRow[] => [
  {
    findings: [{ seriesId: 's', profile: 'hey · 100 connections', metricId: 'p99', ...finding }],
  } as unknown as AlertRow,
]

const badge = { label: 'ping', metricId: 'p99' }
const steady = history([10, 11, 10, 11, 12.25])

it('tells the newest figure of at least five runs', () => {
  expect(badgeFace(badge, steady, [])).toEqual({ label: 'ping', value: '12.3\u00a0ms', state: 'stable' })
  expect(badgeFace(badge, history([10, 11, 10, 12]), [])).toMatchObject({ state: 'few runs' })
  expect(badgeFace(badge, history([]), [])).toEqual({ label: 'ping', value: null, state: 'no runs' })
})
it('passes over runs without the figure, and invents none', () => {
  expect(badgeFace(badge, history([10, 11, null]), [])).toMatchObject({ value: '11.0\u00a0ms', state: 'few runs' })
  expect(badgeFace(badge, history([null, null]), [])).toMatchObject({ value: null, state: 'no runs' })
})
it('is regressed while a live alert tells of this metric of the profile that ran last', () => {
  expect(badgeFace(badge, steady, told({}))).toMatchObject({ state: 'regressed' })
  expect(badgeFace(badge, steady, told({ metricId: 'p50' }))).toMatchObject({ state: 'stable' })
  expect(badgeFace(badge, steady, told({ seriesId: 'other' }))).toMatchObject({ state: 'stable' })
  expect(badgeFace(badge, steady, told({ profile: 'hey · 50 connections' }))).toMatchObject({ state: 'stable' })
})
it('a metric that raises no alerts is regressed when any of its profile did', () => {
  expect(badgeFace({ label: 'ping', metricId: 'p90' }, steady, told({}))).toMatchObject({ state: 'regressed' })
})
