import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConflictError } from '@/lib/errors'
import type { Alert, AlertChanges, AlertClock } from '@/lib/rules/alert-book'
import { applyEvaluations, applyProjectEvents, endAlertsOfRule, moveByHand } from '@/lib/rules/alert-lifecycle'
import type { AlertFinding, ProfileEvaluation, WatchedChange } from '@/lib/rules/evaluate-profile'
import { evaluateFailedImport, evaluateMissing } from '@/lib/rules/evaluate-project'
import { evaluateRules, type LastingEvent, type RulesEvaluation } from '@/lib/rules/evaluate-rules'
import type { DriftEvent, LevelEvent } from '@/lib/rules/rule-events'
import { builtInSettings, type Rule, type RuleSettings } from '@/lib/rules/rules'
import { alertMoves, liveStates } from '@/lib/rules/stored-alerts'
import type { LoadProfile } from '@/lib/history/series'
import { dayOf, profileOf } from '../detect/sample-profile'
import { caseCount } from '../../case-count'

/** Stores alerts between changes, as the database does; ids count up. */
class Store {
  alerts: readonly Alert[] = []
  hasChannel = true
  day = 40
  readonly steps: AlertChanges['steps'][number][] = []
  #count = 0

  clock(): AlertClock {
    return { at: dayOf(this.day), newId: () => `alert-${(this.#count += 1)}` }
  }

  keep(changes: AlertChanges): AlertChanges {
    this.alerts = [
      ...new Map([...this.alerts, ...changes.changed, ...changes.raised].map((one) => [one.id, one])).values(),
    ]
    this.steps.push(...changes.steps)
    this.day += 1
    return changes
  }

  evaluate(...evaluations: readonly RulesEvaluation[]) {
    const changes = applyEvaluations(this, evaluations[0]?.profile.series.id ?? 's', evaluations, this.clock())
    this.keep(changes)
    return changes
  }

  get only(): Alert {
    const [alert] = this.alerts
    if (alert === undefined || this.alerts.length > 1) throw new Error(`${this.alerts.length} alerts`)
    return alert
  }

  move(to: (typeof alertMoves)[number], id = this.only.id) {
    const alert = this.alerts.find((one) => one.id === id)
    if (alert) this.keep(moveByHand(alert, to, { who: 'somebody', note: '' }, this.clock()))
  }

  whats(): readonly string[] {
    return this.steps.map((step) => step.what)
  }
}

const profile = profileOf(Array.from({ length: 40 }, () => 100))
const otherLine: LoadProfile = { ...profile, key: 't|hey', series: { ...profile.series, id: 't' } }

const finding = (at: number, fields: Partial<AlertFinding> = {}): AlertFinding => ({
  metricId: 'p99',
  seriesId: 's',
  profile: 'hey',
  before: 100,
  after: 140,
  effectRatio: 0.4,
  effectLowRatio: 0.3,
  effectHighRatio: 0.5,
  pRobust: 1e-6,
  pRank: 1e-4,
  noise: 0.01,
  runsBefore: 20,
  runsAfter: 3,
  weight: 4,
  beforeRunId: `run-${at - 1}`,
  afterRunId: `run-${at}`,
  beforeRunIds: [`run-${at - 1}`],
  afterRunIds: [`run-${at}`],
  since: dayOf(at),
  cause: `upload upload-${at}`,
  reach: 3,
  origin: null,
  ...fields,
})

const watch = (at: number, alertId: string | null, metricId = 'p99'): WatchedChange => ({
  metricId,
  direction: 'up',
  reach: 3,
  missed: 0,
  afterRunId: `run-${at}`,
  since: dayOf(at),
  seenAtRunId: 'run-39',
  alertId,
  origin: null,
  creep: null,
})

const ended = (how: 'withdrawn' | 'recovered', metricId = 'p99') => ({ alertId: 'alert-1', metricId, how })

