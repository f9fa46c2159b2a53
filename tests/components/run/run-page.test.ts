import { describe, expect, it } from 'vitest'
import { compareWithBefore } from '@/lib/rules/compare-before'
import { prepareRunFan, prepareSeriesStrip } from '@/components/run/figures/level-charts'
import { levelHistoryOf } from '@/lib/levels/level-runs'
import { allFigures, keyFigures, runsBeforeChange, runsOfRanges } from '@/components/run/figures/run-figures'
import { unsaidRemarks } from '@/components/run/judgement/run-remarks'
import type { MetricJudgement, RunJudgement } from '@/lib/run/judgement'
import type { PastRun } from '@/lib/history/neighbours'
import type { StoredRun } from '@/lib/history/stored-runs'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { viewOf } from '@/components/compare/compare-view-state'
import { runsOf } from '../../read-fixture'
import { storedDocument, storedRun } from '../../stored-runs'

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
    current: null,
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
    return {
      id: `past-${at}`,
      uploadId: `u-${at}`,
      orderedAt,
      commit: `c${at}`,
      tool,
      load,
      figures,
      state: 'as-expected',
    }
  })
  return { run, past }
}

describe('the runs that a run is compared with', () => {
  it('are as many with its tool and load as the judgement says', async () => {
    const { run, past } = await pastAndRun(30)
    const unusual = judged(run, 'unusual', [metric('p99', { state: 'unusual', side: 'worse', before: 12 })])
    const others = past.slice(-1).map((one): PastRun => ({ ...one, load: { kind: 'closed', connections: 3 } }))
    const history = levelHistoryOf(unusual, [...past, ...others])
    expect(history.all).toHaveLength(30)
    expect(history.level.map(({ id }) => id)).toEqual(past.slice(-12).map(({ id }) => id))
    const compare = compareWithBefore(unusual, history, [])
    expect(compare?.words).toBe('Compare with the 10 before')
    expect(compare?.href).toBe(
      `/p/project/compare/${past
        .slice(-10)
        .map(({ id }) => id)
        .join('+')}...${run.id}`,
    )
    expect(prepareRunFan(unusual, history, [])?.plot.series.map(({ name }) => name)).toEqual([
      'all 12 runs',
      'middle half',
      'median of the 12 before',
      'this run',
    ])
  })

  it('are those of the previous level if it changed, with the ones since shown separately', async () => {
    const { run, past } = await pastAndRun(30)
    const since = past[20]?.orderedAt ?? ''
    const change = { afterRunId: 'past-20', since, cause: 'commit 8de2d48', alertId: 'alert' }
    const worse = judged(run, 'worse', [metric('p99', { state: 'worse', side: 'worse', before: 20, change })])
    const history = levelHistoryOf(worse, past)
    expect(history.level).toHaveLength(20)
    expect(history.since?.name).toBe('8de2d48')
    expect(history.since?.runs).toHaveLength(10)
    // The first ten of the new level, as in an alert, whichever run links there.
    const compare = compareWithBefore(worse, history, [])
    expect(compare?.words).toBe('Compare before and since 8de2d48 (10 + 10)')
    const idsOf = (from: number, to: number) => past.slice(from, to).map(({ id }) => id)
    expect(compare?.href).toBe(`/p/project/compare/${idsOf(10, 20).join('+')}...${idsOf(20, 30).join('+')}`)
  })

  it('are hairlines if there are fewer than five, and absent for a first run', async () => {
    const { run, past } = await pastAndRun(3)
    const young = judged(run, 'no-history', [metric('p99', { state: 'no-history', before: 3 })])
    const fan = prepareRunFan(young, levelHistoryOf(young, past), [])
    expect(fan?.plot.series.map(({ name }) => name)).toEqual(['3 earlier runs', 'this run'])
    const strip = prepareSeriesStrip(young, levelHistoryOf(young, past), [])?.strip
    expect(strip?.bands).toEqual([])
    // Under the pointer, each run has its commit.
    expect(strip?.reads?.runs[0]?.commit).toBe('c0')
    expect(prepareRunFan(young, levelHistoryOf(young, []), [])).toBeNull()
    expect(compareWithBefore(young, levelHistoryOf(young, []), [])).toBeNull()
  })
})

