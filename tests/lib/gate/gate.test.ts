import { describe, expect, it } from 'vitest'
import { failsBuild, judgeForBuild, raisedBy, type GateVerdict } from '@/lib/gate/gate'
import { gateMarkdown, gateSentence, gateText } from '@/lib/gate/gate-words'
import type { ReferenceRun } from '@/lib/rules/rule-events'
import { builtInSettings, type Rule, type RuleSettings } from '@/lib/rules/rules'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { judgeEvaluation, type AlertsOfProfile } from '@/lib/rules/judge-evaluation'
import type { RunGuard } from '@/lib/run/guard'
import type { LoadProfile } from '@/lib/history/series'
import { profileOf } from '../detect/sample-profile'
import { sampleRule as rule } from '../rules/sample-rule'

const at = '2026-11-21T00:00:00.000Z'
const later = '2026-12-01T00:00:00.000Z'
const noRaise = new Set<string>()

const limit: RuleSettings = { kind: 'limit', metricId: 'p99', side: 'above', limit: 120, confirmRuns: 1 }
const baseline = (direction: 'worse' | 'better' | 'both'): RuleSettings => ({
  kind: 'baseline',
  metricIds: ['p99'],
  direction,
  leastEffectRatio: 0.1,
  confirmRuns: 1,
  runIds: ['run-0'],
})

/** The judgement of a profile's newest run; `alert`: open, for every change of the profile. */
function judgementsOf(profile: LoadProfile, rules: readonly Rule[], alert: AlertsOfProfile[number] | null = null) {
  const evaluation = evaluateRules(profile, [], { rules, reference: [], at })
  const watched = evaluation.changes.watched.map((one) => ({ ...one, alertId: alert?.id ?? null }))
  const { judgements: judged } = judgeEvaluation(evaluation, watched, alert ? [alert] : [])
  const newest = profile.points.at(-1)?.runId ?? ''
  return new Map([...judged].flatMap(([id, { judgement }]) => (id === newest ? [[id, judgement] as const] : [])))
}

/** Judges the newest run of a profile of p99s. */
function judge(
  p99s: readonly (number | null)[],
  rules: readonly Rule[],
  more: {
    readonly raised?: ReadonlySet<string>
    readonly problem?: string
    readonly alert?: AlertsOfProfile[number]
  } = {},
): GateVerdict {
  const profile = profileOf(p99s)
  const [first] = profile.points
  const reference: readonly ReferenceRun[] = first
    ? [
        {
          runId: 'run-0',
          scenario: 'S',
          environment: null,
          isMarked: false,
          profile: profile.name,
          figures: first.figures,
        },
      ]
    : []
  const runIds = new Set([profile.points.at(-1)?.runId ?? ''])
  const { raised = noRaise, problem = null, alert = null } = more
  const judgements = judgementsOf(profile, rules, alert)
  const profiles = [{ profile, runIds }]
  return judgeForBuild({ profiles, wait: 1, rules, reference, at, judgements, raised, openAlerts: [], problem })
}

const verdicts = (verdict: GateVerdict) =>
  verdict.rows.map(
    (row) => `${row.kind} ${row.metric.id} ${row.verdict} ${row.excuse ?? (failsBuild(row) ? 'fails' : 'counts')}`,
  )

const steady = [100, 101, 99, 100, 102, 98, 100, 101, 99]

