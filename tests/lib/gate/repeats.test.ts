import { describe, expect, it } from 'vitest'
import { judgeForBuild, type GateVerdict } from '@/lib/gate/gate'
import { gateSentence } from '@/lib/gate/gate-words'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { judgeEvaluation } from '@/lib/rules/judge-evaluation'
import { repeatsLeft, repeatsWords } from '@/lib/gate/repeats'
import { builtInSettings, type Rule, type RuleSettings } from '@/lib/rules/rules'
import { profileOf } from '../detect/sample-profile'
import { sampleRule as rule } from '../rules/sample-rule'

const at = '2026-11-21T00:00:00.000Z'
const watch = rule(builtInSettings)
const history = [100, 103, 98, 101, 97, 102, 100, 99, 104, 100, 98, 101]
/** A machine on which a run varies three times as much. */
const loud = history.map((ms) => 100 * (ms / 100) ** 3)

/** The verdict on the newest run of a commit that ran with these p99s, the last of them now. */
function judge(
  p99s: readonly number[],
  more: { readonly repeat?: number; readonly rules?: readonly Rule[]; readonly before?: readonly number[] } = {},
): GateVerdict {
  const { repeat = 3, rules = [watch], before = history } = more
  const plain = profileOf([...before, ...p99s])
  const points = plain.points.map((point, index) => ({
    ...point,
    labels: { commit: index < before.length ? `c${index}` : 'new' },
  }))
  const profile = { ...plain, points }
  const evaluation = evaluateRules(profile, [], { rules, reference: [], at })
  const { judgements: stored } = judgeEvaluation(evaluation, evaluation.changes.watched, [])
  const newest = points.at(-1)?.runId ?? ''
  const judgements = new Map([...stored].flatMap(([id, { judgement }]) => (id === newest ? [[id, judgement]] : [])))
  const runIds = new Set([newest])
  const about = { reference: [], at, raised: new Set<string>(), openAlerts: [], problem: null }
  return judgeForBuild({ profiles: [{ profile, runIds }], wait: 1, repeat, rules, judgements, ...about })
}

const p99Of = ({ rows }: GateVerdict) => rows.find(({ metric }) => metric.id === 'p99')

describe('a build that may repeat', () => {
  it('runs a commit again whose first run is off, until three repeats decide', () => {
    const first = judge([130])
    expect(first).toMatchObject({ result: 'repeat', missing: 3, unsettled: { metric: { id: 'p99' } } })
    expect(gateSentence(first).replaceAll('\u00a0', ' ')).toMatch(
      /^Run it again: p99 is 30 % higher than its level \(\d+\.\d deviations\); 3 more runs settle it\.$/,
    )
    expect(judge([130, 101])).toMatchObject({ result: 'repeat', missing: 2 })
    const last = judge([130, 101, 99])
    expect(last).toMatchObject({ result: 'repeat', missing: 1 })
    expect(gateSentence(last)).toMatch(/; 1 more run settles it\.$/)
    expect(judge([130], { repeat: 0 }).result).toBe('failed')
  })

  it('judges the commit by the median of the repeats, without the run that was off', () => {
    const passed = judge([130, 101, 99, 103])
    expect(passed.result).toBe('passed')
    expect(p99Of(passed)).toMatchObject({ verdict: 'as-expected', runs: 3, judged: { value: 101 } })
    const failed = judge([130, 131, 128, 135])
    expect(failed.result).toBe('failed')
    expect(p99Of(failed)).toMatchObject({ verdict: 'unusual', runs: 3, judged: { value: 131 } })
    // Two of four runs are off, and the median of all four would be 115.5.
    expect(judge([130, 101, 99, 131]).result).toBe('passed')
  })

  it('asks for nothing where the first run is as expected, better, or where no rule would fail', () => {
    expect(judge([101]).result).toBe('passed')
    expect(judge([101, 130]).result).not.toBe('repeat')
    expect(judge([70]).result).toBe('passed')
    expect(judge([130], { rules: [{ ...watch, mutedUntil: '2027-01-01T00:00:00.000Z' }] }).result).toBe('passed')
    expect(judge([130], { rules: [] }).result).toBe('not-judged')
  })

  it('asks for up to six where three leave a doubt, if it may', () => {
    const doubtful = judge([150, 116, 117, 116], { repeat: 6, before: loud })
    expect(doubtful).toMatchObject({ result: 'repeat', missing: 3 })
    expect(judge([150, 116, 117, 116], { before: loud }).result).toBe('passed')
    expect(judge([150, 116, 117, 116, 100, 99, 101], { repeat: 6, before: loud }).result).toBe('passed')
    expect(judge([150, 151, 148, 155], { repeat: 6, before: loud }).result).toBe('failed')
  })

  it('holds limits against the same runs', () => {
    const limit: RuleSettings = { kind: 'limit', metricId: 'p99', side: 'above', limit: 115, confirmRuns: 1 }
    const rules = [watch, rule(limit)]
    expect(judge([130], { rules }).result).toBe('repeat')
    expect(judge([130, 101, 99, 131], { rules }).result).toBe('passed')
    expect(judge([130, 118, 116, 117], { rules }).result).toBe('failed')
  })

  it('is told on the page of an unusual run how many settle it', () => {
    const leftOf = (p99s: readonly number[]) => {
      const profile = profileOf([...history, ...p99s])
      const labels = (at: number) => ({ commit: at < history.length ? `c${at}` : 'new' })
      const labelled = { ...profile, points: profile.points.map((point, at) => ({ ...point, labels: labels(at) })) }
      const evaluation = evaluateRules(labelled, [], { rules: [watch], reference: [], at })
      const { judgements } = judgeEvaluation(evaluation, [], [])
      const own = judgements.get(labelled.points.at(-1)?.runId ?? '')
      return own === undefined ? null : repeatsLeft(own.judgement)
    }
    expect([[130], [130, 131], [130, 131, 129, 130], [101], [70]].map(leftOf)).toEqual([3, 2, null, null, null])
    expect([1, 3].map(repeatsWords)).toEqual(['1 more run settles it', '3 more runs settle it'])
  })
})