const nothing: ProfileEvaluation = {
  fresh: [],
  watched: [],
  updated: [],
  ended: [],
  shifts: [],
  drifts: [],
  tracks: [],
}

const evaluation = (
  changes: Partial<ProfileEvaluation>,
  events: readonly LastingEvent[] = [],
  of: LoadProfile = profile,
): RulesEvaluation => ({
  profile: of,
  changes: { ...nothing, ...changes },
  tracks: [],
  events,
  watchers: { p99: { ruleId: 'rule', sensitivity: 'sensitive' } },
})

const drift: DriftEvent = {
  kind: 'drift',
  metricId: 'p99',
  seriesId: 's',
  profile: 'hey',
  before: 100,
  after: 120,
  effectRatio: 0.2,
  pRobust: 1e-6,
  pRank: 1e-6,
  count: 40,
  firstRunId: 'run-0',
  lastRunId: 'run-39',
  since: dayOf(0),
  newestAt: dayOf(39),
  overSince: null,
}

const limit: LevelEvent = {
  kind: 'limit',
  metricId: 'p99',
  seriesId: 's',
  profile: 'hey',
  expected: 100,
  side: 'above',
  value: 120,
  count: 2,
  referenceRunIds: [],
  firstRunId: 'run-38',
  lastRunId: 'run-39',
  since: dayOf(38),
  overSince: null,
}

const lasting = (event: LastingEvent['event'], fields: Partial<LastingEvent> = {}): LastingEvent => ({
  ruleId: 'limits',
  event,
  isMuted: false,
  cause: 'commit a',
  seriesId: 's',
  raisedRunId: 'run-39',
  raisedRunAt: dayOf(39),
  sensitivity: 'balanced',
  ...fields,
})

