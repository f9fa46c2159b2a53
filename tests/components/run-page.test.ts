import { describe, expect, it } from 'vitest'
import { compareWithBefore, levelHistoryOf, prepareRunFan, prepareSeriesStrip } from '@/components/run/level-history'
import { allFigures, keyFigures } from '@/components/run/run-figures'
import { unsaidRemarks } from '@/components/run/run-remarks'
import type { MetricJudgement, RunJudgement } from '@/lib/run/judgement'
import type { PastRun } from '@/lib/run/neighbours'
import type { StoredRun } from '@/lib/run/stored'
import { runsOf } from '../read-fixture'
import { storedDocument, storedRun } from '../stored-runs'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

function metric(metricId: string, more: Partial<MetricJudgement>): MetricJudgement {
  return {
    metricId,
    state: 'as-expected',
    side: null,
    value: 0,
    level: null,
    expectedLow: null,
    expectedHigh: null,
    effectRatio: null,
    effectLowRatio: null,
    effectHighRatio: null,
    noiseRatio: null,
    outside: 0,
    before: 20,
    change: null,
    ...more,
  }
}

function judged(run: StoredRun, state: RunJudgement['state'], metrics: readonly MetricJudgement[]): StoredRun {
  const judgement: RunJudgement = {
    version: 'run-2',
    state,
    metricId: metrics[0]?.metricId ?? null,
    sentence: 'Said.',
    runs: 1,
    judgedBy: 'whole',
    failedRatio: null,
    failedCount: null,
    guards: [],
    metrics,
  }
  return { ...run, judgement }
}

async function pastAndRun(count: number) {
  const [run] = (await storedDocument('zlib-gzip')).runs
  if (run === undefined) throw new Error('a run expected')
  const past = Array.from({ length: count }, (_, at): PastRun => {
    const orderedAt = new Date(Date.UTC(2019, 0, 1 + at)).toISOString()
    const { tool, load, figures } = run
    return { id: `past-${at}`, uploadId: `u-${at}`, orderedAt, tool, load, figures, state: 'as-expected' }
  })
  return { run, past }
}

describe('the runs that a run is held against', () => {
  it('are as many of its tool and load as the judgement says', async () => {
    const { run, past } = await pastAndRun(30)
    const unusual = judged(run, 'unusual', [metric('p99', { state: 'unusual', side: 'worse', before: 12 })])
    const others = past.slice(-1).map((one): PastRun => ({ ...one, load: { kind: 'closed', connections: 3 } }))
    const history = levelHistoryOf(unusual, [...past, ...others])
    expect(history.all).toHaveLength(30)
    expect(history.level.map(({ id }) => id)).toEqual(past.slice(-12).map(({ id }) => id))
    const compare = compareWithBefore(unusual, history)
    expect(compare?.words).toBe('Compare with the 10 before')
    expect(compare?.href).toBe(
      `/p/project/compare/${past
        .slice(-10)
        .map(({ id }) => id)
        .join('+')}...${run.id}`,
    )
    expect(prepareRunFan(unusual, history)?.plot.series.map(({ name }) => name)).toEqual([
      'all 12 runs',
      'middle half',
      'median of the 12 before',
      'this run',
    ])
  })

  it('are those of the level before where it changed, and those since apart', async () => {
    const { run, past } = await pastAndRun(30)
    const since = past[20]?.orderedAt ?? ''
    const change = { afterRunId: 'past-20', since, cause: 'commit 8de2d48', alertId: 'alert' }
    const worse = judged(run, 'worse', [metric('p99', { state: 'worse', side: 'worse', before: 20, change })])
    const history = levelHistoryOf(worse, past)
    expect(history.level).toHaveLength(20)
    expect(history.since?.name).toBe('since 8de2d48')
    expect(history.since?.runs).toHaveLength(10)
    const [before = '', after = ''] = compareWithBefore(worse, history)?.href.split('/compare/')[1]?.split('...') ?? []
    expect(before.split('+')).toHaveLength(10)
    expect(after.split('+')).toHaveLength(10)
    expect(after.endsWith(run.id)).toBe(true)
  })

  it('are hairlines below five, and none of a first run', async () => {
    const { run, past } = await pastAndRun(3)
    const young = judged(run, 'no-history', [metric('p99', { state: 'no-history', before: 3 })])
    const fan = prepareRunFan(young, levelHistoryOf(young, past))
    expect(fan?.plot.series.map(({ name }) => name)).toEqual(['3 earlier runs', 'this run'])
    expect(prepareSeriesStrip(young, levelHistoryOf(young, past))?.strip.bands).toEqual([])
    expect(prepareRunFan(young, levelHistoryOf(young, []))).toBeNull()
    expect(compareWithBefore(young, levelHistoryOf(young, []))).toBeNull()
  })
})

describe('key figures', () => {
  it('lead with failures, say what was served of what was offered, and where the timeout cut', async () => {
    const { runs } = await storedDocument('zlib-gzip')
    const run = runs.find(({ figures }) => (figures.errorRatio ?? 0) > 0.1)
    if (run === undefined) throw new Error('a failing run expected')
    const failing = judged(run, 'failing', [])
    const shown = keyFigures(failing).map(({ label, text, unit, sub }) => plain(`${label} ${text} ${unit} | ${sub}`))
    expect(shown.slice(0, 2)).toEqual(['Failed 14.33 % | 3 010 of 21 000', 'Served 200 /s | of 350/s offered, 57.1 %'])
    expect(shown).toContain('p99 ≥ 30.0 s | cut off by timeout')
    expect(unsaidRemarks(failing).map(({ key }) => key)).not.toContain('some-failed')
    expect(unsaidRemarks(run).map(({ key }) => key)).toContain('some-failed')
  })

  it('have the stored range beside them, and mark what is outside', async () => {
    const [run] = (await storedDocument('zlib-gzip')).runs
    if (run === undefined) throw new Error('a run expected')
    const p99 = metric('p99', {
      state: 'unusual',
      side: 'worse',
      value: run.figures.p99Ms ?? 0,
      level: 100,
      expectedLow: 80,
      expectedHigh: 125,
      effectRatio: 0.93,
    })
    const unusual = judged(run, 'unusual', [p99])
    const [first] = keyFigures(unusual)
    expect(first).toMatchObject({ id: 'p99', tone: 'unusual', sub: 'expected 80.0–125' })
    const row = allFigures(unusual).find(({ id }) => id === 'p99')
    expect(row).toMatchObject({ words: 'unusual, worse', tone: 'unusual', judged: null })
    expect(plain(row?.expected?.level ?? '')).toBe('100 ms')
    expect(plain(row?.expected?.change ?? '')).toBe('+93.0 %')
  })

  it('are the mean where the tool printed no percentile', async () => {
    const [imported] = await runsOf({ fixture: 'wrk-text/latency.txt' })
    if (!imported) throw new Error('a run expected')
    const without = {
      ...imported,
      latencies: imported.latencies.map((one) => ({ ...one, quantiles: [], maxMs: null })),
    }
    expect(keyFigures(storedRun(without)).map(({ label }) => label)[0]).toBe('Mean')
  })
})
