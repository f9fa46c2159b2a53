import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../lib/export/csv'
import { runListRows } from '../../../lib/export/runs-csv'
import { figuresOf, metrics } from '../../../lib/run/metrics'
import type { RunRow } from '../../../lib/history/stored-runs'
import { sampleRun } from '../../queries/samples'

const at = '2026-11-21T00:00:00.000Z'
const run = (id: string, over: Partial<RunRow>): RunRow => ({
  ...{ id, scenario: 'GET /', variant: null, environment: null, labels: {}, projectId: 'p', projectSlug: 'p' },
  ...{ uploadId: 'u', seriesId: 's', indexInUpload: 0, tool: 'hey', form: 'hey-text', load: { kind: 'observed' } },
  ...{ startedAt: null, startedAtSource: null, uploadedAt: at, orderedAt: at, complete: true, candidate: false },
  ...{ guards: [], judged: null, warnings: [], figures: figuresOf(sampleRun()) },
  ...over,
})

describe('a list of runs as CSV', () => {
  const some = metrics.filter(({ id }) => id === 'p99' || id === 'requests-per-second')
  const figures = { ...figuresOf(sampleRun()), p99Ms: 59.6, requestsPerSecond: null }

  it('has unrounded figures under names with their units, empty gaps, and a column per label', () => {
    const judged = { state: 'unusual', sentence: 'p99 is 12 % above, once' } as const
    const rows = [run('a', { figures, labels: { commit: 'f3a' }, judged }), run('b', { variant: 'node22', figures })]
    expect(runListRows(rows, some)).toEqual([
      [
        ...['id', 'time', 'scenario', 'variant', 'environment', 'tool', 'state', 'judgement'],
        ...['requests_per_second', 'p99_ms', 'label:commit'],
      ],
      ['a', at, 'GET /', null, null, 'hey', 'unusual', 'p99 is 12 % above, once', null, 59.6, 'f3a'],
      ['b', at, 'GET /', 'node22', null, 'hey', null, null, null, 59.6, null],
    ])
  })
  it('gives spreadsheets no formula', () => {
    const rows = runListRows([run('a', { scenario: '=1+1', labels: { '=x': '@y' } })], [])
    expect(toCsv(rows)).toContain("'=1+1")
    expect(toCsv(rows)).toContain("'@y")
  })
})