describe('changes of level', () => {
  it('a fresh change raises an alert with what is known about it, and its profile tracks it from then on', () => {
    const store = new Store()
    const fresh = finding(37)
    const { raised, changed, watched } = store.evaluate(evaluation({ fresh: [fresh], watched: [watch(37, null)] }))
    expect(changed).toEqual([])
    expect(raised).toMatchObject([
      {
        id: 'alert-1',
        kind: 'change-point',
        state: 'open',
        ruleId: 'rule',
        seriesId: 's',
        cause: 'upload upload-37',
        findings: [fresh],
        events: [],
        isOngoing: false,
        sensitivity: 'sensitive',
        raisedRunId: 'run-39',
        openedAt: dayOf(40),
        closedAt: null,
      },
    ])
    expect(watched.map((one) => one.watched)).toEqual([[watch(37, 'alert-1')]])
    expect(store.steps).toEqual([{ alertId: 'alert-1', what: 'opened', who: 'Tailboard', note: '', message: 'opened' }])
  })

  it('a change at the same commit joins, in whatever series; at another commit it raises its own', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.evaluate(evaluation({ fresh: [finding(30, { seriesId: 't', weight: 9 })] }, [], otherLine))
    expect(store.only.findings.map((one) => one.seriesId)).toEqual(['t', 's'])
    expect(store.only.updatedAt).toBe(dayOf(41))
    store.evaluate(
      evaluation({ fresh: [finding(31, { seriesId: 't', profile: 'wrk' })] }, [], { ...otherLine, name: 'wrk' }),
    )
    expect(store.alerts).toHaveLength(2)
    expect(store.whats()).toEqual(['opened', 'opened'])
  })

  it('a change at the same position joins, however long ago the alert was raised; one further off does not', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.evaluate(evaluation({ fresh: [finding(35, { metricId: 'p50' })] }))
    const grown = profileOf(Array.from({ length: 58 }, () => 100))
    store.evaluate(evaluation({ fresh: [finding(33, { metricId: 'p90' })] }, [], grown))
    expect(store.only.findings).toHaveLength(3)
    const far = new Store()
    far.evaluate(evaluation({ fresh: [finding(30)] }))
    far.evaluate(evaluation({ fresh: [finding(36, { metricId: 'p50' })] }))
    expect(far.alerts).toHaveLength(2)
  })

  it('an uncertain position may be further off, but not that of a second change of the same metric', () => {
    const vague = finding(38, { metricId: 'p50', reach: 10 })
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.evaluate(evaluation({ fresh: [vague] }))
    expect(store.only.findings).toHaveLength(2)
    const again = new Store()
    again.evaluate(evaluation({ fresh: [finding(30)] }))
    const updated = [{ alertId: 'alert-1', finding: finding(30) }]
    again.evaluate(evaluation({ fresh: [finding(37, { reach: 10 })], updated }))
    expect(again.alerts).toHaveLength(2)
  })

  it('repeats of one experiment are one position', () => {
    const points = profile.points.map((point, at) => ({ ...point, labels: { commit: String(Math.floor(at / 4)) } }))
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(16)] }, [], { ...profile, points }))
    store.evaluate(evaluation({ fresh: [finding(36, { metricId: 'p50' })] }, [], { ...profile, points }))
    expect(store.only.findings).toHaveLength(2)
  })

  it('an expected level absorbs its later metrics silently; an auto-closed alert reopens for them', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.move('expected')
    const p50 = finding(31, { metricId: 'p50' })
    const { watched } = store.evaluate(evaluation({ fresh: [p50], watched: [watch(31, null, 'p50')] }))
    expect(store.only).toMatchObject({ state: 'expected', cause: 'upload upload-30', findings: [{}, {}] })
    expect(watched[0]?.watched).toMatchObject([{ alertId: 'alert-1' }])
    expect(store.whats()).toEqual(['opened', 'expected'])
    // A second change of a metric whose first one is still found is not part of what was expected.
    store.evaluate(evaluation({ fresh: [finding(34)], updated: [{ alertId: 'alert-1', finding: finding(30) }] }))
    expect(store.alerts.map(({ state }) => state)).toEqual(['expected', 'open'])
    const taken = new Store()
    taken.evaluate(evaluation({ fresh: [finding(30)] }))
    taken.evaluate(evaluation({ ended: [ended('withdrawn')] }))
    taken.evaluate(evaluation({ fresh: [finding(31, { metricId: 'p50' })] }))
    expect(taken.only).toMatchObject({ state: 'open', closedAt: null, findings: [{}, {}] })
    expect(taken.whats()).toEqual(['opened', 'withdrawn', 'found-again'])
  })

  it('its cause is that of the most certain position, and it records when that moves', () => {
    const store = new Store()
    const p99 = finding(33, { noise: 0.1, cause: 'commit late' })
    const p50 = finding(30, { metricId: 'p50', weight: 1, cause: 'commit guilty' })
    store.evaluate(evaluation({ fresh: [p99] }))
    expect(store.only.cause).toBe('commit late')
    store.evaluate(evaluation({ fresh: [p50], updated: [{ alertId: 'alert-1', finding: p99 }] }))
    expect(store.only.cause).toBe('commit guilty')
    expect(store.only.findings.map(({ metricId }) => metricId)).toEqual(['p99', 'p50'])
    expect(store.steps.at(-1)).toMatchObject({ what: 'moved', note: 'Now placed at commit guilty.', message: null })
    const moved = { ...p50, afterRunId: 'run-29', since: dayOf(29), cause: 'upload upload-29' }
    store.evaluate(evaluation({ updated: [{ alertId: 'alert-1', finding: moved }] }))
    expect(store.steps.at(-1)).toMatchObject({ what: 'moved', note: 'Now placed at the run of 30 Jan 2026.' })
    // Raised with both at once, it has one cause from the start.
    const both = new Store()
    both.evaluate(evaluation({ fresh: [p99, p50] }))
    expect(both.only.cause).toBe('commit guilty')
    expect(both.whats()).toEqual(['opened'])
  })

  it('joins the newest of several possible alerts', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.evaluate(evaluation({ fresh: [finding(36, { metricId: 'p50' })] }))
    store.evaluate(evaluation({ fresh: [finding(33, { metricId: 'mean' })] }))
    expect(store.alerts.map((alert) => alert.findings.map((one) => one.metricId).sort())).toEqual([
      ['p99'],
      ['mean', 'p50'],
    ])
  })

  it("a closed alert absorbs nothing more; a drift's alert absorbs the step that explains it", () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.move('resolved')
    store.evaluate(evaluation({ fresh: [finding(30, { metricId: 'p50' })] }))
    expect(store.alerts).toHaveLength(2)
    const crept = new Store()
    crept.evaluate(evaluation({ drifts: [drift] }, [lasting(drift)]))
    crept.evaluate(evaluation({ fresh: [finding(3)] }, [lasting(drift)]))
    expect(crept.only).toMatchObject({ kind: 'drift', findings: [{ metricId: 'p99' }], isOngoing: true })
  })

  it('is updated while it waits for a person, and left as it was once closed', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.evaluate(evaluation({ updated: [{ alertId: 'alert-1', finding: finding(30, { runsAfter: 9 }) }] }))
    expect(store.only).toMatchObject({ state: 'open', findings: [{ runsAfter: 9 }], updatedAt: dayOf(41) })
    store.move('expected')
    const after = store.only
    const renewed = { alertId: 'alert-1', finding: finding(30, { runsAfter: 12 }) }
    const { changed } = store.evaluate(
      evaluation({ updated: [renewed], ended: [ended('recovered'), ended('withdrawn')] }),
    )
    expect(changed).toEqual([])
    expect(store.only).toEqual(after)
  })

  it('recovers, is auto-closed, and is found again only after it was auto-closed', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    store.evaluate(evaluation({ ended: [ended('withdrawn')] }))
    expect(store.only).toMatchObject({ state: 'withdrawn', closedAt: dayOf(41) })
    const again = evaluation({ updated: [{ alertId: 'alert-1', finding: finding(31) }] })
    store.evaluate(again)
    expect(store.only).toMatchObject({ state: 'open', closedAt: null, findings: [{ afterRunId: 'run-31' }] })
    store.move('acknowledged')
    store.evaluate(evaluation({ ended: [ended('recovered')] }))
    expect(store.only).toMatchObject({ state: 'recovered', closedAt: dayOf(44) })
    store.evaluate(again)
    expect(store.only.state).toBe('recovered')
    expect(store.whats()).toEqual(['opened', 'withdrawn', 'found-again', 'moved', 'acknowledged', 'recovered'])
    expect(store.steps.map((step) => step.message)).toEqual(['opened', null, null, null, null, 'recovered'])
  })

  it('loses a change that is no longer found while others are, and closes with the last one', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30), finding(30, { metricId: 'p50' })] }))
    store.evaluate(evaluation({ ended: [ended('withdrawn')] }))
    expect(store.only).toMatchObject({ state: 'open', findings: [{ metricId: 'p50' }] })
    store.evaluate(evaluation({ ended: [ended('withdrawn', 'p50')] }))
    expect(store.only).toMatchObject({ state: 'withdrawn', findings: [{ metricId: 'p50' }] })
  })

  it('an old run raises an alert that says why no message was sent; without a channel it says nothing', () => {
    for (const hasChannel of [true, false]) {
      const store = new Store()
      store.hasChannel = hasChannel
      store.day = 47
      store.evaluate(evaluation({ fresh: [finding(30)] }))
      const note = hasChannel ? 'No notification sent: the run that raised it began on 9 Feb 2026.' : ''
      expect(store.steps).toMatchObject([{ what: 'opened', note, message: hasChannel ? null : 'opened' }])
    }
  })
})

