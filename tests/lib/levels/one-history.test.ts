import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { trendsOf } from '@/lib/levels/trend'
import { eachFigure, findMetric } from '@/lib/run/metrics'
import { profilesOf } from '@/lib/history/series'
import type { SeriesHistory } from '@/lib/history/stored-series'
import { evaluateProfile } from '@/lib/rules/evaluate-profile'

const labelled = z
  .array(z.object({ id: z.string(), values: z.array(z.number()) }))
  .parse(JSON.parse(readFileSync('tests/fixtures/change-points/synthetic.json', 'utf8')))
const shownRuns = 100

function historyOf(id: string, values: readonly number[]): SeriesHistory {
  const points = values.map((value, at) => ({
    runId: `run-${at}`,
    uploadId: `upload-${at}`,
    orderedAt: new Date(Date.UTC(2025, 0, 1) + at * 86_400_000).toISOString(),
    tool: 'hey' as const,
    load: { kind: 'closed', connections: 100 } as const,
    labels: {},
    guards: [],
    judgementBasis: null,
    figures: eachFigure((metric) => (metric.id === 'p99' ? value : null)),
  }))
  return { id, projectId: 'p', projectSlug: 'demo', scenario: 'ping', variant: 'a', environment: null, points }
}

/** Where the evaluation, which alerts, judgements and the gate read, finds changes of p99 after the newest run. */
function evaluatedChanges(history: SeriesHistory): readonly string[] {
  const evaluate = (points: SeriesHistory['points'], watched: Parameters<typeof evaluateProfile>[1]) => {
    const [profile] = profilesOf({ ...history, points })
    if (profile === undefined) throw new Error('a profile')
    return evaluateProfile(profile, watched, { sensitivity: 'balanced' })
  }
  const earlier = evaluate(history.points.slice(0, -3), [])
  const track = evaluate(history.points, earlier.watched).tracks.find(({ metric }) => metric.id === 'p99')
  return (track?.changes ?? []).flatMap((one) => (one.isFound && one.verdict !== null ? [one.afterRunId] : []))
}

it('trends show the changes and the current level of the evaluation, in all labelled series', () => {
  const p99 = findMetric('p99')
  if (p99 === null) throw new Error('p99')
  expect(labelled.length).toBeGreaterThan(100)
  const differing = labelled.flatMap(({ id, values }) => {
    const history = historyOf(id, values)
    const [trend] = trendsOf(history, p99, shownRuns).trends
    const all = evaluatedChanges(history)
    const shown = new Set(history.points.slice(-shownRuns).map(({ runId }) => runId))
    const current = all.at(-1)
    const from = current !== undefined && shown.has(current) ? current : [...shown][0]
    const isSame =
      trend?.points.length === shown.size &&
      JSON.stringify(trend.changes.map((one) => one.afterRunId)) ===
        JSON.stringify(all.filter((runId) => shown.has(runId))) &&
      (trend.level === null || trend.points[trend.level.from]?.runIds[0] === from)
    return isSame ? [] : [id]
  })
  expect(differing).toEqual([])
})
