import { describe, expect, it } from 'vitest'
import { failsBuild, judgeForBuild, raisedBy, type GateVerdict } from '@/lib/rules/gate'
import { gateMarkdown, gateSentence, gateText } from '@/lib/rules/gate-words'
import type { ReferenceRun } from '@/lib/rules/rule-events'
import { builtInSettings, type Rule, type RuleSettings } from '@/lib/rules/rules'
import { profileOf } from '../detect/sample-profile'

const at = '2026-11-21T00:00:00.000Z'
const later = '2026-12-01T00:00:00.000Z'
const noRaise = new Set<string>()

const rule = (settings: RuleSettings, fields: Partial<Rule> = {}): Rule => ({
  id: settings.kind,
  scenario: null,
  seriesId: null,
  settings,
  isEnabled: true,
  mutedUntil: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})

const limit: RuleSettings = { kind: 'limit', metricId: 'p99', side: 'above', limit: 120, confirmRuns: 1 }
const baseline = (direction: 'worse' | 'better' | 'both'): RuleSettings => ({
  kind: 'baseline',
  metricIds: ['p99'],
  direction,
  leastEffectRatio: 0.1,
  confirmRuns: 1,
  runIds: ['run-0'],
})

/** Judges the newest run of a profile of p99s. */
function judge(
  p99s: readonly (number | null)[],
  rules: readonly Rule[],
  more: { readonly raised?: ReadonlySet<string>; readonly problem?: string } = {},
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
  const { raised = noRaise, problem = null } = more
  return judgeForBuild({
    profiles: [{ profile, runIds }],
    wait: 1,
    rules,
    reference,
    at,
    raised,
    openAlerts: [],
    problem,
  })
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
    expect(verdicts(judge([120], [rule(limit)]))).toEqual(['limit p99 same counts'])
    expect(judge([110], [rule({ ...limit, side: 'below' })]).result).toBe('failed')
  })

  it('of runs that are not the newest of their profile is not judged, and waits for nothing', () => {
    const profile = profileOf([100, 130])
    const old = {
      profiles: [{ profile, runIds: new Set(['run-0']) }],
      reference: [],
      at,
      raised: noRaise,
      openAlerts: [],
      problem: null,
    }
    const verdict = judgeForBuild({ ...old, wait: 1, rules: [rule(limit)] })
    expect(verdict).toMatchObject({ result: 'not-judged', rows: [] })
    expect(gateSentence(verdict)).toBe('Not judged: the same series has newer runs.')
    expect(judgeForBuild({ ...old, wait: 2, rules: [rule(limit)] })).toMatchObject({ result: 'waiting', missing: 2 })
  })

  it('tells what could not be read, whatever the verdict', () => {
    const problem = 'the output ends in the middle of a table (line 12)'
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
      raised: noRaise,
      openAlerts: [],
      problem,
    })
    expect(gateSentence(none)).toBe(`Not judged: the runs are truncated or were deleted.${said}`)
  })

  it('shows a share of errors beside that of the level it was held against', () => {
    const ratios = [...Array<number>(12).fill(0.0001), ...Array<number>(9).fill(0.012)]
    const plain = profileOf(ratios.map(() => 100))
    const points = plain.points.map((point, at) => ({
      ...point,
      figures: { ...point.figures, requests: 20_000, errorRatio: ratios[at] ?? null },
    }))
    const runIds = new Set([points.at(-1)?.runId ?? ''])
    const profiles = [{ profile: { ...plain, points }, runIds }]
    const rules = [rule(builtInSettings)]
    const { rows } = judgeForBuild({
      profiles,
      wait: 1,
      rules,
      reference: [],
      at,
      raised: noRaise,
      openAlerts: [],
      problem: null,
    })
    const row = rows.find(({ metric }) => metric.id === 'error-ratio')
    expect(row).toMatchObject({ verdict: 'same', check: { before: 8, level: 0.012, value: 0.012 } })
  })

  it('is no business of rules that are off, muted, or look elsewhere', () => {
    expect(judge([130], [rule(limit, { isEnabled: false })]).rows).toEqual([])
    expect(judge([130], [rule(limit, { scenario: 'Other' })]).rows).toEqual([])
    expect(judge([130], [rule(limit, { seriesId: 'other' })]).rows).toEqual([])
    const muted = judge([130], [rule(limit, { mutedUntil: later })])
    expect(verdicts(muted)).toEqual(['limit p99 worse muted'])
    expect(muted.result).toBe('passed')
    expect(judge([130], [rule(limit, { mutedUntil: '2026-11-20T00:00:00.000Z' })]).result).toBe('failed')
  })

  it('fails by a rule that wants three in a row at the third, and passes at a good run between bad ones', () => {
    const patient = rule({ ...limit, confirmRuns: 3 })
    const results = [[130], [130, 131], [130, 131, 132], [130, 131, 132, 100], [130, 131, 132, 100, 133]].map(
      (p99s) => judge(p99s, [patient]).result,
    )
    // Two good ones are wanted before it is over: the last bad one belongs to what lasts.
    expect(results).toEqual(['passed', 'passed', 'failed', 'passed', 'failed'])
    expect(gateText(judge([130, 131], [patient]))).toMatch(/ above, 2 of 3 times$/m)
  })

  it('fails by a baseline when worse, never when better; the baseline itself is not judged', () => {
    expect(verdicts(judge([100, 115], [rule(baseline('worse'))]))).toEqual(['baseline p99 worse fails'])
    expect(verdicts(judge([100, 105], [rule(baseline('worse'))]))).toEqual(['baseline p99 same counts'])
    const better = judge([100, 80], [rule(baseline('both'))])
    expect(verdicts(better)).toEqual(['baseline p99 same counts', 'baseline p99 better counts'])
    expect(better.result).toBe('passed')
    expect(judge([100], [rule(baseline('both'))]).rows).toEqual([])
    const { runIds: _, ...settings } = { ...baseline('worse'), runIds: [] }
    const without = judge([100, 300], [rule({ ...settings, runIds: ['gone'] } as RuleSettings)])
    expect(verdicts(without)).toEqual(['baseline p99 not-judged counts'])
  })

  it('is judged for changes by the rule that watches', () => {
    const watch = (fields: Partial<typeof builtInSettings>, more: Partial<Rule> = {}) => {
      const settings = { ...builtInSettings, metricIds: ['p99'], ...fields }
      return judge([...steady, 140], [rule(settings, more)])
    }
    expect(verdicts(watch({}))).toEqual(['change-point p99 worse fails'])
    expect(verdicts(watch({ leastEffectRatio: 0.5 }))).toEqual(['change-point p99 same counts'])
    expect(verdicts(watch({ direction: 'better' }))).toEqual(['change-point p99 worse not-asked'])
    expect(verdicts(watch({ confirmRuns: 2 }))).toEqual(['change-point p99 worse unconfirmed'])
    expect(verdicts(watch({}, { mutedUntil: later }))).toEqual(['change-point p99 worse muted'])
    expect(watch({}, { isEnabled: false }).rows).toEqual([])
    const twice = judge([...steady, 140, 141], [rule({ ...builtInSettings, metricIds: ['p99'], confirmRuns: 2 })])
    expect(verdicts(twice)).toEqual(['change-point p99 worse fails'])
  })

  it('fails by an alert that its runs raised, when that is about something worse', () => {
    const alert = (before: number, after: number) => {
      const finding = { metricId: 'p99', seriesId: 's', profile: profileOf([1]).name, before, after }
      const others = { effectRatio: 0, effectLowRatio: 0, effectHighRatio: 0, pRobust: 0, pRank: 0, noise: 0 }
      const runs = { runsBefore: 5, runsAfter: 5, weight: 1, beforeRunId: 'a', afterRunId: 'b', since: at }
      return { state: 'open' as const, raisedRunId: 'run-9', findings: [{ ...finding, ...others, ...runs }] }
    }
    const raised = (before: number, after: number) => raisedBy([alert(before, after)], new Set(['run-9']))
    expect(raisedBy([alert(100, 140)], new Set(['run-8']))).toEqual(new Set())
    expect(raised(140, 100)).toEqual(new Set())
    expect(judge([...steady, 100], [rule(builtInSettings)], { raised: raised(100, 140) }).result).toBe('failed')
    expect(judge([...steady, 100], [rule(builtInSettings)], { raised: raised(140, 100) }).result).toBe('passed')
  })

  it('fails by what could not be read when a rule asks for it', () => {
    const failed = judge([100], [rule({ kind: 'failed-import' })], { problem: 'It ends in line 3.' })
    expect(failed).toMatchObject({ result: 'failed', rows: [] })
    expect(gateSentence(failed)).toBe('Failed: the upload could not be read completely: It ends in line 3.')
    expect(judge([100], [rule(limit)], { problem: 'It ends.' }).result).toBe('passed')
    const muted = [rule({ kind: 'failed-import' }, { mutedUntil: later })]
    expect(judge([100], muted, { problem: 'It ends.' }).result).toBe('not-judged')
  })

  it('says which rule, its limit and the value, in text and Markdown', () => {
    const failed = judge([...steady, 140], [rule(builtInSettings), rule({ ...limit, limit: 110 })])
    expect(gateText(failed).replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ')).toBe(
      [
        'Failed: worse than earlier runs; “p99 is above 110 ms” is violated.',
        '',
        'series  metric  before  now     change   expected          rule                 verdict',
        'S       p99     100 ms  140 ms  +40.0 %  96.9 ms – 103 ms                       worse',
        'S       p99     –       140 ms           at most 110 ms    p99 is above 110 ms  above',
      ].join('\n'),
    )
    expect(gateMarkdown(failed, [{ name: 'S', url: 'http://x/1' }])).toMatch(/\| p99 is above 110\sms \| above \|/)
  })
})