describe('events of rules', () => {
  it('are raised once, updated without a new date if nothing changed, and recover when they are over', () => {
    const store = new Store()
    store.evaluate(evaluation({}, [lasting(limit)]))
    expect(store.only).toMatchObject({ kind: 'limit', isOngoing: true, events: [limit], ruleId: 'limits' })
    const reordered = Object.fromEntries(Object.entries(limit).reverse()) as unknown as LevelEvent
    expect(store.evaluate(evaluation({}, [lasting(reordered)]))).toMatchObject({ changed: [], raised: [], steps: [] })
    store.evaluate(evaluation({}, [lasting({ ...limit, count: 3 })]))
    expect(store.only).toMatchObject({ events: [{ count: 3 }], updatedAt: dayOf(42) })
    store.evaluate(evaluation({}))
    expect(store.only).toMatchObject({ state: 'recovered', isOngoing: false, events: [{ overSince: dayOf(43) }] })
    store.evaluate(evaluation({}, [lasting(limit)]))
    expect(store.alerts.map((one) => one.state)).toEqual(['recovered', 'open'])
    expect(store.whats()).toEqual(['opened', 'recovered', 'opened'])
  })

  it('from one rule and commit are one alert; without a cause each is separate', () => {
    const second = { ...limit, metricId: 'p50' }
    const store = new Store()
    store.evaluate(evaluation({}, [lasting(limit), lasting(second)]))
    expect(store.only.events).toHaveLength(2)
    const alone = new Store()
    alone.evaluate(evaluation({}, [lasting(limit, { cause: null }), lasting(second, { cause: null })]))
    expect(alone.alerts).toHaveLength(2)
  })

  it('after a person closed the alert, raises no other until it is over', () => {
    const store = new Store()
    store.evaluate(evaluation({}, [lasting(limit)]))
    store.move('expected')
    const { updatedAt } = store.only
    store.evaluate(evaluation({}, [lasting({ ...limit, count: 5 })]))
    expect(store.only).toMatchObject({ state: 'expected', isOngoing: true, events: [{ count: 5 }], updatedAt })
    store.evaluate(evaluation({}))
    expect(store.only).toMatchObject({ state: 'expected', isOngoing: false })
    store.evaluate(evaluation({}, [lasting(limit)]))
    expect(store.alerts.map((one) => one.state)).toEqual(['expected', 'open'])
  })

  it('of other series last on; a muted rule raises nothing and updates what it raised', () => {
    const store = new Store()
    store.evaluate(evaluation({}, [lasting(limit)]))
    store.evaluate(evaluation({}, [], otherLine))
    expect(store.only).toMatchObject({ state: 'open', isOngoing: true })
    store.evaluate(evaluation({}, [lasting({ ...limit, count: 4 }, { isMuted: true })]))
    expect(store.only).toMatchObject({ events: [{ count: 4 }] })
    const quiet = new Store()
    quiet.evaluate(evaluation({}, [lasting(limit, { isMuted: true })]))
    expect(quiet.alerts).toEqual([])
  })

  it('over, but with a change of level: the alert stays open', () => {
    const store = new Store()
    store.evaluate(evaluation({}, [lasting(drift)]))
    store.evaluate(evaluation({ fresh: [finding(20)] }))
    expect(store.only).toMatchObject({ state: 'open', isOngoing: false })
  })

  it('end with their rule: auto-closed if they wait for a person', () => {
    const store = new Store()
    store.evaluate(evaluation({}, [lasting(limit)]))
    store.evaluate(evaluation({}, [lasting(limit), lasting({ ...limit, metricId: 'p50' }, { cause: 'commit b' })]))
    store.move('resolved', 'alert-1')
    store.keep(endAlertsOfRule(store, 'another', 'Its rule was deleted', store.clock()))
    expect(store.alerts.every((one) => one.isOngoing)).toBe(true)
    store.keep(endAlertsOfRule(store, 'limits', 'Its rule was deleted', store.clock()))
    expect(store.alerts.map(({ state, isOngoing }) => [state, isOngoing])).toEqual([
      ['resolved', false],
      ['withdrawn', false],
    ])
    expect(store.steps.at(-1)).toMatchObject({ what: 'ended', note: 'Its rule was deleted', message: null })
  })
})