describe('key figures', () => {
  it('start with failures, show served against offered rate, and where the timeout clipped', async () => {
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

  it('have the stored range next to them, and mark what is outside', async () => {
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
    expect(plain(row?.expected?.against ?? '')).toBe('+92.6 %')
  })

  it('have no colour inside their range, although their level is worse, and match the change printed next to them', async () => {
    const [run] = (await storedDocument('zlib-gzip')).runs
    if (run === undefined) throw new Error('a run expected')
    const value = run.figures.p99Ms ?? 0
    const change = {
      afterRunId: 'past-20',
      since: '2019-01-21T00:00:00.000Z',
      cause: 'commit 8de2d48',
      alertId: 'alert',
    }
    const moved = { state: 'worse', side: 'worse', value, level: value / 1.5, effectRatio: 0.23, change } as const
    const range = { expectedLow: value / 2, expectedHigh: value * 1.1 }
    const few = judged(run, 'worse', [metric('p99', { ...moved, ...range })])
    expect(keyFigures(few)[0]).toMatchObject({ id: 'p99', tone: null })
    expect(keyFigures(few)[0]?.sub).toMatch(/^before /)
    const row = allFigures(few).find(({ id }) => id === 'p99')
    expect(row).toMatchObject({ tone: null, words: 'level worse since 8de2d48' })
    expect(plain(row?.expected?.against ?? '')).toBe('+50.0 %')

    const current = { level: value, expectedLow: value * 0.9, expectedHigh: value * 1.1, before: 19 }
    const known = judged(run, 'worse', [metric('p99', { ...moved, ...range, expectedHigh: value * 0.8, current })])
    expect(keyFigures(known)[0]).toMatchObject({ id: 'p99', tone: null })
    expect(keyFigures(known)[0]?.sub).toMatch(/^since 8de2d48 /)
    const there = allFigures(known).find(({ id }) => id === 'p99')
    expect(there?.words).toBe('level worse since 8de2d48, this run as expected there')
    expect(plain(there?.expected?.against ?? '')).toMatch(/^0 %$/)
    expect(runsOfRanges(known)).toBe('19 runs')
    expect(runsBeforeChange(known)).toMatch(/^before 8de2d48, by \d+ runs$/)
    expect(there?.expected?.before).toMatch(/^\d.*–\d/)
    expect(there?.expected?.bullet?.before).not.toBeNull()
    expect(row?.expected).toMatchObject({ before: null, bullet: { before: null } })
    expect(runsBeforeChange(few)).toBeNull()
  })

  it('are the mean if the tool printed no percentile', async () => {
    const [imported] = await runsOf({ fixture: 'wrk-text/latency.txt' })
    if (!imported) throw new Error('a run expected')
    const without = {
      ...imported,
      latencies: imported.latencies.map((one) => ({ ...one, quantiles: [], maxMs: null })),
    }
    expect(keyFigures(storedRun(without)).map(({ label }) => label)[0]).toBe('Mean')
  })
})

describe('a run compared with earlier ones', () => {
  it('has the verdict of its own judgement, never one by rounds, and figures that match', async () => {
    const { run } = await pastAndRun(0)
    const before = Array.from({ length: 10 }, (_, at): StoredRun => {
      const orderedAt = new Date(Date.UTC(2010, 0, 1 + at)).toISOString()
      return { ...run, id: `past-${at}`, orderedAt, startedAt: orderedAt }
    })
    const unusual = judged(run, 'unusual', [metric('p99', { state: 'unusual', side: 'worse', before: 12 })])
    const prepared = prepareComparison([before, [unusual]], viewOf(''), () => null)
    expect(prepared?.judged?.run.id).toBe(run.id)
    expect(prepared?.comparison).toMatchObject({ sentence: 'Said', rounds: null })
    const deltas = prepared?.comparison.rows.flatMap((row) => row.deltas) ?? []
    expect(deltas.map(({ verdict }) => verdict)).not.toContain('worse')
    expect(deltas.every(({ rounds, lowRatio }) => rounds === 0 && lowRatio === null)).toBe(true)
    for (const { baseValue, deltas: own } of prepared?.comparison.rows ?? [])
      for (const { value, changeRatio } of own)
        if (value !== null && baseValue) expect(changeRatio).toBeCloseTo(value / baseValue - 1, 9)
    // From another series, it is a side like any other.
    const other = before.map((one) => ({ ...one, seriesId: 'other' }))
    expect(prepareComparison([other, [unusual]], viewOf(''), () => null)?.judged).toBeNull()
  })
})
