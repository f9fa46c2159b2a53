import { describe, expect, it } from 'vitest'
import type { Alert } from '@/lib/rules/alert-book'
import { applyEvaluations } from '@/lib/rules/alert-lifecycle'
import { alertMark, alertSentence, commitOf } from '@/lib/rules/alert-words'
import type { WatchedChange } from '@/lib/rules/evaluate-profile'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { judgeEvaluation } from '@/lib/rules/judge-evaluation'
import { eventSentence } from '@/lib/rules/rule-words'
import { builtInSettings, type Rule } from '@/lib/rules/rules'
import { dayOf, noisy, profileOf } from '../detect/sample-profile'

const rule: Rule = {
  ...{ id: 'rule', scenario: null, seriesId: null, settings: builtInSettings },
  ...{ isEnabled: true, mutedUntil: null, createdAt: dayOf(0) },
}

/** Three metrics of runs that follow these levels, one run a day; evaluated after each. */
function live(levels: readonly number[], seed: number, noise = 0.03) {
  const p50s = noisy(levels, noise, seed)
  const p99s = noisy(
    p50s.map((ms) => 2 * ms),
    0.03,
    seed + 1000,
  )
  const rates = noisy(
    p50s.map((ms) => 1e6 / ms),
    0.01,
    seed + 2000,
  )
  const base = profileOf(p99s)
  const points = base.points.map((point, at) => ({
    ...point,
    labels: { commit: `c${at}` },
    figures: { ...point.figures, p50Ms: p50s[at] ?? null, requestsPerSecond: rates[at] ?? null },
  }))
  let watched: readonly WatchedChange[] = []
  let alerts: readonly Alert[] = []
  let count = 0
  // Nothing happens in the first 40 nights.
  const nights = points.slice(40).map((_, index) => {
    const at = dayOf(40 + index)
    const soFar = { ...base, points: points.slice(0, 41 + index) }
    const evaluation = evaluateRules(soFar, watched, { rules: [rule], reference: [], at })
    const clock = { at, newId: () => `alert-${(count += 1)}` }
    const changes = applyEvaluations({ alerts, hasChannel: false }, base.series.id, [evaluation], clock)
    watched = changes.watched.flatMap((one) => one.watched)
    alerts = [...new Map([...alerts, ...changes.changed, ...changes.raised].map((one) => [one.id, one])).values()]
    return { alerts, ...judgeEvaluation(evaluation, watched, alerts) }
  })
  return { nights, alerts: alerts.filter(({ state }) => state !== 'merged') }
}

/** Steady for 40 days, then `factor` times as long within `days`, then steady for 40. */
const creeping = (days: number, factor: number) =>
  Array.from({ length: 80 + days }, (_, at) => 100 * factor ** Math.min(1, Math.max(0, (at - 40) / days)))

describe('a level that creeps', () => {
  it('has one alert with all metrics and no commit, which closes when it ends', () => {
    const days = 60
    const { alerts, nights } = live(creeping(days, 1.35), 1)
    const [alert] = alerts
    if (alert === undefined) throw new Error('no alert')
    expect(alerts).toHaveLength(1)
    expect(alert).toMatchObject({ kind: 'drift', state: 'recovered', cause: null, findings: [] })
    expect(alert.events.map((event) => ('metricId' in event ? event.metricId : event.kind)).toSorted()).toEqual([
      'p50',
      'p99',
      'requests-per-second',
    ])
    expect(commitOf(alert)).toBeNull()
    expect(alertMark(alert).words).toBe('Ended')
    expect(alertSentence(alert)).toMatch(/no single step$/)
    expect(alert.events.map(eventSentence)).toContainEqual(
      expect.stringMatching(/^Slow drift: from .*week\. No single run caused it\.$/u),
    )
    // While it lasts, no run is worse for its commit, and no mark says so.
    const { judgements, changes, alerts: then } = nights[days - 2] ?? { judgements: new Map(), changes: {} }
    expect(then?.filter(({ closedAt }) => closedAt === null)).toHaveLength(1)
    expect([...judgements.values()].map(({ judgement }) => judgement.state)).not.toContain('worse')
    expect(Object.values(changes).flatMap((one) => one.changes.map(({ verdict }) => verdict))).not.toContain('worse')
  })

  it('raises nothing for what one of its metrics seems to do in a step', () => {
    const { alerts } = live(creeping(60, 1.35), 2)
    expect(alerts.map(({ kind }) => kind)).toEqual(['drift'])
  })

  it('a step beyond its trend is an alert of its commit', () => {
    const levels = creeping(100, 1.4).map((level, at) => (at >= 100 ? 1.5 * level : level))
    const { alerts } = live(levels, 3, 0.02)
    expect(alerts.map(({ kind, cause }) => `${kind} ${cause}`)).toEqual(['drift null', 'change-point commit c100'])
  })
})