describe('events of a project', () => {
  const rule = (settings: RuleSettings): Rule => ({
    id: 'rule',
    scenario: null,
    seriesId: null,
    settings,
    isEnabled: true,
    mutedUntil: null,
    createdAt: dayOf(0),
  })

  it('missing runs are reported after the wait, once, until one arrives', () => {
    const store = new Store()
    const waiting = rule({ kind: 'missing', hours: 48 })
    const check = (newest: number | null) => {
      const clock = store.clock()
      const run = newest === null ? null : { runId: `run-${newest}`, at: dayOf(newest) }
      return store.keep(
        applyProjectEvents(store, 'missing', evaluateMissing([{ rule: waiting, newest: run }], clock.at), clock),
      )
    }
    check(null)
    check(39)
    expect(store.alerts).toEqual([])
    check(39)
    check(39)
    expect(store.only).toMatchObject({ kind: 'missing', raisedRunId: 'run-39', raisedRunAt: dayOf(39) })
    check(43)
    expect(store.only.state).toBe('recovered')
  })

  it('failed imports add up in one alert until an upload is readable', () => {
    const store = new Store()
    const failing = rule({ kind: 'failed-import' })
    const fail = (id: string) => {
      const clock = store.clock()
      const found = evaluateFailedImport([failing], { id, name: id, message: 'cut' }, store.alerts, clock.at)
      return store.keep(applyProjectEvents(store, 'failed-import', found, clock))
    }
    fail('a')
    fail('b')
    expect(store.only.events).toMatchObject([{ uploadId: 'b', count: 2, since: dayOf(40) }])
    store.keep(applyProjectEvents(store, 'failed-import', [], store.clock()))
    expect(store.only.state).toBe('recovered')
    fail('c')
    expect(store.alerts.at(-1)?.events).toMatchObject([{ uploadId: 'c', count: 1 }])
  })
})

