import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Alert } from '@/lib/rules/alert-book'
import { applyEvaluations } from '@/lib/rules/alert-lifecycle'
import type { Explain, WatchedChange } from '@/lib/rules/evaluate-profile'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { judgeCandidates, judgeEvaluation, type ProfileStatement } from '@/lib/rules/judge-evaluation'
import { builtInSettings, type Rule } from '@/lib/rules/rules'
import { heldAgainst, type StoredJudgement } from '@/lib/run/judgement'
import type { LoadProfile } from '@/lib/history/series'
import type { SeriesPoint } from '@/lib/history/stored-series'
import { dayOf, noisy, profileOf } from '../detect/sample-profile'
import { sampleRule as rule } from './sample-rule'
import { caseCount } from '../../case-count'

/**
 * The judgements of a profile's runs, evaluated run by run like uploads; `closed`: how a person closed the alerts;
 * `anew`: earlier judgements are discarded.
 */
function judged(
  profile: LoadProfile,
  {
    rules = [rule(builtInSettings)],
    closed,
    anew = false,
    explain,
  }: { rules?: readonly Rule[]; closed?: Alert['state']; anew?: boolean; explain?: Explain } = {},
) {
  let watched: readonly WatchedChange[] = []
  let alerts: readonly Alert[] = []
  let stored: ReadonlyMap<string, StoredJudgement> = new Map()
  let written = 0
  let changes: ProfileStatement['changes'] = {}
  for (let count = 1; count <= profile.points.length; count += 1) {
    const basisOf = (id: string) => (anew ? null : (stored.get(id)?.basis ?? null))
    const points = profile.points.slice(0, count).map((one) => ({ ...one, judgementBasis: basisOf(one.runId) }))
    const soFar = { ...profile, points }
    const at = dayOf(count)
    const evaluation = evaluateRules(soFar, watched, { rules, reference: [], at, explain })
    const newId = () => `alert-${count}`
    const applied = applyEvaluations({ alerts, hasChannel: false }, 's', [evaluation], { at, newId })
    alerts = [...new Map([...alerts, ...applied.changed, ...applied.raised].map((one) => [one.id, one])).values()]
    if (closed) alerts = alerts.map((one) => ({ ...one, state: closed }))
    watched = applied.watched.flatMap((one) => one.watched)
    const statement = judgeEvaluation(evaluation, watched, alerts)
    const { judgements: judged } = statement
    changes = statement.changes
    written += judged.size
    stored = new Map([...stored, ...judged])
  }
  const evaluation = evaluateRules(profile, watched, { rules, reference: [], at: dayOf(100) })
  const of = (at: number) => {
    const found = stored.get(`run-${at}`)?.judgement
    if (found === undefined) throw new Error(`run ${at} is not judged`)
    return found
  }
  const said = profile.points.map((_, at) => of(at))
  return { of, alerts, evaluation, said, written, changes, states: said.map(({ state }) => state) }
}

const levels = (...parts: readonly (readonly [count: number, level: number])[]) =>
  parts.flatMap(([count, level]) => Array<number>(count).fill(level))