describe('a build', () => {
  it('fails by a limit whatever the history, and by nothing without rules', () => {
    expect(judge([130], [])).toMatchObject({ result: 'not-judged', rows: [] })
    expect(gateSentence(judge([130], []))).toBe('Not judged: no rule applies to these runs.')
    const failed = judge([130], [rule(limit)])
    expect(verdicts(failed)).toEqual(['limit p99 worse fails'])
    expect(failed.result).toBe('failed')
    expect(judge([110], [rule(limit)]).result).toBe('passed')
    expect(verdicts(judge([120], [rule(limit)]))).toEqual(['limit p99 within counts'])
    expect(judge([110], [rule({ ...limit, side: 'below' })]).result).toBe('failed')
  })

  it('with runs that are not the newest of their profile is not judged, and waits for nothing', () => {
    const profile = profileOf([100, 130])
    const old = {
      profiles: [{ profile, runIds: new Set(['run-0']) }],
      reference: [],
      at,
      judgements: new Map(),
      raised: noRaise,
      openAlerts: [],
      problem: null,
    }
    const verdict = judgeForBuild({ ...old, wait: 1, rules: [rule(limit)] })
    expect(verdict).toMatchObject({ result: 'not-judged', rows: [] })
    expect(gateSentence(verdict)).toBe('Not judged: the same series has newer runs.')
    expect(judgeForBuild({ ...old, wait: 2, rules: [rule(limit)] })).toMatchObject({ result: 'waiting', missing: 2 })
  })

  it('reports what could not be read, whatever the verdict', () => {
    const problem = 'the output ends in the middle of a table (profile 12)'
    const said = ` The upload could not be read completely: ${problem}`
    expect(gateSentence(judge([110], [rule(limit)], { problem }))).toBe(
      `Passed: no rule is violated; not enough history to compare with earlier runs.${said}`,
    )
    const none = judgeForBuild({
      profiles: [],
      wait: 1,
      rules: [rule(limit)],
      reference: [],
      at,
      judgements: new Map(),
      raised: noRaise,
      openAlerts: [],
      problem,
    })
    expect(gateSentence(none)).toBe(`Not judged: the runs are truncated or were deleted.${said}`)
  })

  it('shows an error ratio next to that of the level it was compared with', () => {
    const ratios = [...Array<number>(12).fill(0.0001), ...Array<number>(14).fill(0.012)]
    const plain = profileOf(ratios.map(() => 100))
    const points = plain.points.map((point, at) => ({
      ...point,
      figures: { ...point.figures, requests: 20_000, errorRatio: ratios[at] ?? null },
    }))
    const runIds = new Set([points.at(-1)?.runId ?? ''])
    const profile = { ...plain, points }
    const profiles = [{ profile, runIds }]
    const rules = [rule(builtInSettings)]
    const { rows } = judgeForBuild({
      profiles,
      wait: 1,
      rules,
      reference: [],
      at,
      judgements: judgementsOf(profile, rules),
      raised: noRaise,
      openAlerts: [],
      problem: null,
    })
    const row = rows.find(({ metric }) => metric.id === 'error-ratio')
    expect(row).toMatchObject({ verdict: 'as-expected', judged: { before: 13, value: 0.012 } })
    expect(row?.kind === 'change-point' ? row.judged.level : null).toBeCloseTo(0.012, 9)
  })

  it('ignores rules that are off, muted, or cover something else', () => {
    expect(judge([130], [rule(limit, { isEnabled: false })]).rows).toEqual([])
    expect(judge([130], [rule(limit, { scenario: 'Other' })]).rows).toEqual([])
    expect(judge([130], [rule(limit, { seriesId: 'other' })]).rows).toEqual([])
    const muted = judge([130], [rule(limit, { mutedUntil: later })])
    expect(verdicts(muted)).toEqual(['limit p99 worse muted'])
    expect(muted.result).toBe('passed')
    expect(judge([130], [rule(limit, { mutedUntil: '2026-11-20T00:00:00.000Z' })]).result).toBe('failed')
  })

  it('fails at the third of three required bad runs in a row, and passes at a good run between bad ones', () => {
    const patient = rule({ ...limit, confirmRuns: 3 })
    const results = [[130], [130, 131], [130, 131, 132], [130, 131, 132, 100], [130, 131, 132, 100, 133]].map(
      (p99s) => judge(p99s, [patient]).result,
    )
    // Two good ones are required to end it: the last bad one still belongs to the event.
    expect(results).toEqual(['passed', 'passed', 'failed', 'passed', 'failed'])
    expect(gateText(judge([130, 131], [patient]))).toMatch(/ missed by 11\sms, 2 of 3 times$/m)
  })

  it('fails by a baseline if worse, never if better; the baseline itself is not judged', () => {
    expect(verdicts(judge([100, 115], [rule(baseline('worse'))]))).toEqual(['baseline p99 worse fails'])
    expect(verdicts(judge([100, 105], [rule(baseline('worse'))]))).toEqual(['baseline p99 within counts'])
    const better = judge([100, 80], [rule(baseline('both'))])
    expect(verdicts(better)).toEqual(['baseline p99 within counts', 'baseline p99 better counts'])
    expect(better.result).toBe('passed')
    expect(judge([100], [rule(baseline('both'))]).rows).toEqual([])
    const { runIds: _, ...settings } = { ...baseline('worse'), runIds: [] }
    const without = judge([100, 300], [rule({ ...settings, runIds: ['gone'] } as RuleSettings)])
    expect(verdicts(without)).toEqual(['baseline p99 no-history counts'])
  })

  it('is judged for changes by the rule that watches the metric', () => {
    const watch = (fields: Partial<typeof builtInSettings>, more: Partial<Rule> = {}) => {
      const settings = { ...builtInSettings, metricIds: ['p99'], ...fields }
      return judge([...steady, 140], [rule(settings, more)])
    }
    expect(verdicts(watch({}))).toEqual(['change-point p99 unusual fails'])
    expect(verdicts(watch({ leastEffectRatio: 0.5 }))).toEqual(['change-point p99 as-expected counts'])
    expect(verdicts(watch({ direction: 'better' }))).toEqual(['change-point p99 unusual not-asked'])
    expect(verdicts(watch({ confirmRuns: 2 }))).toEqual(['change-point p99 unusual unconfirmed'])
    expect(verdicts(watch({}, { mutedUntil: later }))).toEqual(['change-point p99 unusual muted'])
    expect(watch({}, { isEnabled: false }).rows).toEqual([])
    const twice = judge([...steady, 140, 141], [rule({ ...builtInSettings, metricIds: ['p99'], confirmRuns: 2 })])
    expect(verdicts(twice)).toEqual(['change-point p99 unusual fails'])
  })

  it('fails by a change that its runs introduce, and not by one that an alert already reports', () => {
    const slower = [...Array<number>(3).fill(0), 1, 2].flatMap(() => steady.slice(0, 6)).map((ms) => ms)
    const profile = [...slower, 140, 141, 139, 140]
    const rules = [rule(builtInSettings)]
    const alert = { id: 'a', kind: 'change-point', state: 'open', findings: [], cause: null } as const
    const [newest, other] = [[{ id: 'a', raisedRunId: 'run-33' }], [{ id: 'a', raisedRunId: 'run-32' }]]
    const runIds = new Set(['run-33'])
    const own = judge(profile, rules, { alert, raised: raisedBy(newest, runIds) })
    expect(verdicts(own)).toEqual(['change-point p99 worse fails'])
    expect(own.result).toBe('failed')
    const reported = judge(profile, rules, { alert, raised: raisedBy(other, runIds) })
    expect(verdicts(reported)).toEqual(['change-point p99 worse reported'])
    expect(reported.result).toBe('passed')
    expect(gateText(reported)).toMatch(/level worse since 31 Jan 2026, but reported by an open alert$/m)
    const better = [...slower, 70, 71, 69, 70]
    expect(verdicts(judge(better, rules))).toEqual(['change-point p99 better counts'])
  })

  it('does not pass with an invalid run, or if requests fail that did not fail before', () => {
    const profile = profileOf(steady)
    const [[runId = '', judged] = []] = judgementsOf(profile, [])
    const refuse = (
      state: 'invalid' | 'failing' | 'no-history',
      sentence: string,
      guards: readonly RunGuard[] = [],
      repeats: { readonly repeat?: number; readonly invalidRuns?: number } = {},
    ) =>
      judgeForBuild({
        ...repeats,
        ...{
          profiles: [{ profile, runIds: new Set([runId]) }],
          wait: 1,
          rules: [rule(builtInSettings)],
          reference: [],
        },
        ...{ at, raised: noRaise, openAlerts: [], problem: null },
        judgements: new Map(judged ? [[runId, { ...judged, state, sentence, guards }]] : []),
      })
    const cut = refuse('invalid', 'Ended early: 31 s of 60 s.')
    expect(cut.result).toBe('failed')
    expect(gateSentence(cut)).toBe('Failed: ended early: 31 s of 60 s.')
    expect(refuse('failing', '5 % of requests failed.').refused).toHaveLength(1)
    // Repeated without being counted, three times.
    const again = refuse('invalid', 'Ended early: 31 s of 60 s.', [], { repeat: 3, invalidRuns: 3 })
    expect(again).toMatchObject({ result: 'repeat', missing: 1, unsettled: null })
    expect(gateSentence(again)).toBe('Run it again: ended early: 31 s of 60 s.')
    expect(refuse('invalid', 'Ended early.', [], { repeat: 3, invalidRuns: 4 }).result).toBe('failed')
    expect(refuse('failing', '5 % of requests failed.', [], { repeat: 3 }).result).toBe('failed')
    // The first in its series, and too short: its state is no alarm, but it passes no build.
    const guards = [{ code: 'too-short', numbers: { durationMs: 400 }, metricIds: null }] as const
    expect(refuse('no-history', 'Too short to judge: 400 ms.', guards)).toMatchObject({
      result: 'failed',
      refused: [{ runId, state: 'invalid' }],
    })
    expect(refuse('no-history', 'First run of its series.').refused).toEqual([])
  })

  it('does not fail by failures that an alert already reports', () => {
    const shares = [...Array<number>(20).fill(0.0001), ...Array<number>(5).fill(0.03)]
    const plain = profileOf(shares.map(() => 100))
    const figuresAt = (at: number) => ({
      requests: 20_000,
      errorRatio: shares[at] ?? 0,
      errorCount: 20_000 * (shares[at] ?? 0),
    })
    const points = plain.points.map((point, at) => ({ ...point, figures: { ...point.figures, ...figuresAt(at) } }))
    const profile = { ...plain, points }
    const rules = [rule(builtInSettings)]
    const newest = points.at(-1)?.runId ?? ''
    const profiles = [{ profile, runIds: new Set([newest]) }]
    const common = { profiles, wait: 1, rules, reference: [], at, openAlerts: [], problem: null }
    const failing = judgementsOf(profile, rules)
    expect(failing.get(newest)?.state).toBe('failing')
    expect(judgeForBuild({ ...common, judgements: failing, raised: noRaise }).result).toBe('failed')
    const alert = { id: 'a', kind: 'change-point', state: 'open', findings: [], cause: null } as const
    const reported = judgeForBuild({ ...common, judgements: judgementsOf(profile, rules, alert), raised: noRaise })
    expect(reported.refused).toEqual([])
    expect(reported.rows.find(({ metric }) => metric.id === 'error-ratio')?.excuse).toBe('reported')
    expect(reported.result).toBe('passed')
  })

  it('fails by unreadable output if a rule says so', () => {
    const failed = judge([100], [rule({ kind: 'failed-import' })], { problem: 'It ends in profile 3.' })
    expect(failed).toMatchObject({ result: 'failed', rows: [] })
    expect(gateSentence(failed)).toBe('Failed: the upload could not be read completely: It ends in profile 3.')
    expect(judge([100], [rule(limit)], { problem: 'It ends.' }).result).toBe('passed')
    const muted = [rule({ kind: 'failed-import' }, { mutedUntil: later })]
    expect(judge([100], muted, { problem: 'It ends.' }).result).toBe('not-judged')
  })

  it('states the rule, its limit and the value, in text and Markdown', () => {
    const failed = judge([...steady, 140], [rule(builtInSettings), rule({ ...limit, limit: 110 })])
    expect(gateText(failed).replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ')).toBe(
      [
        'Failed: p99 of S is 140 ms, outside of the expected 90.9 ms – 110 ms (+40.0 %); “p99 ≤ 110 ms” is missed by 30 ms.',
        '',
        'series  metric  before  now     change   expected          rule                 verdict',
        'S       p99     100 ms  140 ms  +40.0 %  90.9 ms – 110 ms                       unusual, worse',
        'S       p99     –       140 ms           at most 110 ms    p99 is above 110 ms  missed by 30 ms',
      ].join('\n'),
    )
    expect(gateMarkdown(failed, [{ name: 'S', url: 'http://x/1' }])).toMatch(
      /\| p99 is above 110\sms \| missed by 30\sms \|/,
    )
  })
})
