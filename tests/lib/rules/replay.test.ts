import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateProfile, type WatchedChange } from '@/lib/rules/evaluate-profile'
import { findDrift } from '@/lib/detect/drift'
import { alertSettings } from '@/lib/detect/change-points'
import { groupFirings, replayProfile, replayMissing, type Firing, type ReplaySteps } from '@/lib/rules/replay'
import { builtInSettings, type Rule, type RuleSettings } from '@/lib/rules/rules'
import { noisySeries } from '../../bench/noisy-series'
import { randomFrom } from '../../fuzz/random'
import { dayOf, profileOf, noisy } from '../detect/sample-profile'

const rule = (settings: RuleSettings, fields: Partial<Rule> = {}): Rule => ({
  id: 'rule',
  scenario: null,
  seriesId: null,
  settings,
  isEnabled: true,
  mutedUntil: null,
  createdAt: dayOf(0),
  ...fields,
})
const limit: RuleSettings = { kind: 'limit', metricId: 'p99', side: 'above', limit: 100, confirmRuns: 2 }

function finish(steps: ReplaySteps): readonly Firing[] {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** With ordinary spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

const level = (runs: number, ms: number) => Array.from({ length: runs }, () => ms)

describe('replaying a rule', () => {
  it('a limit fires once for each breach, at the run that confirmed it', () => {
    const profile = profileOf([90, 101, 102, 130, 90, 80, 90, null, 140, 150, 150])
    const fired = finish(replayProfile(rule(limit), profile, [], dayOf(0)))
    expect(fired.map(({ at, titles, link }) => [at, titles.map(plain), link])).toEqual([
      [dayOf(2), ['p99 102 ms, above the limit of 100 ms'], { to: 'run', runId: 'run-2' }],
      [dayOf(9), ['p99 150 ms, above the limit of 100 ms'], { to: 'run', runId: 'run-9' }],
    ])
    expect(finish(replayProfile(rule(limit), profile, [], dayOf(3)))).toHaveLength(1)
    expect(finish(replayProfile(rule(limit, { scenario: 'other' }), profile, [], dayOf(0)))).toEqual([])
    expect(finish(replayProfile(rule(limit, { isEnabled: false }), profile, [], dayOf(0)))).toHaveLength(2)
  })

  it('change points fire when the alert would have been raised, not when the level started', () => {
    const profile = profileOf(noisy([...level(30, 100), ...level(30, 130), ...level(30, 100)], 0.02, 7))
    const fired = finish(replayProfile(rule(builtInSettings), profile, [], dayOf(0)))
    expect(fired).toHaveLength(1)
    const [one] = fired
    expect(plain(one?.titles.join() ?? '')).toMatch(/^p99 \d\d % higher$/)
    const ids = (from: number) => Array.from({ length: 10 }, (_, at) => `run-${from + at}`)
    expect(one?.link).toEqual({ to: 'compare', sides: [ids(20), ids(30)] })
    const online = firstAlert(profile)
    expect(one?.at).toBe(dayOf(online))
    expect(online).toBeGreaterThan(30)
    // What was known before the replayed days is not news.
    expect(finish(replayProfile(rule(builtInSettings), profile, [], dayOf(50)))).toEqual([])
    const both = rule({ ...builtInSettings, direction: 'both' })
    expect(finish(replayProfile(both, profile, [], dayOf(0)))).toHaveLength(2)
    const large = rule({ ...builtInSettings, leastEffectRatio: 0.5 })
    expect(finish(replayProfile(large, profile, [], dayOf(0)))).toEqual([])
    const patient = rule({ ...builtInSettings, confirmRuns: 8 })
    expect(finish(replayProfile(patient, profile, [], dayOf(0))).map((later) => later.at)).toEqual([dayOf(37)])
  })

  /** Position of the run at which evaluating run by run raises the first alert. */
  function firstAlert(profile: ReturnType<typeof profileOf>): number {
    let watched: readonly WatchedChange[] = []
    for (let count = 2; count <= profile.points.length; count += 1) {
      const evaluation = evaluateProfile({ ...profile, points: profile.points.slice(0, count) }, watched, {
        sensitivity: 'balanced',
      })
      watched = evaluation.watched
      if (evaluation.fresh.length > 0) return count - 1
    }
    return -1
  }

  it('missing runs fire at the end of the wait, including the ongoing one', () => {
    const runs = [0, 1, 4, 5].map((day) => ({ runId: `run-${day}`, at: dayOf(day) }))
    expect(replayMissing(48, runs, dayOf(0), dayOf(9)).map((one) => one.at)).toEqual([dayOf(3), dayOf(7)])
    expect(replayMissing(48, runs, dayOf(4), dayOf(7)).map((one) => one.at)).toEqual([])
    expect(replayMissing(48, [], dayOf(0), dayOf(9))).toEqual([])
  })

  it('limits: a replay from any day equals the end of the full replay', () => {
    const values = fc.array(fc.option(fc.integer({ min: 80, max: 120 })), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(values, fc.nat({ max: 40 }), (all, day) => {
        const profile = profileOf(all)
        const whole = finish(replayProfile(rule(limit), profile, [], dayOf(0)))
        expect(finish(replayProfile(rule(limit), profile, [], dayOf(day)))).toEqual(
          whole.filter((one) => one.at >= dayOf(day)),
        )
      }),
    )
  })

  it('firings with one commit are combined, those without a cause stay separate', () => {
    const firing = (at: number, cause: string | null): Firing => ({
      at: dayOf(at),
      titles: [`at ${at}`],
      profile: null,
      cause,
      metricId: null,
      link: { to: 'run', runId: 'r' },
    })
    const grouped = groupFirings([firing(3, 'a'), firing(1, 'a'), firing(2, null), firing(4, null)])
    expect(grouped.map((one) => [one.at, one.titles])).toEqual([
      [dayOf(4), ['at 4']],
      [dayOf(2), ['at 2']],
      [dayOf(1), ['at 1', 'at 3']],
    ])
  })
})

describe('slow drift', () => {
  const creep = (runs: number, perRun: number) => Array.from({ length: runs }, (_, at) => 100 * (1 + perRun) ** at)
  it('is found from 40 runs on, not earlier, and not in noise', () => {
    const values = noisy(creep(100, 0.002), 0.03, 3)
    expect(findDrift(values, alertSettings)?.effectRatio).toBeGreaterThan(0.1)
    expect(findDrift(noisy(creep(39, 0.01), 0.01, 3), alertSettings)).toBeNull()
    expect(findDrift(noisy(creep(40, 0.01), 0.01, 3), alertSettings)).not.toBeNull()
    const found = Array.from({ length: 200 }, (_, seed) => findDrift(noisy(level(100, 50), 0.05, seed), alertSettings))
    expect(found.filter((drift) => drift !== null)).toEqual([])
  })

  it('is not a doubtful step, whatever the noise', () => {
    const all = [...noisySeries('same', 1), ...noisySeries('other', 1)]
    const steps = all.filter(({ changes }) => changes.length > 0).map(({ values }) => values.slice(0, 45))
    const creeping = all
      .filter(({ changes }) => changes.length === 0)
      .map(({ values }) => values.slice(0, 100).map((value, at) => value * (1 + 0.003 * at)))
    const shareFound = (series: readonly (readonly number[])[]) =>
      series.filter((values) => findDrift(values, alertSettings) !== null).length / series.length
    expect(steps.length).toBeGreaterThan(150)
    expect(shareFound(steps)).toBeLessThan(0.02)
    expect(shareFound(creeping)).toBeGreaterThan(0.6)
  })

  it('is not found if runs follow each other closely and return', () => {
    const random = randomFrom(11)
    const normal = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value) - 6
    const found = Array.from({ length: 2_000 }, () => {
      let last = normal()
      const values = Array.from({ length: 60 }, () => {
        last = 0.7 * last + Math.sqrt(1 - 0.7 ** 2) * normal()
        return 100 * Math.exp(0.1 * last)
      })
      return findDrift(values, alertSettings)
    }).filter((drift) => drift !== null)
    expect(found.length).toBeLessThan(4)
  })

  it('does not depend on the unit, and reverses with the direction', () => {
    const values = noisy(creep(100, 0.002), 0.03, 5)
    const drift = findDrift(values, alertSettings)
    const scaled = findDrift(
      values.map((value) => value * 1_000),
      alertSettings,
    )
    expect(scaled?.effectRatio).toBeCloseTo(drift?.effectRatio ?? Number.NaN, 9)
    const turned = findDrift(
      values.map((value) => 1 / value),
      alertSettings,
    )
    expect(Math.log1p(turned?.effectRatio ?? 0)).toBeCloseTo(-Math.log1p(drift?.effectRatio ?? 0), 9)
  })

  it('in a profile is reported until a step explains it', () => {
    const evaluation = evaluateProfile(profileOf(noisy(creep(100, 0.0015), 0.03, 2)), [], { sensitivity: 'balanced' })
    expect(evaluation.fresh).toEqual([])
    expect(evaluation.drifts).toMatchObject([{ kind: 'drift', metricId: 'p99', count: 88, firstRunId: 'run-12' }])
    const faster = evaluateProfile(profileOf(noisy(creep(100, -0.0015), 0.03, 2)), [], { sensitivity: 'balanced' })
    expect(faster.drifts).toEqual([])
  })
})