describe('manual moves', () => {
  it('reach any state but the current one, and back', () => {
    const store = new Store()
    store.evaluate(evaluation({ fresh: [finding(30)] }))
    expect(() => store.move('open')).toThrow(ConflictError)
    for (const to of ['acknowledged', 'false-alarm', 'open', 'resolved', 'expected'] as const) {
      store.move(to)
      expect(store.only.state).toBe(to)
      expect(store.only.closedAt === null).toBe(liveStates.includes(to))
    }
    expect(store.whats()).toEqual(['opened', 'acknowledged', 'false-alarm', 'reopened', 'resolved', 'expected'])
    expect(store.steps.slice(1).every((step) => step.who === 'somebody' && step.message === null)).toBe(true)
  })
})

describe('in any history', () => {
  /** What may happen: runs at a level (of one commit) and a manual move of an alert. */
  const levelOf = fc.constantFrom(100, 104, 130, 160)
  const happening = fc.oneof(
    { weight: 5, arbitrary: fc.record({ runs: fc.integer({ min: 1, max: 12 }), ms: levelOf }) },
    { weight: 1, arbitrary: fc.record({ move: fc.constantFrom(...alertMoves), nth: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ removed: fc.integer({ min: 1, max: 8 }) }) },
  )
  const rules: readonly Rule[] = [
    { settings: builtInSettings, id: 'built-in' },
    { settings: { kind: 'limit', metricId: 'p99', side: 'above', limit: 140, confirmRuns: 2 } as const, id: 'limit' },
  ].map((one) => ({ scenario: null, seriesId: null, isEnabled: true, mutedUntil: null, createdAt: dayOf(0), ...one }))

  /** The alert that reports what this one did: itself, or the one it was merged into. */
  const standingOf = (alerts: readonly Alert[], alert: Alert): Alert => {
    const into = alerts.find((one) => one.id === alert.mergedIntoId)
    return into === undefined ? alert : standingOf(alerts, into)
  }
  /** Metrics whose change an alert reports, and its events, whose start moves with the existing runs. */
  const reportedBy = ({ findings, events }: Alert) => [
    ...findings.map((one) => `${one.seriesId} ${one.profile} ${one.metricId}`),
    ...events.map((event, at) => `${event.kind} ${at}`),
  ]
  /** After runs were removed, changes of two alerts are at the same position: the younger merges into the older. */
  const merging = [
    { runs: 8, ms: 130 as const },
    { runs: 7, ms: 160 as const },
    { removed: 4 },
    { removed: 6 },
    { runs: 5, ms: 100 as const },
  ]

  it('each event is one alert, closed ones stay closed, nothing is lost, and evaluating again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 14 }), (happenings) => {
        const store = new Store()
        const values: number[] = Array.from({ length: 12 }, (_, at) => 100 + Math.sin(at * 2.4))
        let watched: readonly WatchedChange[] = []
        const closedByHand = new Map<string, string>()
        const evaluate = () => {
          const { at } = store.clock()
          const found = evaluateRules(profileOf(values), watched, { rules, reference: [], at })
          const before = new Map(store.alerts.map((one) => [one.id, one]))
          const changes = store.evaluate(found)
          watched = changes.watched.flatMap((one) => one.watched)
          for (const alert of store.alerts) {
            const was = before.get(alert.id)
            const standing = standingOf(store.alerts, alert)
            expect(standing.state).not.toBe('merged')
            expect(reportedBy(standing)).toEqual(expect.arrayContaining(was === undefined ? [] : reportedBy(was)))
            if (alert.state === 'merged')
              expect([alert.findings, alert.events, alert.isOngoing]).toEqual([[], [], false])
            expect(alert.openedAt).toBe(was?.openedAt ?? at)
            const closedAs = closedByHand.get(alert.id)
            if (closedAs !== undefined) expect(alert.state).toBe(closedAs)
            expect(alert.closedAt === null).toBe(liveStates.includes(alert.state))
            expect(alert.isOngoing).toBe(alert.events.some((event) => event.overSince === null))
          }
          // Each fresh finding and each new event is in exactly one alert, and every tracked change names an existing
          // one.
          expect(changes.raised.length).toBe(changes.news.filter((one) => one.what === 'raised').length)
          const ids = store.alerts.map((one) => one.id)
          expect(new Set(ids).size).toBe(ids.length)
          expect(watched.every(({ alertId }) => alertId === null || ids.includes(alertId))).toBe(true)
          const ongoing = store.alerts.flatMap((one) => one.events.filter((event) => event.overSince === null))
          expect(
            new Set(ongoing.map((event) => `${event.kind} ${'metricId' in event ? event.metricId : ''}`)).size,
          ).toBe(ongoing.length)
          return { changes, found }
        }
        for (const one of happenings) {
          if ('ms' in one) {
            for (let run = 0; run < one.runs; run += 1) {
              values.push(one.ms * (1 + 0.01 * Math.sin(values.length * 2.4)))
              evaluate()
            }
          } else if ('removed' in one) {
            values.length = Math.max(2, values.length - one.removed)
            evaluate()
          } else {
            const alert = store.alerts[one.nth]
            if (alert === undefined || alert.state === one.move) continue
            store.move(one.move, alert.id)
            if (liveStates.includes(one.move)) closedByHand.delete(alert.id)
            else closedByHand.set(alert.id, one.move)
          }
        }
        // Without new runs, nothing is raised, no step is added, and findings stay as they are.
        const calm = evaluate()
        const { changes } = evaluate()
        expect(calm.changes.raised).toEqual([])
        expect(changes.raised).toEqual([])
        expect(changes.news).toEqual([])
        const ownOnly = changes.steps.filter((step) => step.what !== 'withdrawn')
        expect(ownOnly).toEqual([])
      }),
      { numRuns: caseCount(20), examples: [[merging]] },
    )
  })
})