describe('judgements of the runs in a series', () => {
  it('need five earlier runs, then state where a run was expected', () => {
    const { of, states } = judged(profileOf(noisy(levels([12, 100]), 0.02, 1)))
    expect(states.slice(0, 5)).toEqual(Array(5).fill('no-history'))
    expect(of(0).sentence).toBe('First run of its series.')
    expect(of(3).sentence).toBe('3 of 5 runs before it.')
    expect(states.slice(5)).toEqual(Array(7).fill('as-expected'))
    expect(of(11).sentence).toMatch(/^p99 [\d.]+.ms, expected [\d.]+.ms to [\d.]+.ms by 11 runs before\.$/)
    const [p99] = of(11).metrics
    expect(p99?.value).toBeGreaterThan(p99?.expectedLow ?? Infinity)
    expect(p99?.value).toBeLessThan(p99?.expectedHigh ?? -Infinity)
  })

  it('call one run outside that range unusual, and ask to repeat it', () => {
    const { of, alerts, states } = judged(profileOf([...noisy(levels([20, 100]), 0.02, 2), 140, 101, 99]))
    expect(states[20]).toBe('unusual')
    expect(of(20).sentence).toMatch(/^p99 140.ms, expected [\d.]+.ms to [\d.]+.ms: repeat the run\.$/)
    expect(of(20).metrics[0]).toMatchObject({ side: 'worse', outside: 1, change: null })
    expect(states.slice(21)).toEqual(['as-expected', 'as-expected'])
    expect(alerts).toEqual([])
  })

  it('call a level worse that an alert reports, with the figures of the alert', () => {
    const { of, alerts, states } = judged(profileOf(noisy(levels([30, 100], [12, 125]), 0.02, 3)))
    expect(alerts).toHaveLength(1)
    expect(states.slice(30)).toEqual(Array(12).fill('worse'))
    const [finding] = alerts[0]?.findings ?? []
    const newest = of(41).metrics[0]
    expect(newest).toMatchObject({
      effectRatio: finding?.effectRatio,
      effectLowRatio: finding?.effectLowRatio,
      effectHighRatio: finding?.effectHighRatio,
      level: finding?.before,
      change: { alertId: alerts[0]?.id, afterRunId: finding?.afterRunId, cause: 'upload upload-30' },
    })
    expect(of(41).sentence).toMatch(
      /^p99 2\d.% higher since .* \(95 % interval \+\d\d.% to \+\d\d.%\); this run is as expected there\.$/,
    )
    // The run itself is compared with the level since, once that has three runs.
    const held = newest && heldAgainst(newest)
    expect(held).toMatchObject({ of: 'since', runs: 11, isOutside: false })
    expect(held?.level).toBeGreaterThan(120)
    expect(of(31).metrics[0]).toMatchObject({ current: null })
    expect(of(31).metrics.map((one) => heldAgainst(one)?.of)).toContain('before')
  })

  it('call nothing worse that moved with its environment, not even a metric that no rule watches', () => {
    const plain = profileOf(noisy(levels([30, 100], [12, 200]), 0.02, 3))
    const p50s = noisy(levels([30, 50], [12, 100]), 0.02, 4)
    const points = plain.points.map((one, at) => ({ ...one, figures: { ...one.figures, p50Ms: p50s[at] ?? null } }))
    const rules = [rule({ ...builtInSettings, metricIds: ['p99'] })]
    const explain: Explain = () => ({ kind: 'environment', commit: null, shift: null })
    const moved = judged({ ...plain, points }, { rules, explain })
    const [p50, p99] = ['p50', 'p99'].map((id) => moved.changes[id]?.changes)
    expect(p99).toMatchObject([{ verdict: 'changed', origin: 'environment' }])
    expect(p50).toMatchObject([{ verdict: 'changed', origin: 'environment' }])
    expect(moved.states.slice(30)).not.toContain('worse')
    expect(judged({ ...plain, points }, { rules }).changes['p50']?.changes).toMatchObject([{ verdict: 'worse' }])
  })

  it('compare runs with the new level once a person accepted it', () => {
    const { states, of } = judged(profileOf(noisy(levels([30, 100], [30, 125]), 0.02, 3)), { closed: 'expected' })
    expect(states.slice(40)).toEqual(Array(20).fill('as-expected'))
    expect(of(59).metrics[0]?.level).toBeGreaterThan(120)
  })

  it('state for the first runs of an accepted level what was accepted, and not how few requests failed', () => {
    const plain = profileOf(noisy(levels([30, 100], [12, 125]), 0.02, 3))
    const points = plain.points.map((point) => ({
      ...point,
      figures: { ...point.figures, requests: 20_000, errorRatio: 0, errorCount: 0 },
    }))
    const { of } = judged({ ...plain, points }, { closed: 'expected' })
    expect(of(30)).toMatchObject({ state: 'as-expected', metricId: 'p99' })
    expect(of(30).sentence).toMatch(/^p99 1[12]\d.ms: first run of the level since .+\.$/)
    expect(of(32).sentence).toMatch(/^p99 1[12]\d.ms: 2 of 3 runs of the level since .+ before it\.$/)
    expect(of(33).sentence).toMatch(/^p99 1[12]\d.ms, expected .* by 3 runs before\.$/)
  })

  it('say better for ten runs, then compare runs with the better level', () => {
    const { states } = judged(profileOf(noisy(levels([30, 100], [30, 70]), 0.02, 4)))
    expect(states.slice(32, 40)).toEqual(Array(8).fill('better'))
    expect(states.slice(41)).toEqual(Array(19).fill('as-expected'))
  })

  it('call a run worse that breaks a limit, whatever the history', () => {
    const limit = rule({ kind: 'limit', metricId: 'p99', side: 'above', limit: 120, confirmRuns: 1 })
    const { of } = judged(profileOf([100, 130]), { rules: [limit] })
    expect(of(1)).toMatchObject({ state: 'worse', metricId: 'p99' })
    expect(of(1).sentence).toBe('p99 130\u00a0ms is above the limit of 120\u00a0ms.')
    expect(of(0).state).toBe('no-history')
  })

  const failing = (shares: readonly number[]): LoadProfile => {
    const plain = profileOf(shares.map(() => 100))
    const figuresOf = (at: number) => {
      const errorRatio = shares[at] ?? 0
      return { requests: 20_000, errorRatio, errorCount: errorRatio * 20_000 }
    }
    const points = plain.points.map((point, at) => ({ ...point, figures: { ...point.figures, ...figuresOf(at) } }))
    return { ...plain, points }
  }

  it('call a run failing above 1 %, and above what its history knows', () => {
    const { of, states } = judged(failing([...Array<number>(10).fill(0.0002), 0.05]))
    expect(states[9]).toBe('as-expected')
    expect(of(10)).toMatchObject({ state: 'failing', metricId: 'error-ratio', failedCount: 1_000 })
    expect(of(10).sentence).toBe('5\u00a0% of requests failed (1\u202f000); before 0.02\u00a0%.')
    expect(judged(failing([...Array<number>(10).fill(0.0002), 0.008])).of(10).state).toBe('failing')
    expect(judged(failing([0.02])).of(0).state).toBe('failing')
    expect(judged(failing([...Array<number>(10).fill(0.0002), 0.003])).of(10).state).toBe('as-expected')
  })

  it('ignore latency that a guard refuses', () => {
    const plain = profileOf([...noisy(levels([12, 100]), 0.02, 5), 900])
    const guards: SeriesPoint['guards'] = [
      { code: 'rate-missed', numbers: { asked: 1_000, achieved: 500 }, metricIds: null },
    ]
    const points = plain.points.map((point, at) => (at === 12 ? { ...point, guards } : point))
    const { of } = judged({ ...plain, points })
    expect(of(12).metrics).toMatchObject([{ metricId: 'p99', state: 'barred', value: 900, expectedHigh: null }])
    expect(of(12).state).toBe('unusual')
  })

  it('combine the valid repeats, and ignore one that a guard refuses', () => {
    const plain = profileOf([...noisy(levels([12, 100]), 0.02, 5), 101, 900])
    const guards: SeriesPoint['guards'] = [{ code: 'timeout-truncated', numbers: {}, metricIds: ['p99'] }]
    const commit = { commit: 'same' }
    const points = plain.points.map((point, at) => {
      return at < 12 ? point : { ...point, labels: commit, ...(at === 13 ? { guards } : {}) }
    })
    const { of } = judged({ ...plain, points })
    expect(of(12).metrics).toMatchObject([{ metricId: 'p99', state: 'as-expected', value: 101 }])
    expect(of(13).metrics).toMatchObject([{ metricId: 'p99', state: 'barred', value: 900 }])
  })

  it("let no guard of one metric lead a run's judgement", () => {
    const plain = profileOf(noisy(levels([12, 100]), 0.02, 5))
    const guards: SeriesPoint['guards'] = [{ code: 'sample-cap', numbers: {}, metricIds: null }]
    const points = plain.points.map((point) => ({
      ...point,
      guards,
      figures: { ...point.figures, requestsPerSecond: 500 },
    }))
    const { of } = judged({ ...plain, points })
    expect(of(11)).toMatchObject({ state: 'as-expected', metricId: 'requests-per-second' })
    expect(of(11).sentence).toMatch(/^Req\/s 500\/s, expected /)
  })

  it('judge a candidate by the current level, and do not blame it for what is already reported', () => {
    const { evaluation } = judged(profileOf(noisy(levels([30, 100], [12, 125]), 0.02, 3)))
    const [first] = evaluation.profile.points
    const candidate = (ms: number): SeriesPoint => {
      const figures = { ...profileOf([ms]).points[0]?.figures, ...{} }
      if (first === undefined) throw new Error('no run')
      return { ...first, runId: 'pr', orderedAt: dayOf(60), figures: { ...first.figures, ...figures } }
    }
    const stateOf = (ms: number) => judgeCandidates([evaluation], [candidate(ms)]).get('pr')?.judgement.state
    expect(stateOf(125)).toBe('as-expected')
    expect(stateOf(170)).toBe('unusual')
    expect(evaluation.profile.points).toHaveLength(42)
  })

  it('are redone only if their basis changed, with the same result as if all were redone', () => {
    const shape = fc.record({
      level: fc.constantFrom(1, 1.06, 1.25, 0.8),
      at: fc.integer({ min: 3, max: 30 }),
      noise: fc.constantFrom(0.005, 0.03),
      outlier: fc.option(fc.integer({ min: 5, max: 39 }), { nil: null }),
      closed: fc.constantFrom<Alert['state'] | undefined>('expected', undefined),
      seed: fc.integer({ min: 1, max: 1_000 }),
    })
    fc.assert(
      fc.property(shape, ({ level, at, noise, outlier, closed, seed }) => {
        const plain = noisy(levels([at, 100], [40 - at, 100 * level]), noise, seed)
        const profile = profileOf(plain.map((ms, index) => (index === outlier ? ms * 1.6 : ms)))
        const own = closed === undefined ? {} : { closed }
        // Anything further back than 30 experiments is history, and keeps its judgement.
        const newest = (all: ReturnType<typeof judged>) => all.said.slice(-30)
        expect(newest(judged(profile, own))).toEqual(newest(judged(profile, { ...own, anew: true })))
      }),
      { numRuns: caseCount(12) },
    )
    // A steady history: each run once.
    expect(judged(profileOf(noisy(levels([40, 100]), 0.02, 1))).written).toBe(40)
  })
})
